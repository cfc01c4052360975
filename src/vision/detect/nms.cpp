#include <mxinfer/vision/nms.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/fail.h"
#include "vision/detect/suppress.h"

namespace mxinfer {
namespace {

constexpr const char* kOptions = "NmsOptions::";

float area(const Box& box) {
  return std::max(box.right - box.left, 0.0f) * std::max(box.bottom - box.top, 0.0f);
}

float shared_area(const Box& a, const Box& b) {
  return area({std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
               std::min(a.bottom, b.bottom)});
}

void check_threshold(float iou_threshold) {
  if (iou_threshold >= 0 && iou_threshold <= 1) return;
  fail(ErrorCode::invalid_argument, "the threshold of non_max_suppression is ", iou_threshold,
       "; give the fraction of their area that boxes may share, 0 to 1");
}

void check_counts(std::size_t boxes, std::size_t scores) {
  if (boxes != scores) {
    fail(ErrorCode::invalid_argument, "non_max_suppression was given ", boxes, " boxes and ", scores,
         " scores; give one score for each box");
  }
  if (boxes > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    fail(ErrorCode::unsupported, boxes, " boxes are more than non_max_suppression can count");
}

// Positions by descending score, NaN last; a stable sort.
std::vector<std::size_t> by_score(Span<const float> scores) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const float left = scores[a], right = scores[b];
    return std::isnan(right) ? !std::isnan(left) : left > right;
  });
  return order;
}

std::vector<std::size_t> keep(const api::ScoredBoxes& given, float iou_threshold) {
  NmsOptions options;
  options.iou_threshold = iou_threshold;
  return api::suppress_in_order(given, by_score(given.scores), options);
}

/// The numbers of detections as arrays.
struct Arrays {
  Arrays(Span<const Detection> detections, SuppressAcross across) {
    check_counts(detections.size(), detections.size());
    for (const Detection& detection : detections) {
      boxes.push_back(detection.box);
      scores.push_back(detection.score);
      if (across == SuppressAcross::same_class) ids.push_back(detection.index);
    }
  }
  api::ScoredBoxes view() const { return {boxes, scores, ids}; }

  std::vector<Box> boxes;
  std::vector<float> scores;
  std::vector<std::int32_t> ids;
};

}  // namespace

float MXINFER_ABI::intersection_over_union(const Box& a, const Box& b) noexcept {
  const float shared = shared_area(a, b), all = area(a) + area(b) - shared;
  return all > 0 ? shared / all : 0;
}

float MXINFER_ABI::intersection_over_smaller(const Box& a, const Box& b) noexcept {
  const float smaller = std::min(area(a), area(b)), part = shared_area(a, b) / smaller;
  return smaller > 0 && part <= 1 ? part : 0;  // areas may overflow float
}

std::vector<Detection> MXINFER_ABI::non_max_suppression(Span<const Detection> detections, float iou_threshold,
                                                        SuppressAcross across) try {
  check_threshold(iou_threshold);
  const Arrays arrays(detections, across);
  std::vector<Detection> result;
  for (const std::size_t i : keep(arrays.view(), iou_threshold)) result.push_back(detections[i]);
  return result;
} catch (...) {
  throw_as_error();
}

std::vector<std::size_t> MXINFER_ABI::non_max_suppression(Span<const Box> boxes, Span<const float> scores,
                                                          float iou_threshold) try {
  check_threshold(iou_threshold);
  check_counts(boxes.size(), scores.size());
  return keep({boxes, scores, {}}, iou_threshold);
} catch (...) {
  throw_as_error();
}

std::vector<Detection> MXINFER_ABI::non_max_suppression(Span<const Detection> detections,
                                                        const NmsOptions& options) try {
  api::check_nms_options(options, kOptions);
  const Arrays arrays(detections, options.across);
  std::vector<Detection> result;
  for (const KeptBox& kept : api::suppress(arrays.view(), options)) {
    result.push_back(detections[kept.index]);
    result.back().score = kept.score;
  }
  return result;
} catch (...) {
  throw_as_error();
}

std::vector<KeptBox> MXINFER_ABI::non_max_suppression(Span<const Box> boxes, Span<const float> scores,
                                                      const NmsOptions& options) try {
  api::check_nms_options(options, kOptions);
  check_counts(boxes.size(), scores.size());
  return api::suppress({boxes, scores, {}}, options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
