// Objects in images: which outputs are read as detections, and where their boxes are in the image.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/params_writer.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

// Takes images of 20 x 10 pixels and gives the same rows (id, score, left, top, right, bottom) for each: as
// one output, or cut into ids, scores and boxes.
Model detector(const std::vector<float>& rows, bool cut = false, std::int64_t width = 6) {
  const auto count = static_cast<std::int64_t>(rows.size()) / width;
  const auto columns = [](const char* name, int begin, int end) {
    return R"json({"op": "slice_axis", "name": ")json" + std::string(name) +
           R"json(", "attrs": {"axis": "2", "begin": ")json" + std::to_string(begin) +
           R"json(", "end": ")json" + std::to_string(end) + R"json("}, "inputs": [[5, 0, 0]]})json";
  };
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 10, 20)"}, "inputs": []},
    {"op": "null", "name": "rows", "inputs": []},
    {"op": "mean", "name": "mean", "attrs": {"axis": "(1, 2, 3)"}, "inputs": [[0, 0, 0]]},
    {"op": "_mul_scalar", "name": "none", "attrs": {"scalar": "0"}, "inputs": [[2, 0, 0]]},
    {"op": "Reshape", "name": "batch", "attrs": {"shape": "(-1, 1, 1)"}, "inputs": [[3, 0, 0]]},
    {"op": "broadcast_add", "name": "found", "inputs": [[4, 0, 0], [1, 0, 0]]},
    )json" + columns("ids", 0, 1) +
                           ", " + columns("scores", 1, 2) + ", " + columns("boxes", 2, 6) +
                           R"json(], "arg_nodes": [0, 1], "heads": )json" +
                           (cut ? "[[6, 0, 0], [7, 0, 0], [8, 0, 0]]" : "[[5, 0, 0]]") +
                           R"json(, "attrs": {"mxnet_version": ["int", 10901]}})json";
  test::ParamsWriter params;
  params.add("arg:rows", test::dense_v2(DType::float32, {1, count, width}, test::floats(rows)));
  const std::vector<std::byte> bytes = params.finish();
  return Model::load_memory(Span<const char>(json),
                            {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

Image image_of(int width, int height) {
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3), 100);
  return Image(width, height, 3, Span<const std::uint8_t>(pixels));
}

void expect_box(const Box& box, float left, float top, float right, float bottom) {
  EXPECT_NEAR(box.left, left, 1e-4);
  EXPECT_NEAR(box.top, top, 1e-4);
  EXPECT_NEAR(box.right, right, 1e-4);
  EXPECT_NEAR(box.bottom, bottom, 1e-4);
}

const std::vector<float> kRows = {2, 0.6f, 2, 1, 10, 5, 0, 0.9f, 4, 2, 8, 6, -1, 0.95f, 0, 0, 1, 1,
                                  1, 0.3f, 2, 2, 4,  4, 1, 0.7f, 8, 8, 4, 4, 1,  NAN,   1, 1, 2, 2};

TEST(ObjectDetector, GivesTheBestFirstInPixelsOfTheImage) {
  for (const bool cut : {false, true}) {
    const ObjectDetector detect(detector(kRows, cut));
    const auto found = detect.detect(image_of(40, 40));  // twice as wide and four times as high
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].label, "0");
    EXPECT_EQ(found[0].score, 0.9f);
    expect_box(found[0].box, 8, 8, 16, 24);
    EXPECT_EQ(found[1].index, 2);
    expect_box(found[1].box, 4, 4, 20, 20);
    EXPECT_EQ(detect.detect(image_of(20, 10), {0.2f, {}}).size(), 3u);
    EXPECT_EQ(detect.detect(image_of(20, 10), {0.2f, 1}).size(), 1u);
  }
}

