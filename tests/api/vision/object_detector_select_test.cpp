// Which of a network's rows become objects: classes, thresholds, suppression, landmarks, and the report of
// what became of the others.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "detector_networks.h"
#include "support/expect_error.h"

namespace mxinfer {
namespace {

const std::string kLabels =
    R"json(, "mxinfer_signature": ["str", "{\"version\": 1,)json"
    R"json(\"inputs\": [{\"name\": \"data\", \"shape\": [-1, 3, 10, 20]}], \"outputs\": [{\"name\": \"found\"}],)json"
    R"json(\"labels\": [\"cat\", \"dog\", \"2\"]}"])json";

// Two cats that overlap by 80 of 120, a dog, a thing called "2", and rows of each kind that are dropped.
const std::vector<float> kRowsToSelect = {0,  0.9f,  0,  0, 10, 10,  0, 0.8f, 2,  0, 12, 10,  //
                                          1,  0.7f,  0,  0, 10, 10,  2, 0.3f, 10, 0, 20, 10,  //
                                          -1, 0.99f, 0,  0, 9,  9,   1, NAN,  0,  0, 9,  9,   //
                                          0,  0.6f,  0,  0, 9,  NAN, 0, 0.6f, 5,  5, 5,  9,   //
                                          1,  0.6f,  30, 0, 40, 9,   1, -2,   0,  0, 9,  9};

Model animals() {
  return test::detector_network(kRowsToSelect, {false, 6, kLabels});
}

std::vector<std::string> labels_of(const std::vector<Detection>& found) {
  std::vector<std::string> labels;
  for (const Detection& detection : found) labels.push_back(detection.label);
  return labels;
}

using Names = std::vector<std::string>;

TEST(DetectOptions, ChooseClassesByLabelOrIndex) {
  const ObjectDetector detect(animals());
  const Image image = test::grey_image(20, 10);
  DetectOptions options;
  EXPECT_EQ(labels_of(detect.detect(image, options)), (Names{"cat", "cat", "dog"}));
  options.classes = {"dog"};
  EXPECT_EQ(labels_of(detect.detect(image, options)), Names{"dog"});
  options.classes = {"1", "cat"};
  EXPECT_EQ(detect.detect(image, options).size(), 3u);
  options.classes = {"2"};  // a label here
  EXPECT_TRUE(detect.detect(image, options).empty());
  options.score_threshold = 0.2f;
  EXPECT_EQ(labels_of(detect.detect(image, options)), Names{"2"});
  options.classes = {"dgo"};
  EXPECT_MXINFER_ERROR(detect.detect(image, options), ErrorCode::invalid_argument,
                       {"classes", "'dgo'", "did you mean 'dog'", "'cat', 'dog' or '2'"});
  options.classes = {"3"};
  EXPECT_MXINFER_ERROR(detect.detect(image, options), ErrorCode::invalid_argument, {"'3'", "'cat'"});

  const ObjectDetector nameless(test::detector_network(kRowsToSelect));
  EXPECT_EQ(labels_of(nameless.detect(image, {0.5f, {}, {"1"}})), Names{"1"});
  EXPECT_TRUE(nameless.detect(image, {0.5f, {}, {"77"}}).empty());
  EXPECT_MXINFER_ERROR(nameless.detect(image, {0.5f, {}, {"dog"}}), ErrorCode::invalid_argument,
                       {"'dog'", "no labels"});
}

TEST(DetectOptions, GiveSingleClassesAThresholdOfTheirOwn) {
  const ObjectDetector detect(animals());
  const Image image = test::grey_image(20, 10);
  DetectOptions options;
  options.class_thresholds = {{"2", 0.1f}, {"cat", 0.85f}};
  EXPECT_EQ(labels_of(detect.detect(image, options)), (Names{"cat", "dog", "2"}));
  options.class_thresholds = {{"horse", 0.1f}};
  EXPECT_MXINFER_ERROR(detect.detect(image, options), ErrorCode::invalid_argument,
                       {"class_thresholds", "'horse'"});
  options.class_thresholds = {{"cat", NAN}};
  EXPECT_MXINFER_ERROR(detect.detect(image, options), ErrorCode::invalid_argument, {"'cat'", "not a number"});
}

TEST(DetectOptions, SuppressBeforeTheyCount) {
  const ObjectDetector detect(animals());
  const Image image = test::grey_image(40, 40);
  DetectOptions options;
  options.nms.emplace();
  EXPECT_EQ(labels_of(detect.detect(image, options)), (Names{"cat", "dog"}));
  options.max_detections = 2;
  EXPECT_EQ(labels_of(detect.detect(image, options)), (Names{"cat", "dog"}));
  options.nms->across = SuppressAcross::all_classes;
  EXPECT_EQ(labels_of(detect.detect(image, options)), Names{"cat"});
  options.nms->across = SuppressAcross::same_class;
  options.nms->method = NmsMethod::linear;  // 0.8 * (1 - 2 / 3) is less than 0.5
  EXPECT_EQ(labels_of(detect.detect(image, options)), (Names{"cat", "dog"}));
  options.class_thresholds = {{"cat", 0.2f}};
  options.max_detections.reset();
  const auto found = detect.detect(image, options);
  ASSERT_EQ(labels_of(found), (Names{"cat", "dog", "cat"}));
  EXPECT_NEAR(found[2].score, 0.8f / 3, 1e-6);
  EXPECT_EQ(found[2].box.left, 4);
  options.nms->sigma = -1;
  EXPECT_MXINFER_ERROR(detect.detect(image, options), ErrorCode::invalid_argument,
                       {"DetectOptions::nms.sigma"});
}

TEST(DetectReport, CountsWhatBecameOfEveryRow) {
  const ObjectDetector detect(animals());
  DetectOptions options;
  options.nms.emplace();
  options.max_detections = 1;
  const DetectReport report = detect.report(test::grey_image(20, 10), options);
  EXPECT_EQ(report.rows, 10);
  EXPECT_EQ(report.candidates, 9);
  EXPECT_EQ(labels_of(report.detections), Names{"cat"});
  EXPECT_EQ(report.nan_scores, 1);
  EXPECT_EQ(report.other_classes, 0);
  EXPECT_EQ(report.below_threshold, 2);
  EXPECT_EQ(report.nan_boxes, 1);
  EXPECT_EQ(report.empty_boxes, 1);
  EXPECT_EQ(report.outside, 1);
  EXPECT_EQ(report.suppressed, 1);
  EXPECT_EQ(report.beyond_most, 1);
  EXPECT_EQ(report.histogram, (std::array<std::int64_t, 10>{1, 0, 0, 1, 0, 0, 3, 1, 1, 1}));
  ASSERT_EQ(report.best.size(), 3u);
  EXPECT_EQ(report.best[0].label, "cat");
  EXPECT_EQ(report.best[0].score, 0.9f);
  EXPECT_EQ(report.best[2].index, 2);
  EXPECT_EQ(
      to_string(report),
      "1 of 9 candidates is left: 2 score too low (the best of them 0.3, '2'; the threshold is 0.5), 1 score "
      "NaN, 1 have boxes of NaN or infinity, 1 have boxes without area, 1 are outside the image, 1 "
      "were suppressed by better ones, 1 are more than max_detections");
}

TEST(DetectReport, SaysWhyNothingIsLeft) {
  const Image image = test::grey_image(20, 10);
  DetectOptions options;
  options.score_threshold = 0.95f;
  options.classes = {"0"};
  const ObjectDetector cats(test::detector_network({0, 0.31f, 0, 0, 5, 5, 1, 0.99f, 0, 0, 5, 5}));
  const DetectReport report = cats.report(image, options);
  EXPECT_TRUE(report.detections.empty());
  EXPECT_EQ(to_string(report),
            "0 of 2 candidates are left: 1 score too low (the best of them 0.31, '0'; the threshold is "
            "0.95), 1 are of "
            "classes that were not requested");
  const ObjectDetector none(test::detector_network({-1, -1, 0, 0, 0, 0}));
  EXPECT_EQ(to_string(none.report(image)),
            "none of the network's 1 row is an object: their class is below 0 or not a number");
  const std::string file = MXINFER_SOURCE_DIR "/examples/images/seven.jpg";
  EXPECT_EQ(cats.report_file(file, options).candidates, 2);
  EXPECT_MXINFER_ERROR(cats.report_bytes(std::string_view("no image")), ErrorCode::malformed, {"JPEG"});
  EXPECT_MXINFER_ERROR(cats.report_file("/nowhere.jpg"), ErrorCode::not_found, {"/nowhere.jpg"});
}

// The landmarks of a face, led back through a letterbox and not cut.
TEST(ObjectDetector, LeadsLandmarksBack) {
  const std::string meanings =
      R"json(, "mxinfer_signature": ["str", "{\"version\": 1,)json"
      R"json(\"inputs\": [{\"name\": \"data\", \"shape\": [-1, 3, 10, 20]}], \"outputs\": [)json"
      R"json({\"name\": \"a\", \"meaning\": \"ids\"}, {\"name\": \"b\", \"meaning\": \"scores\"},)json"
      R"json({\"name\": \"c\", \"meaning\": \"boxes\"}, {\"name\": \"d\", \"meaning\": \"landmarks\"}]}"])json";
  const auto model = test::detector_network({0, 0.9f, 10, 0, 12, 10, 11, 5, 0, 20}, {true, 10, meanings});
  DetectorOptions options;
  options.preprocess.resize = ResizePolicy::letterbox;  // 100 x 100 becomes 10 x 10 at x = 5
  const auto found = ObjectDetector(model, options).detect(test::grey_image(100, 100));
  ASSERT_EQ(found.size(), 1u);
  ASSERT_EQ(found[0].landmarks.size(), 2u);
  EXPECT_NEAR(found[0].landmarks[0].x, 60, 1e-4);
  EXPECT_NEAR(found[0].landmarks[0].y, 50, 1e-4);
  EXPECT_NEAR(found[0].landmarks[1].x, -50, 1e-4);
  EXPECT_NEAR(found[0].landmarks[1].y, 200, 1e-4);
}

}  // namespace
}  // namespace mxinfer
