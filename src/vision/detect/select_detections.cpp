#include "vision/detect/select_detections.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/fail.h"
#include "model/label_of.h"
#include "vision/detect/box_checks.h"
#include "vision/detect/suppress.h"

namespace mxinfer::api {
namespace {

std::size_t bin_of(float score) {
  return static_cast<std::size_t>(std::clamp(score * 10, 0.0f, 9.0f));
}

bool scores_more(const Detection& a, const Detection& b) {
  return a.score > b.score;
}

}  // namespace

bool Selection::takes(int index, float score) {
  ++report_.candidates;
  if (std::isnan(score)) {
    ++report_.nan_scores;
    return false;
  }
  const auto [best, is_new] = best_.try_emplace(index, score);
  if (!is_new) best->second = std::max(best->second, score);
  if (!rules_.wants(index)) {
    ++report_.other_classes;
    return false;
  }
  ++report_.histogram[bin_of(score)];
  const float wanted = rules_.threshold(index);
  if (score >= wanted) return true;
  ++report_.below_threshold;
  const bool is_nearest = report_.below_threshold == 1 || score > report_.best_below.score;
  if (is_nearest) {
    report_.best_below = {{}, score, index};
    report_.score_threshold = wanted;
  }
  return false;
}

DetectReport Selection::finish(std::vector<Detection> taken, const ImageMap& map) {
  std::stable_sort(taken.begin(), taken.end(), scores_more);
  std::vector<Box> before;
  std::vector<Detection> found = inside(std::move(taken), map, before);
  if (options_.nms) found = suppressed(std::move(found), before);
  if (options_.max_detections) {
    const std::size_t most = static_cast<std::size_t>(*options_.max_detections);
    report_.beyond_most = static_cast<std::int64_t>(found.size() - std::min(found.size(), most));
    found.resize(std::min(found.size(), most));
  }
  for (Detection& detection : found) {
    if (detection.label.empty()) detection.label = label_of(model_, detection.index);
  }
  report_.detections = std::move(found);
  report_.best = best();
  if (report_.below_threshold > 0) {
    report_.best_below.label = label_of(model_, report_.best_below.index);
  } else {
    report_.score_threshold = options_.score_threshold;
  }
  return std::move(report_);
}

// Boxes and landmarks in pixels of the image; `before`: the boxes before clipping.
std::vector<Detection> Selection::inside(std::vector<Detection> taken, const ImageMap& map,
                                         std::vector<Box>& before) {
  std::vector<Detection> found;
  for (Detection& detection : taken) {
    const Box box = detection.box;
    if (!is_finite(box)) {
      ++report_.nan_boxes;
      continue;
    }
    detection.box = map.to_source(box);
    if (!has_area(detection.box)) {
      ++(has_area(box) ? report_.outside : report_.empty_boxes);
      continue;
    }
    for (Point& point : detection.landmarks) point = map.to_source(point);
    before.push_back(box);
    found.push_back(std::move(detection));
  }
  return found;
}

// Uses the boxes before clipping at the image's edges, which would change their overlap. Compares lowered
// scores with the thresholds again.
std::vector<Detection> Selection::suppressed(std::vector<Detection> found, const std::vector<Box>& boxes) {
  std::vector<float> scores;
  std::vector<std::int32_t> ids;
  for (const Detection& detection : found) {
    scores.push_back(detection.score);
    if (options_.nms->across == SuppressAcross::same_class) ids.push_back(detection.index);
  }
  std::vector<Detection> result;
  for (const KeptBox& kept : suppress({boxes, scores, ids}, *options_.nms)) {
    if (kept.score < rules_.threshold(found[kept.index].index)) continue;
    result.push_back(std::move(found[kept.index]));
    result.back().score = kept.score;
  }
  report_.suppressed = static_cast<std::int64_t>(found.size() - result.size());
  return result;
}

std::vector<Classification> Selection::best() const {
  std::vector<Classification> classes;
  for (const auto& [index, score] : best_) classes.push_back({label_of(model_, index), score, index});
  std::stable_sort(classes.begin(), classes.end(),
                   [](const Classification& a, const Classification& b) { return a.score > b.score; });
  return classes;
}

}  // namespace mxinfer::api