TEST(ObjectDetector, LeadsBoxesBackThroughThePreprocessing) {
  const auto model = detector({0, 1, 10, 0, 12, 10, 1, 0.9f, 0, 0, 20, 10});
  DetectorOptions options;
  options.preprocess.resize = ResizePolicy::letterbox;  // 100 x 100 becomes 10 x 10 at x = 5
  auto found = ObjectDetector(model, options).detect(image_of(100, 100));
  ASSERT_EQ(found.size(), 2u);
  expect_box(found[0].box, 50, 0, 70, 100);
  expect_box(found[1].box, 0, 0, 100, 100);  // cut at the edges

  options.preprocess.resize = ResizePolicy::short_side_crop;
  options.preprocess.resize_short = 20;  // 200 x 100 becomes 40 x 20, of which the middle 20 x 10 is taken
  found = ObjectDetector(model, options).detect(image_of(200, 100));
  ASSERT_EQ(found.size(), 2u);
  expect_box(found[0].box, 100, 25, 110, 75);
  expect_box(found[1].box, 50, 25, 150, 75);

  options.preprocess = {};
  options.units = BoxUnits::relative;
  const auto relative = detector({0, 1, 0.25f, 0.5f, 0.5f, 2});
  found = ObjectDetector(relative, options).detect(image_of(80, 40));
  ASSERT_EQ(found.size(), 1u);
  expect_box(found[0].box, 20, 20, 40, 40);
}

TEST(ObjectDetector, TakesBatchesOfImagesOfAnySize) {
  const ObjectDetector detect(detector(kRows));
  const std::vector<Image> images = {image_of(20, 10), Image(), image_of(200, 100)};
  EXPECT_MXINFER_ERROR(detect.detect_batch(Span<const Image>(images)), ErrorCode::invalid_argument,
                       {"image 1", "empty"});
  std::vector<ItemError> errors;
  const auto found = detect.detect_batch(Span<const Image>(images), {}, &errors);
  ASSERT_EQ(found.size(), 3u);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].item, 1u);
  EXPECT_TRUE(found[1].empty());
  expect_box(found[0][0].box, 4, 2, 8, 6);
  expect_box(found[2][0].box, 40, 20, 80, 60);
  const auto files =
      detect.detect_files({"/nowhere.jpg", MXINFER_SOURCE_DIR "/examples/images/seven.jpg"}, {}, &errors);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_TRUE(files[0].empty());
  EXPECT_EQ(files[1].size(), 2u);
  EXPECT_TRUE(detect.detect_batch({}).empty());
}

TEST(ObjectDetector, RefusesWhatGivesNoDetections) {
  const ObjectDetector narrow(detector({1, 2, 3, 4, 5}, false, 5));
  EXPECT_MXINFER_ERROR(narrow.detect(image_of(4, 4)), ErrorCode::invalid_argument,
                       {"(1, 1, 5)", "(batch, rows, 6)"});
  const ObjectDetector detect(detector(kRows));
  EXPECT_MXINFER_ERROR(detect.detect(image_of(4, 4), {0.5f, 0}), ErrorCode::invalid_argument,
                       {"max_detections is 0"});
  EXPECT_MXINFER_ERROR(detect.detect(image_of(4, 4), {NAN, {}}), ErrorCode::invalid_argument,
                       {"score_threshold"});
}

TEST(ObjectDetector, SaysOfAClassifierThatItHasNoBoxes) {
  for (const std::string name : {"digits.mxz", "digits"}) {
    EXPECT_MXINFER_ERROR(ObjectDetector(MXINFER_SOURCE_DIR "/models/" + name), ErrorCode::invalid_argument,
                         {"no boxes", "(-1, 10)", "ImageClassifier"});
  }
}

TEST(ObjectDetector, ReadsTheDetectionsOfATrainingGraph) {
  const std::string folder = MXINFER_SOURCE_DIR "/tests/golden/ssd/ssd";
  DetectorOptions options;
  options.height = options.width = 48;
  const ObjectDetector detect(Model::load_files(folder + "-symbol.json", folder + "-0000.params"), options);
  const Image image = image_of(96, 48);
  std::vector<float> data(3 * 48 * 48, 100.0f);
  const Tensor rows = std::move(detect.predict({TensorView(data.data(), Shape{1, 3, 48, 48})})[0]);
  const float* first = rows.data<float>();
  while (first[0] < 0 || first[4] <= first[2] || first[5] <= first[3]) first += 6;  // those have no area
  const auto found = detect.detect(image, {0.0f, {}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(static_cast<float>(found[0].index), first[0]);
  EXPECT_EQ(found[0].score, first[1]);
  expect_box(found[0].box, first[2] * 96, first[3] * 48, first[4] * 96, first[5] * 48);
}

}  // namespace
}  // namespace mxinfer
