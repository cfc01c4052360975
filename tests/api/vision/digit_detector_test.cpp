// The bundled digit detector on scenes of digits that its training never saw: what MXNet finds in them, and
// what is there. models/digit_detector/record.py recorded both.
#include <gtest/gtest.h>
#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "formats/arrays/npz.h"

namespace mxinfer {
namespace {

const std::string kDetector = MXINFER_SOURCE_DIR "/models/digit_detector";
const std::string kScenes = kDetector + "/scenes/";
constexpr float kSceneSide = 300;  // of every scene, in pixels

/// By the name of the scene's file.
using Scenes = std::map<std::string, std::vector<Detection>>;

Scenes read_truth() {
  std::ifstream file(kScenes + "truth.json");
  const auto json = nlohmann::json::parse(file);
  Scenes scenes;
  for (const auto& [name, objects] : json.items()) {
    for (const auto& object : objects) {
      const auto box = object.at("box").get<std::vector<float>>();
      Detection& digit = scenes[name].emplace_back();
      digit.label = object.at("label").get<std::string>();
      digit.box = {box.at(0), box.at(1), box.at(2), box.at(3)};
    }
  }
  return scenes;
}

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

Scenes detect_all(const Scenes& truth, float least_score) {
  const ObjectDetector detector(kDetector);
  DetectOptions options;
  options.score_threshold = least_score;
  Scenes scenes;
  for (const auto& [name, objects] : truth) scenes[name] = detector.detect_file(kScenes + name, options);
  return scenes;
}

float overlap(const Box& a, const Box& b) {
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const auto area = [](const Box& box) { return (box.right - box.left) * (box.bottom - box.top); };
  return width * height / (area(a) + area(b) - width * height);
}

/// Whether a detection finds an object that none before it has found, which is then taken away.
bool take_object(const Detection& found, std::vector<Detection>& objects) {
  const auto likeness = [&](const Detection& object) {
    return object.label == found.label ? overlap(found.box, object.box) : 0;
  };
  const auto best =
      std::max_element(objects.begin(), objects.end(),
                       [&](const Detection& a, const Detection& b) { return likeness(a) < likeness(b); });
  if (best == objects.end() || likeness(*best) <= 0.5f) return false;
  objects.erase(best);
  return true;
}

/// Of one class, in all scenes: the area under precision over recall, which is made to fall.
double average_precision(const Scenes& found, Scenes objects, std::size_t count) {
  std::vector<std::pair<const Detection*, std::string>> detections;
  for (const auto& [name, list] : found) {
    for (const Detection& detection : list) detections.emplace_back(&detection, name);
  }
  std::stable_sort(detections.begin(), detections.end(),
                   [](const auto& a, const auto& b) { return a.first->score > b.first->score; });
  std::vector<double> precision;  // wherever the recall grows
  std::size_t tried = 0;
  for (const auto& [detection, name] : detections) {
    ++tried;
    if (take_object(*detection, objects[name]))
      precision.push_back(static_cast<double>(precision.size() + 1) / static_cast<double>(tried));
  }
  double best = 0, sum = 0;
  for (auto at = precision.rbegin(); at != precision.rend(); ++at) sum += best = std::max(best, *at);
  return sum / static_cast<double>(count);
}

Scenes only(const Scenes& scenes, const std::string& label, std::size_t& count) {
  Scenes result;
  count = 0;
  for (const auto& [name, list] : scenes) {
    for (const Detection& object : list) {
      if (object.label != label) continue;
      result[name].push_back(object);
      ++count;
    }
  }
  return result;
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
  double sum = 0;
  int classes = 0;
  for (int digit = 0; digit < 10; ++digit) {
    std::size_t count = 0, ignored = 0;
    const Scenes objects = only(truth, std::to_string(digit), count);
    if (count == 0) continue;
    ++classes;
    sum += average_precision(only(found, std::to_string(digit), ignored), objects, count);
  }
  ASSERT_GE(classes, 8);
  std::cout << "mAP " << sum / classes << '\n';
  EXPECT_GT(sum / classes, 0.85);
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
