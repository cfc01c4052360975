// Key points through the C interface: a network whose heat maps are the channels of the image, beside C++.
#include <mxinfer/vision/keypoint_detector.h>

#include <limits>
#include <string>
#include <vector>

#include "c_api/vision/pixels.h"
#include "support/files/temp_dir.h"
#include "support/networks/channel_models.h"
#include "support/networks/fixed_detector.h"

namespace mxinfer_c_tests {
namespace {

class CKeypoints : public testing::Test {
 protected:
  CKeypoints() { EXPECT_C_OK(mxinfer_keypoint_detector_create(model_.get(), nullptr, Out(detector_))); }

  mxinfer::KeypointDetector beside_{mxinfer::test::channel_model(16, 32)};
  Model model_ = model_of(mxinfer::test::channel_model_json(16, 32));
  KeypointDetector detector_;
  mxinfer::Image photo_ = mxinfer::read_image(MXINFER_SOURCE_DIR "/models/digit_detector/scenes/01.jpg");
  mxinfer_image pixels_ = pixels_of(photo_);
};

void expect_same_poses(const Poses& found, const std::vector<mxinfer::Pose>& expected) {
  ASSERT_EQ(mxinfer_poses_count(found.get()), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    auto pose = sized<mxinfer_pose>();
    ASSERT_C_OK(mxinfer_poses_get(found.get(), i, &pose));
    EXPECT_EQ(pose.left, expected[i].box.left);
    EXPECT_EQ(pose.top, expected[i].box.top);
    EXPECT_EQ(pose.right, expected[i].box.right);
    EXPECT_EQ(pose.bottom, expected[i].box.bottom);
    EXPECT_EQ(pose.score, expected[i].score);
    ASSERT_EQ(pose.point_count, expected[i].points.size());
    for (std::size_t p = 0; p < pose.point_count; ++p) {
      const mxinfer::Keypoint& wanted = expected[i].points[p];
      auto point = sized<mxinfer_keypoint>();
      ASSERT_C_OK(mxinfer_poses_keypoint(found.get(), i, p, &point));
      EXPECT_EQ(point.label, wanted.label);
      EXPECT_EQ(point.x, wanted.x);
      EXPECT_EQ(point.y, wanted.y);
      EXPECT_EQ(point.score, wanted.score);
      EXPECT_EQ(pose.points[2 * p], wanted.x);
      EXPECT_EQ(pose.points[2 * p + 1], wanted.y);
    }
  }
}

TEST_F(CKeypoints, OfWholeImagesAndOfBoxesAreThoseOfCpp) {
  Poses found;
  ASSERT_C_OK(mxinfer_keypoint_detector_detect(detector_.get(), &pixels_, nullptr, Out(found)));
  expect_same_poses(found, {beside_.detect_keypoints(photo_)});

  const std::vector<mxinfer::Box> boxes = {{10, 12, 60, 50}, {-5, 0, 40, 33}};
  const float edges[] = {10, 12, 60, 50, -5, 0, 40, 33};
  auto options = sized<mxinfer_pose_options>();
  options.box_scale = 1.5F;
  options.peak = "quarter";
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_in_boxes(detector_.get(), &pixels_, edges, 2, &options, Out(found)));
  mxinfer::PoseOptions expected;
  expected.box_scale = 1.5F;
  expected.peak = mxinfer::HeatMapPeak::quarter;
  expect_same_poses(found, beside_.detect_keypoints(photo_, boxes, expected));
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_in_boxes(detector_.get(), &pixels_, nullptr, 0, nullptr, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 0U);
}

TEST_F(CKeypoints, OfTheObjectsOfADetectorAreThoseOfCpp) {
  const mxinfer::test::TempDir dir;
  const std::string net = mxinfer::test::write_fixed_detector(
      dir, "net", {0, 0.9F, 4, 2, 8, 6, 1, 0.7F, 2, 2, 18, 8, 0, 0.6F, 1, 1, 5, 5});
  const char* const names = R"(["person", "dog"])";
  Detector objects;
  ASSERT_C_OK(
      mxinfer_object_detector_open(net.c_str(), make_options({{"labels", names}}).get(), Out(objects)));
  mxinfer::LoadOptions load;
  load.labels = {"person", "dog"};
  const mxinfer::ObjectDetector same(net, {}, load);
  Poses found;
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), nullptr, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 2U);
  expect_same_poses(found, beside_.detect_keypoints(photo_, same));

  auto options = sized<mxinfer_pose_options>();
  const char* const dogs[] = {"dog"};
  options.classes = dogs;
  options.class_count = 1;
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), &options, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 1U);
  options = sized<mxinfer_pose_options>();
  options.all_classes = 1;
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), &options, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 3U);
  options.max_objects = 2;
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), &options, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 2U);
  options.max_objects = 0;
  options.score_threshold = 0.8F;
  ASSERT_C_OK(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), &options, Out(found)));
  EXPECT_EQ(mxinfer_poses_count(found.get()), 1U);
  options.classes = dogs;
  options.class_count = 1;
  EXPECT_C_ERROR(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, objects.get(), &options, Out(found)),
      MXINFER_INVALID_ARGUMENT, "all_classes");
  EXPECT_C_ERROR(
      mxinfer_keypoint_detector_detect_with(detector_.get(), &pixels_, nullptr, nullptr, Out(found)),
      MXINFER_INVALID_ARGUMENT, "objects");
}

