// The bundled digit detector on scenes of digits that its training never saw: what MXNet finds in them, and
// what is there. models/digit_detector/record.py recorded both.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "api/vision/digit_scenes.h"
#include "formats/arrays/npz.h"

namespace mxinfer {
namespace {

using namespace digit_scenes;

constexpr float kSceneSide = 300;  // of every scene, in pixels

/// What MXNet found that scores at least `least_score`, the best first, in pixels.
std::vector<Detection> recorded(const Tensor& rows, float least_score) {
  std::vector<Detection> found;
  for (std::int64_t i = 0; i < rows.shape()[0]; ++i) {
    const float* row = rows.data<float>() + i * 6;
    if (row[1] < least_score) continue;
    Detection& detection = found.emplace_back();
    detection.label = std::to_string(static_cast<int>(row[0]));
    detection.score = row[1];
    detection.box = {row[2] * kSceneSide, row[3] * kSceneSide, row[4] * kSceneSide, row[5] * kSceneSide};
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Detection& a, const Detection& b) { return a.score > b.score; });
  return found;
}

TEST(DigitDetector, GivesWhatMXNetGives) {
  const Scenes truth = read_truth();
  const Scenes found = detect_all(truth, 0.05f);
  std::size_t scenes = 0;
  for (const auto& array : formats::load_npz(kScenes + "mxnet.npz")) {
    const std::string name = array.name + ".jpg";
    SCOPED_TRACE(name);
    ++scenes;
    const std::vector<Detection> expected = recorded(array.tensor, 0.05f);
    const std::vector<Detection>& given = found.at(name);
    ASSERT_EQ(given.size(), expected.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
      SCOPED_TRACE(i);
      EXPECT_EQ(given[i].label, expected[i].label);
      EXPECT_NEAR(given[i].score, expected[i].score, 1e-4);
      EXPECT_NEAR(given[i].box.left, expected[i].box.left, 0.01);
      EXPECT_NEAR(given[i].box.top, expected[i].box.top, 0.01);
      EXPECT_NEAR(given[i].box.right, expected[i].box.right, 0.01);
      EXPECT_NEAR(given[i].box.bottom, expected[i].box.bottom, 0.01);
    }
  }
  EXPECT_EQ(scenes, truth.size());
  EXPECT_EQ(scenes, 12u);
}

// Nothing is said of the model: its files say what it takes, and what its classes are called.
TEST(DigitDetector, FindsTheDigits) {
  std::size_t objects = 0, detections = 0, right = 0;
  Scenes truth = read_truth();
  for (const auto& [name, found] : detect_all(truth, 0.5f)) {
    std::vector<Detection>& there = truth.at(name);
    objects += there.size();
    detections += found.size();
    for (const Detection& detection : found) right += take_object(detection, there) ? 1 : 0;
  }
  std::cout << detections << " detections of " << objects << " digits, " << right << " right\n";
  EXPECT_GE(objects, 30u);
  EXPECT_GE(static_cast<double>(right), 0.8 * static_cast<double>(objects));
  EXPECT_GE(static_cast<double>(right), 0.8 * static_cast<double>(detections));
}

TEST(DigitDetector, HasAMeanAveragePrecisionAbove85Percent) {
  const Scenes truth = read_truth();
  const Scenes found = detect_all(truth, 0.01f);
  const double mean = mean_average_precision(truth, found);
  std::cout << "mAP " << mean << '\n';
  EXPECT_GT(mean, 0.85);
}

TEST(DigitDetector, TakesPicturesOfOtherSizes) {
  const ObjectDetector detector(kDetector);
  const Image scene = read_image(kScenes + "00.jpg");
  const auto large = detector.detect(resize_image(scene, 600, 450, Interpolation::linear));
  const auto small = detector.detect(scene);
  ASSERT_FALSE(small.empty());
  ASSERT_FALSE(large.empty());
  EXPECT_EQ(large[0].label, small[0].label);
  EXPECT_NEAR(large[0].box.right, 2 * small[0].box.right, 12);
  EXPECT_NEAR(large[0].box.bottom, 1.5 * small[0].box.bottom, 12);
}

}  // namespace
}  // namespace mxinfer
