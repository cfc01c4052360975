// The scenes of models/digit_detector, what is in them, and how well a detector finds it.
#pragma once

#include <mxinfer/vision/object_detector.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer::digit_scenes {

inline const std::string kDetector = MXINFER_SOURCE_DIR "/models/digit_detector";
inline const std::string kScenes = kDetector + "/scenes/";

/// By the name of the scene's file.
using Scenes = std::map<std::string, std::vector<Detection>>;

inline Scenes read_truth() {
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

inline Scenes detect_all(const Scenes& truth, float least_score, const std::string& model = kDetector) {
  const ObjectDetector detector(model);
  DetectOptions options;
  options.score_threshold = least_score;
  Scenes scenes;
  for (const auto& [name, objects] : truth) scenes[name] = detector.detect_file(kScenes + name, options);
  return scenes;
}

inline float overlap(const Box& a, const Box& b) {
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const auto area = [](const Box& box) { return (box.right - box.left) * (box.bottom - box.top); };
  return width * height / (area(a) + area(b) - width * height);
}

/// Whether a detection finds an object that none before it has found, which is then taken away.
inline bool take_object(const Detection& found, std::vector<Detection>& objects) {
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
inline double average_precision(const Scenes& found, Scenes objects, std::size_t count) {
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

inline Scenes only(const Scenes& scenes, const std::string& label, std::size_t& count) {
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

/// Of all digits that are in the scenes.
inline double mean_average_precision(const Scenes& truth, const Scenes& found) {
  double sum = 0;
  int classes = 0;
  for (int digit = 0; digit < 10; ++digit) {
    std::size_t count = 0, ignored = 0;
    const Scenes objects = only(truth, std::to_string(digit), count);
    if (count == 0) continue;
    ++classes;
    sum += average_precision(only(found, std::to_string(digit), ignored), objects, count);
  }
  return classes >= 8 ? sum / classes : 0;
}

}  // namespace mxinfer::digit_scenes
