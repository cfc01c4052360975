// Key points: which part of an image the network sees, and where its points are in the image.
#include <gtest/gtest.h>
#include <mxinfer/vision/keypoint_detector.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/channel_models.h"

namespace mxinfer {
namespace {

/// Black, with one pixel of full red, green or blue each.
struct Mark {
  int x, y, channel;
};
Image marked(int width, int height, const std::vector<Mark>& marks) {
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3), 0);
  for (const Mark& mark : marks)
    pixels[static_cast<std::size_t>((mark.y * width + mark.x) * 3 + mark.channel)] = 255;
  return Image(width, height, 3, pixels);
}

KeypointDetector channels(LoadOptions load = {}, const KeypointOptions& options = {}) {
  return KeypointDetector(test::channel_model(16, 32, R"("op": "_copy")", load), options);
}

TEST(KeypointDetector, FindsThePointsOfAnImage) {
  LoadOptions load;
  load.labels = {"nose", "left_eye", "right_eye"};
  const Pose pose = channels(load).detect_keypoints(marked(32, 16, {{3, 4, 0}, {30, 15, 1}, {0, 0, 2}}));
  ASSERT_EQ(pose.points.size(), 3u);
  EXPECT_EQ(pose.points[0].label, "nose");
  EXPECT_EQ(pose.points[0].x, 3);
  EXPECT_EQ(pose.points[0].y, 4);
  EXPECT_EQ(pose.points[0].score, 255);
  EXPECT_EQ(pose.points[1].x, 30);
  EXPECT_EQ(pose.points[1].y, 15);
  EXPECT_EQ(pose.box.right, 32);
}

TEST(KeypointDetector, LooksAtABoxEnlargedAndCutAtTheEdges) {
  // 20 x 12 about (50, 30), twice as large: 40 x 24 at (30, 18), shrunk to 32 x 16.
  const Image image = marked(100, 60, {{35, 21, 0}, {36, 21, 0}, {35, 22, 0}, {36, 22, 0}});
  const std::vector<Box> boxes = {{40, 24, 60, 36}, {-20, -10, 40, 30}};
  PoseOptions options;
  options.box_scale = 2;
  const auto poses = channels().detect_keypoints(image, boxes, options);
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(poses[0].box.left, 40);
  EXPECT_EQ(poses[0].points[0].label, "0");
  EXPECT_NEAR(poses[0].points[0].x, 35.5f, 1.3f);  // an element is 1.25 x 1.5 pixels
  EXPECT_NEAR(poses[0].points[0].y, 21.5f, 1.6f);
  // (-50, -30) to (70, 50): 70 x 50 of it are in the image.
  EXPECT_NEAR(poses[1].points[0].x, 35.5f, 70 / 32.0f + 0.1f);
  EXPECT_NEAR(poses[1].points[0].y, 21.5f, 50 / 16.0f + 0.1f);
}

TEST(KeypointDetector, LettersAreLedBack) {
  KeypointOptions options;
  options.preprocess.resize = ResizePolicy::letterbox;  // 16 x 16 at x = 8
  const Image image =
      marked(64, 64, {{40, 8, 0}, {41, 8, 0}, {42, 8, 0}, {43, 8, 0}, {40, 9, 0}, {41, 9, 0}});
  const Pose pose = channels({}, options).detect_keypoints(image);
  EXPECT_NEAR(pose.points[0].x, 41, 4);
  EXPECT_NEAR(pose.points[0].y, 8, 4);
}

TEST(KeypointDetector, MovesAQuarterTowardsTheLargerNeighbour) {
  std::vector<std::uint8_t> pixels(32 * 16 * 3, 0);
  const auto set = [&](int x, int y, std::uint8_t value) {
    pixels[static_cast<std::size_t>((y * 32 + x) * 3)] = value;
  };
  set(10, 5, 200), set(11, 5, 90), set(9, 5, 10), set(10, 4, 50);
  const Image image(32, 16, 3, pixels);
  PoseOptions options;
  EXPECT_EQ(channels().detect_keypoints(image, options).points[0].x, 10);
  options.peak = HeatMapPeak::quarter;
  const Keypoint point = channels().detect_keypoints(image, options).points[0];
  EXPECT_EQ(point.x, 10.25f);
  EXPECT_EQ(point.y, 4.75f);
}

