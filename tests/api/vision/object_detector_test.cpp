// Objects in images: which outputs are read as detections, and where their boxes are in the image.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <cmath>
#include <string>
#include <vector>

#include "detector_networks.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

Model detector(const std::vector<float>& rows, bool cut = false, std::int64_t width = 6) {
  return test::detector_network(rows, {cut, width, {}});
}

Image image_of(int width, int height) {
  return test::grey_image(width, height);
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
                         {"no boxes", "(-1, 10)", "scores, not detections", "ImageClassifier"});
  }
}

TEST(ObjectDetector, TakesImagesAndInputsOfOnePixel) {
  const std::string folder = MXINFER_SOURCE_DIR "/tests/golden/ssd/ssd";
  const Model ssd = Model::load_files(folder + "-symbol.json", folder + "-0000.params");
  DetectorOptions options;
  options.height = options.width = 48;
  for (const Detection& found : ObjectDetector(ssd, options).detect(image_of(1, 1), {0.0f, {}})) {
    EXPECT_GE(found.box.left, 0);
    EXPECT_LE(found.box.right, 1);
    EXPECT_LT(found.box.top, found.box.bottom);
  }
  // Smaller than the steps in which the network looks: it computes what it can, or says what it lacks.
  options.height = options.width = 1;
  try {
    (void)ObjectDetector(ssd, options).detect(image_of(20, 10));
  } catch (const Error& e) {
    EXPECT_NE(e.code(), ErrorCode::internal) << e.what();
    EXPECT_NE(std::string(e.what()).find("node '"), std::string::npos) << e.what();
  }
}

TEST(ObjectDetector, TakesNetworksWithoutRows) {
  const ObjectDetector none(detector({}));
  EXPECT_TRUE(none.detect(image_of(4, 4)).empty());
  EXPECT_EQ(to_string(none.report(image_of(4, 4))), "the network gave no rows");
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
