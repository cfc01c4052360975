// DetectorOptions::decoder: heads that no library knows, and what happens where one throws.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "detector_networks.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

// A network of rows (score, x, y), which stand for squares of 4 pixels around a point.
Model points() {
  return test::detector_network({0.9f, 4, 4, 0.6f, 5, 4, 0.2f, 16, 4}, {false, 3, {}});
}

std::vector<Detection> squares(Span<const Tensor> outputs, std::int64_t image) {
  const std::int64_t count = outputs[0].shape()[1];
  const float* row = outputs[0].data<float>() + image * count * 3;
  std::vector<Detection> found;
  for (std::int64_t i = 0; i < count; ++i, row += 3) {
    const float x = row[1], y = row[2];
    found.push_back({"", row[0], static_cast<int>(i % 2), {x - 2, y - 2, x + 2, y + 2}, {{x, y}}});
  }
  return found;
}

DetectorOptions with(DetectionDecoder decoder) {
  DetectorOptions options;
  options.decoder = std::move(decoder);
  return options;
}

TEST(DetectionDecoder, GivesBoxesInTheUnitsOfTheNetwork) {
  const Image image = test::grey_image(40, 40);  // twice as wide and four times as high
  const ObjectDetector detect(points(), with(squares));
  const auto found = detect.detect(image);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].label, "0");
  EXPECT_EQ(found[0].box.left, 4);
  EXPECT_EQ(found[0].box.bottom, 24);
  EXPECT_EQ(found[0].landmarks[0].y, 16);
  EXPECT_EQ(found[1].index, 1);

  DetectOptions wanted;
  wanted.score_threshold = 0.1f;
  wanted.nms.emplace();
  wanted.nms->across = SuppressAcross::all_classes;
  const DetectReport report = detect.report(image, wanted);
  EXPECT_EQ(report.detections.size(), 2u);
  EXPECT_EQ(report.rows, 3);
  EXPECT_EQ(report.suppressed, 1);

  DetectorOptions relative = with([](Span<const Tensor>, std::int64_t) {
    return std::vector<Detection>{{"face", 1, 0, {0.25f, 0.5f, 0.5f, 0.75f}}};
  });
  relative.units = BoxUnits::relative;
  const auto faces = ObjectDetector(points(), relative).detect(image);
  ASSERT_EQ(faces.size(), 1u);
  EXPECT_EQ(faces[0].label, "face");
  EXPECT_EQ(faces[0].box.left, 10);
  EXPECT_EQ(faces[0].box.top, 20);
}

TEST(DetectionDecoder, IsAskedForEveryImageOfABatch) {
  const ObjectDetector detect(points(), with([](Span<const Tensor> outputs, std::int64_t image) {
                                EXPECT_EQ(outputs[0].shape()[0], 2);
                                auto found = squares(outputs, image);
                                found.resize(static_cast<std::size_t>(image));
                                return found;
                              }));
  const std::vector<Image> images = {test::grey_image(20, 10), test::grey_image(1, 1)};
  const auto found = detect.detect_batch(Span<const Image>(images));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].empty());
  EXPECT_EQ(found[1].size(), 1u);
}

TEST(DetectionDecoder, MayGiveNothingAndRowsThatAreNone) {
  const float inf = INFINITY;
  const ObjectDetector detect(points(), with([=](Span<const Tensor>, std::int64_t) {
                                return std::vector<Detection>{{"", NAN, 0, {0, 0, 9, 9}},
                                                              {"", 0.9f, 0, {0, NAN, 9, 9}},
                                                              {"", 0.9f, 0, {0, 0, inf, 9}},
                                                              {"", 0.9f, -1, {0, 0, 9, 9}},
                                                              {"", 0.9f, 0, {3, 3, 3, 3}}};
                              }));
  const DetectReport report = detect.report(test::grey_image(20, 10));
  EXPECT_TRUE(report.detections.empty());
  EXPECT_EQ(report.rows, 5);
  EXPECT_EQ(report.candidates, 4);
  EXPECT_EQ(report.nan_scores, 1);
  EXPECT_EQ(report.nan_boxes, 2);
  EXPECT_EQ(report.empty_boxes, 1);
  const ObjectDetector nothing(
      points(), with([](Span<const Tensor>, std::int64_t) { return std::vector<Detection>(); }));
  EXPECT_EQ(to_string(nothing.report(test::grey_image(20, 10))), "the network gave no rows");
}

