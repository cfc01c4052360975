// Drawing through the C interface: every picture is that of C++.
#include <mxinfer/vision/draw.h>
#include <mxinfer/vision/image_segmenter.h>
#include <mxinfer/vision/object_detector.h>

#include <cmath>
#include <string>
#include <vector>

#include "c_api/vision/pixels.h"
#include "support/networks/channel_models.h"

namespace mxinfer_c_tests {
namespace {

class CDraw : public testing::Test {
 protected:
  std::string detector_ = std::string(MXINFER_SOURCE_DIR "/models/digit_detector");
  mxinfer::Image scene_ = mxinfer::read_image(detector_ + "/scenes/03.jpg");
  mxinfer_image pixels_ = pixels_of(scene_);
};

TEST_F(CDraw, WhatADetectorFound) {
  Detector detector;
  Detections found;
  ASSERT_C_OK(mxinfer_object_detector_open(detector_.c_str(), nullptr, Out(detector)));
  ASSERT_C_OK(mxinfer_object_detector_detect_image(detector.get(), &pixels_, nullptr, Out(found)));
  ASSERT_GT(mxinfer_detections_count(found.get(), 0), 0U);
  const std::vector<mxinfer::Detection> same = mxinfer::ObjectDetector(detector_).detect(scene_);
  OwnedImage picture;
  ASSERT_C_OK(mxinfer_draw_detections(&pixels_, found.get(), 0, nullptr, Out(picture)));
  expect_same_image(image_of(picture), mxinfer::draw(scene_, same));

  auto options = sized<mxinfer_draw_options>();
  const std::uint8_t colors[] = {255, 0, 0, 0, 255, 0};
  options.line_width = 3;
  options.text_scale = 1.5F;
  options.no_scores = 1;
  options.colors = colors;
  options.color_count = 2;
  ASSERT_C_OK(mxinfer_draw_detections(&pixels_, found.get(), 0, &options, Out(picture)));
  mxinfer::DrawOptions expected;
  expected.line_width = 3;
  expected.text_scale = 1.5F;
  expected.scores = false;
  expected.colors = {{255, 0, 0}, {0, 255, 0}};
  expect_same_image(image_of(picture), mxinfer::draw(scene_, same, expected));

  std::vector<mxinfer_detection> boxes(same.size(), sized<mxinfer_detection>());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    ASSERT_C_OK(mxinfer_detections_get(found.get(), 0, i, &boxes[i]));
  ASSERT_C_OK(mxinfer_draw_boxes(&pixels_, boxes.data(), boxes.size(), &options, Out(picture)));
  expect_same_image(image_of(picture), mxinfer::draw(scene_, same, expected));

  EXPECT_C_ERROR(mxinfer_draw_detections(&pixels_, found.get(), 1, nullptr, Out(picture)),
                 MXINFER_INVALID_ARGUMENT, "image 1");
  EXPECT_C_ERROR(mxinfer_draw_boxes(&pixels_, nullptr, 1, nullptr, Out(picture)), MXINFER_INVALID_ARGUMENT,
                 "boxes");
  options.line_width = -1;
  EXPECT_C_ERROR(mxinfer_draw_boxes(&pixels_, boxes.data(), 1, &options, Out(picture)),
                 MXINFER_INVALID_ARGUMENT, "line_width");
  options = sized<mxinfer_draw_options>();
  options.color_count = 1;
  EXPECT_C_ERROR(mxinfer_draw_boxes(&pixels_, boxes.data(), 1, &options, Out(picture)),
                 MXINFER_INVALID_ARGUMENT, "options.colors");
}

TEST_F(CDraw, BoxesOfTheProgramWithLandmarks) {
  auto box = sized<mxinfer_detection>();
  const float landmarks[] = {20, 20, 30, 25};
  box.left = 10;
  box.top = 12;
  box.right = 60;
  box.bottom = 50;
  box.score = 0.5F;
  box.landmarks = landmarks;
  box.landmark_count = 2;
  OwnedImage picture;
  ASSERT_C_OK(mxinfer_draw_boxes(&pixels_, &box, 1, nullptr, Out(picture)));
  const std::vector<mxinfer::Detection> same = {{"", 0.5F, 0, {10, 12, 60, 50}, {{20, 20}, {30, 25}}}};
  expect_same_image(image_of(picture), mxinfer::draw(scene_, same));
  box.landmarks = nullptr;
  EXPECT_C_ERROR(mxinfer_draw_boxes(&pixels_, &box, 1, nullptr, Out(picture)), MXINFER_INVALID_ARGUMENT,
                 "landmarks");
}

TEST_F(CDraw, PointsAndSkeletons) {
  const float points[] = {10, 10, 40, 30, std::nanf(""), 5, 70, 20};
  const std::vector<mxinfer::Point> same = {{10, 10}, {40, 30}, {std::nanf(""), 5}, {70, 20}};
  OwnedImage picture;
  ASSERT_C_OK(mxinfer_draw_points(&pixels_, points, 4, nullptr, Out(picture)));
  expect_same_image(image_of(picture), mxinfer::draw_points(scene_, same));
  const std::int32_t limbs[] = {0, 1, 1, 2, 1, 3};
  const std::vector<mxinfer::Limb> same_limbs = {{0, 1}, {1, 2}, {1, 3}};
  ASSERT_C_OK(mxinfer_draw_skeleton(&pixels_, points, 4, limbs, 3, nullptr, Out(picture)));
  expect_same_image(image_of(picture), mxinfer::draw_skeleton(scene_, same, same_limbs));
  EXPECT_C_ERROR(mxinfer_draw_skeleton(&pixels_, points, 3, limbs, 3, nullptr, Out(picture)),
                 MXINFER_INVALID_ARGUMENT);
  EXPECT_C_ERROR(mxinfer_draw_skeleton(&pixels_, points, 4, nullptr, 3, nullptr, Out(picture)),
                 MXINFER_INVALID_ARGUMENT, "limbs");
  EXPECT_C_ERROR(mxinfer_draw_points(&pixels_, nullptr, 4, nullptr, Out(picture)), MXINFER_INVALID_ARGUMENT,
                 "points");
}

TEST_F(CDraw, LabelsInColours) {
  const std::vector<std::int64_t> shape = {scene_.height(), scene_.width()};
  std::vector<std::int32_t> labels(static_cast<std::size_t>(shape[0] * shape[1]));
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 5) - 1;
  auto tensor = sized<mxinfer_tensor>();
  tensor.data = labels.data();
  tensor.shape = shape.data();
  tensor.rank = 2;
  tensor.dtype = MXINFER_INT32;
  const mxinfer::TensorView view(labels.data(), {shape[0], shape[1]});
  OwnedImage picture;
  ASSERT_C_OK(mxinfer_blend_labels(&pixels_, &tensor, nullptr, Out(picture)));
  expect_same_image(image_of(picture), mxinfer::blend_labels(scene_, view));
  auto options = sized<mxinfer_blend_options>();
  const std::uint8_t palette[] = {1, 2, 3, 200, 100, 50};
  options.opacity = 0.8F;
  options.background = 2;
  options.palette = palette;
  options.palette_count = 2;
  ASSERT_C_OK(mxinfer_blend_labels(&pixels_, &tensor, &options, Out(picture)));
  expect_same_image(image_of(picture),
                    mxinfer::blend_labels(scene_, view, {0.8F, 2, {{1, 2, 3}, {200, 100, 50}}}));
  tensor.rank = 1;
  EXPECT_C_ERROR(mxinfer_blend_labels(&pixels_, &tensor, nullptr, Out(picture)), MXINFER_INVALID_ARGUMENT);
  options.opacity = 2;
  tensor.rank = 2;
  EXPECT_C_ERROR(mxinfer_blend_labels(&pixels_, &tensor, &options, Out(picture)), MXINFER_INVALID_ARGUMENT,
                 "opacity");
}

TEST_F(CDraw, WhatASegmenterFound) {
  const Model model = model_of(mxinfer::test::channel_model_json(10, 20));
  Segmenter segmenter;
  ASSERT_C_OK(mxinfer_image_segmenter_create(model.get(), nullptr, Out(segmenter)));
  auto options = sized<mxinfer_segment_options>();
  const float least = 150;
  options.min_score = &least;
  Segmentations found;
  ASSERT_C_OK(mxinfer_image_segmenter_segment_image(segmenter.get(), &pixels_, &options, Out(found)));
  OwnedImage picture;
  ASSERT_C_OK(mxinfer_draw_segmentation(&pixels_, found.get(), 0, nullptr, Out(picture)));

  const mxinfer::Image labels =
      mxinfer::ImageSegmenter(mxinfer::test::channel_model(10, 20)).segment(scene_, {least, true}).labels;
  std::vector<std::int32_t> known(labels.pixels().begin(), labels.pixels().end());
  for (std::int32_t& label : known) label = label == mxinfer::kUnknownLabel ? -1 : label;
  const mxinfer::TensorView view(known.data(), {labels.height(), labels.width()});
  expect_same_image(image_of(picture), mxinfer::blend_labels(scene_, view));
  EXPECT_C_ERROR(mxinfer_draw_segmentation(&pixels_, found.get(), 1, nullptr, Out(picture)),
                 MXINFER_INVALID_ARGUMENT, "image 1");
}

}  // namespace
}  // namespace mxinfer_c_tests
