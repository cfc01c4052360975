#include <mxinfer/vision/nms.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.h"

namespace mxinfer {
namespace {

float area(const Box& box) {
  return std::max(box.right - box.left, 0.0f) * std::max(box.bottom - box.top, 0.0f);
}

void check_threshold(float iou_threshold) {
  if (iou_threshold >= 0 && iou_threshold <= 1) return;
  fail(ErrorCode::invalid_argument, "the threshold of non_max_suppression is ", iou_threshold,
       "; give a part of the area that boxes may share, 0 to 1");
}

// Positions by falling score, NaN last, equal ones in their order.
template <typename ScoreOf>
std::vector<std::size_t> by_score(std::size_t count, const ScoreOf& score_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const float left = score_of(a), right = score_of(b);
    return std::isnan(right) ? !std::isnan(left) : left > right;
  });
  return order;
}

// The positions of `order` that no better one suppresses.
template <typename Suppresses>
std::vector<std::size_t> keep(const std::vector<std::size_t>& order, const Suppresses& suppresses) {
  std::vector<std::size_t> kept;
  for (const std::size_t candidate : order) {
    const bool is_suppressed = std::any_of(kept.begin(), kept.end(),
                                           [&](std::size_t better) { return suppresses(better, candidate); });
    if (!is_suppressed) kept.push_back(candidate);
  }
  return kept;
}

}  // namespace

float MXINFER_ABI::intersection_over_union(const Box& a, const Box& b) noexcept {
  const Box both{std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
                 std::min(a.bottom, b.bottom)};
  const float shared = area(both), all = area(a) + area(b) - shared;
  return all > 0 ? shared / all : 0;
}

std::vector<Detection> MXINFER_ABI::non_max_suppression(Span<const Detection> detections, float iou_threshold,
                                                        SuppressAcross across) try {
  check_threshold(iou_threshold);
  const auto order = by_score(detections.size(), [&](std::size_t i) { return detections[i].score; });
  const auto suppresses = [&](std::size_t better, std::size_t other) {
    const Detection &a = detections[better], &b = detections[other];
    return (across == SuppressAcross::all_classes || a.index == b.index) &&
           intersection_over_union(a.box, b.box) > iou_threshold;
  };
  std::vector<Detection> result;
  for (const std::size_t i : keep(order, suppresses)) result.push_back(detections[i]);
  return result;
} catch (...) {
  throw_as_error();
}

std::vector<std::size_t> MXINFER_ABI::non_max_suppression(Span<const Box> boxes, Span<const float> scores,
                                                          float iou_threshold) try {
  check_threshold(iou_threshold);
  if (boxes.size() != scores.size()) {
    fail(ErrorCode::invalid_argument, "non_max_suppression was given ", boxes.size(), " boxes and ",
         scores.size(), " scores; give one score for each box");
  }
  const auto order = by_score(boxes.size(), [&](std::size_t i) { return scores[i]; });
  return keep(order, [&](std::size_t better, std::size_t other) {
    return intersection_over_union(boxes[better], boxes[other]) > iou_threshold;
  });
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