TEST_F(CKeypoints, TellWhatIsWrong) {
  Poses found;
  const float endless[] = {0, 0, std::numeric_limits<float>::infinity(), 5};
  EXPECT_C_ERROR(
      mxinfer_keypoint_detector_detect_in_boxes(detector_.get(), &pixels_, endless, 1, nullptr, Out(found)),
      MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(
      mxinfer_keypoint_detector_detect_in_boxes(detector_.get(), &pixels_, nullptr, 1, nullptr, Out(found)),
      MXINFER_INVALID_ARGUMENT, "boxes");
  auto options = sized<mxinfer_pose_options>();
  options.peak = "middle";
  EXPECT_C_ERROR(mxinfer_keypoint_detector_detect(detector_.get(), &pixels_, &options, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "middle", "quarter");
  EXPECT_C_ERROR(mxinfer_keypoint_detector_detect(detector_.get(), nullptr, nullptr, Out(found)),
                 MXINFER_INVALID_ARGUMENT, "image");
  EXPECT_EQ(found, nullptr);
  ASSERT_C_OK(mxinfer_keypoint_detector_detect(detector_.get(), &pixels_, nullptr, Out(found)));
  auto pose = sized<mxinfer_pose>();
  EXPECT_C_ERROR(mxinfer_poses_get(found.get(), 1, &pose), MXINFER_INVALID_ARGUMENT, "pose 1");
  auto point = sized<mxinfer_keypoint>();
  EXPECT_C_ERROR(mxinfer_poses_keypoint(found.get(), 0, 3, &point), MXINFER_INVALID_ARGUMENT, "point 3");

  KeypointDetector none;
  const std::vector<std::vector<std::pair<const char*, const char*>>> refused = {
      {{"apply_exif", "false"}},
      {{"activation", "softmax"}},
      {{"resize", "short_side_crop"}, {"resize_short", "20"}}};
  for (const auto& options_of_images : refused) {
    EXPECT_C_ERROR(
        mxinfer_keypoint_detector_create(model_.get(), make_options(options_of_images).get(), Out(none)),
        MXINFER_INVALID_ARGUMENT);
  }
  EXPECT_C_ERROR(mxinfer_keypoint_detector_open(digits().c_str(), nullptr, Out(none)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_EQ(none, nullptr);
  EXPECT_NE(mxinfer_keypoint_detector_predictor(detector_.get()), nullptr);
}

}  // namespace
}  // namespace mxinfer_c_tests
