#include "vision/detect/suppress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "base/fail.h"
#include "kernels/boxes/overlap-inl.h"
#include "kernels/nms/suppress_boxes.h"

namespace mxinfer::api {
namespace {

using kernels::CornerBox;

CornerBox<float> corners_of(const Box& box) {
  const float numbers[] = {box.left, box.top, box.right, box.bottom};
  return kernels::corner_box<float>(numbers, kernels::BoxFormat::corner);
}

std::int64_t most_of(const NmsOptions& options, std::size_t count) {
  const auto all = static_cast<std::int64_t>(count);
  return options.max_detections ? std::min<std::int64_t>(all, *options.max_detections) : all;
}

/// Soft-NMS, lazily: when a box is the best of the remaining ones, its score is lowered by all boxes kept
/// since its last update. Scores only fall, so a box whose updated score is still the highest is the next
/// one, and boxes that never reach the top cost nothing.
class SoftSuppression {
 public:
  SoftSuppression(const ScoredBoxes& boxes, const NmsOptions& options) : given_(boxes), options_(options) {
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i) {
      // Written so that NaN is left out.
      if (boxes.scores[i] >= options.score_threshold) left_.push({boxes.scores[i], i, 0});
    }
  }

  std::vector<KeptBox> run() {
    const auto most = static_cast<std::size_t>(most_of(options_, given_.boxes.size()));
    std::vector<KeptBox> result;
    while (!left_.empty() && result.size() < most) {
      Waiting best = left_.top();
      left_.pop();
      const float before = best.score;
      lower(best);
      if (!(best.score >= options_.score_threshold)) continue;
      if (best.score < before) {
        left_.push(best);
        continue;
      }
      result.push_back({best.index, best.score});
      kept_.push_back({corners_of(given_.boxes[best.index]), id_of(best.index)});
    }
    return result;
  }

 private:
  struct Waiting {
    float score;
    std::size_t index;
    std::size_t seen;  ///< the number of kept boxes that have lowered the score
    friend bool operator<(const Waiting& a, const Waiting& b) {  // the last one is the best
      return a.score != b.score ? a.score < b.score : a.index > b.index;
    }
  };
  struct Kept {
    CornerBox<float> box;
    std::int32_t id;
  };

  std::int32_t id_of(std::size_t index) const { return given_.ids.empty() ? 0 : given_.ids[index]; }

  void lower(Waiting& waiting) const {
    const CornerBox<float> box = corners_of(given_.boxes[waiting.index]);
    const std::int32_t id = id_of(waiting.index);
    for (; waiting.seen < kept_.size(); ++waiting.seen) {
      const Kept& better = kept_[waiting.seen];
      if (better.id == id) waiting.score *= factor(overlap(better.box, box));
    }
  }

  float overlap(const CornerBox<float>& a, const CornerBox<float>& b) const {
    const float shared = kernels::shared_area(a, b);
    if (!(shared > 0)) return 0;
    const bool of_smaller = options_.overlap == SuppressOverlap::min;
    return shared / (of_smaller ? std::min(a.area, b.area) : a.area + b.area - shared);
  }

  float factor(float overlap) const {
    if (!(overlap > 0)) return 1;  // NaN too
    if (options_.method == NmsMethod::gaussian) return std::exp(-overlap * overlap / options_.sigma);
    return overlap > options_.iou_threshold ? std::max(0.0f, 1 - overlap) : 1;
  }

  const ScoredBoxes& given_;
  const NmsOptions& options_;
  std::priority_queue<Waiting> left_;
  std::vector<Kept> kept_;
};

/// Positions with a sufficient score by descending score; a stable sort.
std::vector<std::size_t> by_score(Span<const float> scores, float least) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] >= least) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  return order;
}

}  // namespace

void check_nms_options(const NmsOptions& options, const char* where) {
  const auto reject = [&](const char* member, float value, const char* expected) {
    fail(ErrorCode::invalid_argument, where, member, " is ", value, "; ", expected);
  };
  if (!(options.iou_threshold >= 0 && options.iou_threshold <= 1))
    reject("iou_threshold", options.iou_threshold,
           "give the fraction of their area that boxes may share, 0 to 1");
  if (!(options.sigma > 0 && std::isfinite(options.sigma)))
    reject("sigma", options.sigma, "give a number above 0, such as 0.5");
  const bool soft = options.method != NmsMethod::hard;
  if (std::isnan(options.score_threshold) || (soft && options.score_threshold < 0))
    reject("score_threshold", options.score_threshold, "give a number, and for soft suppression at least 0");
  if (options.max_detections && *options.max_detections < 1)
    fail(ErrorCode::invalid_argument, where, "max_detections is ", *options.max_detections,
         "; give at least 1");
}

std::vector<std::size_t> suppress_in_order(const ScoredBoxes& boxes, const std::vector<std::size_t>& order,
                                           const NmsOptions& options) {
  std::vector<CornerBox<float>> visited;
  std::vector<std::int32_t> ids;
  for (const std::size_t i : order) {
    visited.push_back(corners_of(boxes.boxes[i]));
    if (!boxes.ids.empty()) ids.push_back(boxes.ids[i]);
  }
  kernels::SuppressArgs<float> args;
  args.boxes = visited.data();
  args.ids = ids.empty() ? nullptr : ids.data();
  args.count = static_cast<std::int64_t>(order.size());
  args.most = most_of(options, order.size());
  args.limit = options.iou_threshold;
  args.rule = options.overlap == SuppressOverlap::min ? kernels::OverlapRule::smaller_above
                                                      : kernels::OverlapRule::above;
  std::vector<float> memory(kernels::suppress_boxes_bytes<float>(args.most) / sizeof(float));
  std::vector<std::int32_t> kept(static_cast<std::size_t>(args.most));
  args.memory = reinterpret_cast<std::byte*>(memory.data());
  args.kept = kept.data();
  // Every target keeps the same boxes.
  kept.resize(static_cast<std::size_t>(kernels::select_suppress_boxes(kernels::best_target())(args)));
  std::vector<std::size_t> result;
  for (const std::int32_t position : kept) result.push_back(order[static_cast<std::size_t>(position)]);
  return result;
}

std::vector<KeptBox> suppress(const ScoredBoxes& boxes, const NmsOptions& options) {
  if (options.method != NmsMethod::hard) return SoftSuppression(boxes, options).run();
  std::vector<KeptBox> result;
  const std::vector<std::size_t> order = by_score(boxes.scores, options.score_threshold);
  for (const std::size_t i : suppress_in_order(boxes, order, options)) result.push_back({i, boxes.scores[i]});
  return result;
}

}  // namespace mxinfer::api