TEST(KeypointDetector, RefusesWhatHasNoPixels) {
  const KeypointDetector detector = channels();
  const Image image = marked(20, 20, {});
  EXPECT_TRUE(detector.detect_keypoints(image, Span<const Box>()).empty());
  const float kNaN = std::numeric_limits<float>::quiet_NaN(), kMost = std::numeric_limits<float>::max();
  for (const Box& box : {Box{kNaN, 0, 1, 1}, Box{30, 30, 40, 40}, Box{5, 5, 5, 5}, Box{9, 9, 2, 2},
                         Box{0, 0, std::numeric_limits<float>::infinity(), 3}}) {
    EXPECT_MXINFER_ERROR(detector.detect_keypoints(image, {&box, 1}), ErrorCode::invalid_argument,
                         {"box 0", "20 x 20"});
  }
  const std::vector<Box> odd = {{-kMost, -kMost, kMost, kMost}, {19.9f, 19.9f, 20, 20}};
  EXPECT_EQ(detector.detect_keypoints(image, odd).size(), 2u);
  EXPECT_MXINFER_ERROR(detector.detect_keypoints(Image(), odd), ErrorCode::invalid_argument, {"empty"});
  PoseOptions options;
  options.box_scale = 0;
  EXPECT_MXINFER_ERROR(detector.detect_keypoints(image, odd, options), ErrorCode::invalid_argument,
                       {"box_scale"});
}

/// A detector whose decoder finds one object with a label of its own, or with that of its class, in any
/// image.
ObjectDetector decoded(const std::string& label, const LoadOptions& load = {}) {
  DetectorOptions options;
  options.decoder = [label](Span<const Tensor>, std::int64_t) {
    return std::vector<Detection>{{label, 0.9f, 0, {0, 0, 16, 16}}, {label, 0.6f, 0, {16, 0, 32, 16}}};
  };
  return ObjectDetector(test::channel_model(16, 32, R"("op": "_copy")", load), options);
}

TEST(KeypointDetector, LooksAtWhatADetectorFinds) {
  const Image image = marked(32, 16, {{3, 4, 0}, {20, 15, 0}});
  PoseOptions options;
  options.box_scale = 1;
  const auto poses = channels().detect_keypoints(image, decoded("person"), options);
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(poses[0].score, 0.9f);
  EXPECT_EQ(poses[0].box.right, 16);
  EXPECT_NEAR(poses[0].points[0].x, 3, 1);
  EXPECT_NEAR(poses[1].points[0].x, 20, 1);
  options.max_objects = 1;
  EXPECT_EQ(channels().detect_keypoints(image, decoded("person"), options).size(), 1u);
  EXPECT_TRUE(channels().detect_keypoints(image, decoded("dog"), options).empty()) << "no person is no error";
  options.classes = {};
  EXPECT_EQ(channels().detect_keypoints(image, decoded("dog"), options).size(), 1u);
  options.max_objects = 0;
  EXPECT_MXINFER_ERROR(channels().detect_keypoints(image, decoded("dog"), options),
                       ErrorCode::invalid_argument, {"max_objects is 0"});
}

TEST(KeypointDetector, SaysWhatADetectorCannotFind) {
  const Image image = marked(32, 16, {});
  LoadOptions load;
  load.labels = {"cat", "dog"};
  EXPECT_MXINFER_ERROR(channels().detect_keypoints(image, decoded("", load)), ErrorCode::invalid_argument,
                       {"2 labels", "'person'"});
  EXPECT_MXINFER_ERROR(channels().detect_keypoints(image, decoded("")), ErrorCode::invalid_argument,
                       {"0 labels"});
  PoseOptions options;
  options.classes = {"0"};
  EXPECT_EQ(channels().detect_keypoints(image, decoded(""), options).size(), 2u);
}

TEST(KeypointDetector, RefusesOtherNetworks) {
  EXPECT_MXINFER_ERROR(KeypointDetector(MXINFER_SOURCE_DIR "/models/digits"), ErrorCode::invalid_argument,
                       {"no key points", "(-1, 10)"});
  KeypointOptions crop;
  crop.preprocess.resize = ResizePolicy::short_side_crop;
  crop.preprocess.resize_short = 20;
  EXPECT_MXINFER_ERROR(channels({}, crop), ErrorCode::invalid_argument, {"cut off"});
}

}  // namespace
}  // namespace mxinfer