TEST(DetectionDecoder, ThrowsErrorsThatSayWhere) {
  const Image image = test::grey_image(20, 10);
  const auto throwing = [](auto what) {
    return with([what](Span<const Tensor>, std::int64_t) -> std::vector<Detection> { throw what; });
  };
  EXPECT_MXINFER_ERROR(ObjectDetector(points(), throwing(std::runtime_error("no anchors"))).detect(image),
                       ErrorCode::invalid_argument, {"DetectorOptions::decoder", "image 0", "no anchors"});
  EXPECT_MXINFER_ERROR(
      ObjectDetector(points(), throwing(Error(ErrorCode::malformed, "odd heads"))).detect(image),
      ErrorCode::malformed, {"DetectorOptions::decoder", "odd heads"});
  EXPECT_MXINFER_ERROR(ObjectDetector(points(), throwing(7)).detect(image), ErrorCode::invalid_argument,
                       {"unknown type"});
  EXPECT_MXINFER_ERROR(ObjectDetector(points(), throwing(std::bad_alloc())).detect(image),
                       ErrorCode::out_of_memory, {"DetectorOptions::decoder"});
  EXPECT_MXINFER_ERROR(ObjectDetector(points(), throwing(7)).detect_async(image).get(),
                       ErrorCode::invalid_argument, {"DetectorOptions::decoder"});
}

TEST(DetectionDecoder, FailsForOneImageOfAListAlone) {
  const ObjectDetector detect(points(), with([](Span<const Tensor> outputs, std::int64_t image) {
                                if (image == 1) throw std::runtime_error("odd");
                                return squares(outputs, image);
                              }));
  const std::vector<Image> images = {test::grey_image(20, 10), test::grey_image(20, 10), Image()};
  std::vector<ItemError> errors;
  const auto found = detect.detect_batch(Span<const Image>(images), {}, &errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_NE(std::string(errors[0].error.what()).find("it threw: odd"), std::string::npos);
  EXPECT_EQ(errors[1].item, 2u);
  EXPECT_EQ(found[0].size(), 2u);
  EXPECT_TRUE(found[1].empty());

  // As the second of those that could be read.
  const std::string seven = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";
  errors.clear();
  const auto files = detect.detect_files({"/nowhere.jpg", seven, seven}, {}, &errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].item, 0u);
  EXPECT_EQ(errors[1].item, 2u);
  EXPECT_EQ(files[1].size(), 2u);
}

// Without a decoder such heads are refused; with one, so may be a classifier's.
TEST(DetectionDecoder, NeedsNoBoxesAmongTheOutputs) {
  const std::string digits = MXINFER_SOURCE_DIR "/models/digits";
  EXPECT_MXINFER_ERROR(ObjectDetector(points()).detect(test::grey_image(20, 10)), ErrorCode::invalid_argument,
                       {"(1, 3, 3)", "DetectorOptions::decoder"});
  const ObjectDetector whole(Model::load(digits), with([](Span<const Tensor> outputs, std::int64_t image) {
                               const float* scores = outputs[0].data<float>() + image * 10;
                               return std::vector<Detection>{{"", scores[7], 7, {0, 0, 1e6f, 1e6f}}};
                             }));
  const auto found = whole.detect_file(MXINFER_SOURCE_DIR "/examples/images/seven.jpg", {0, {}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 7);
}

}  // namespace
}  // namespace mxinfer
