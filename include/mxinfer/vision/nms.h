// Non-maximum suppression: removes boxes that overlap better ones, for networks that do not do this
// themselves.
//
//   std::vector<mxinfer::Detection> found = decode(predictor.predict({image}));   // of one image
//   for (const auto& kept : mxinfer::non_max_suppression(found, 0.4f)) std::cout << kept.box.left << '\n';
//
//   mxinfer::NmsOptions soft;
//   soft.method = mxinfer::NmsMethod::gaussian;                // lowers the scores of boxes that overlap
//   soft.score_threshold = 0.3f;
//   found = mxinfer::non_max_suppression(found, soft);
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/detections.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// Returns the area of the intersection divided by that of the union, 0 to 1. Returns 0 if both boxes are
/// empty.
[[nodiscard]] MXINFER_API float intersection_over_union(const Box& a, const Box& b) noexcept;

/// Returns the area of the intersection divided by that of the smaller box, 0 to 1. It is 1 if one box is
/// inside the other, and 0 if one is empty.
[[nodiscard]] MXINFER_API float intersection_over_smaller(const Box& a, const Box& b) noexcept;

/// Whether boxes of different classes (Detection::index) suppress each other.
enum class SuppressAcross { same_class, all_classes };

/// How the overlap of two boxes is measured.
enum class SuppressOverlap {
  iou,  ///< intersection_over_union
  min,  ///< intersection_over_smaller, as the cascades of MTCNN need it
};

/// What happens to a box that overlaps a better one.
enum class NmsMethod {
  hard,      ///< it is left out if the overlap is above iou_threshold
  linear,    ///< its score is multiplied by 1 - overlap if the overlap is above iou_threshold
  gaussian,  ///< its score is multiplied by exp(-overlap^2 / sigma), for any overlap
};

/// How overlapping boxes are suppressed.
struct NmsOptions {
  /// The overlap above which a box is suppressed, 0 to 1. No effect on `gaussian`.
  float iou_threshold = 0.5f;
  SuppressAcross across = SuppressAcross::same_class;
  NmsMethod method = NmsMethod::hard;
  float sigma = 0.5f;  ///< for `gaussian`; above 0
  /// Boxes with a lower score are left out, both before and after their score is lowered. At least 0 for
  /// `linear` and `gaussian`, which expect probabilities as scores.
  float score_threshold = 0;
  /// The most boxes of all classes together, best first. Not set: all.
  std::optional<int> max_detections{};
  SuppressOverlap overlap = SuppressOverlap::iou;
};

/// Returns the detections of one image without those that overlap a better one by more than `iou_threshold`.
/// The result is in descending order of score; equal scores keep their order, and NaN comes last. Boxes may
/// be in any units. Throws Error(invalid_argument) if the threshold is not in 0 to 1. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<Detection> non_max_suppression(
    Span<const Detection> detections, float iou_threshold,
    SuppressAcross across = SuppressAcross::same_class);

/// As above, for boxes of one class: returns the positions of the boxes that stay, in descending order of
/// score. Also throws Error(invalid_argument) if the numbers of boxes and scores differ.
[[nodiscard]] MXINFER_API std::vector<std::size_t> non_max_suppression(Span<const Box> boxes,
                                                                       Span<const float> scores,
                                                                       float iou_threshold);

/// Returns the detections that stay under the options, in descending order of score; equal scores keep their
/// order. `linear` and `gaussian` (soft-NMS) return lowered scores. Detections whose score is NaN are left
/// out. Throws Error(invalid_argument) if an option is out of its range. Thread-safe.
///
/// Soft-NMS takes the box with the highest score, lowers the scores of those that overlap it, and repeats
/// this with the boxes that are left.
[[nodiscard]] MXINFER_API std::vector<Detection> non_max_suppression(Span<const Detection> detections,
                                                                     const NmsOptions& options);

/// A box that stays.
struct KeptBox {
  std::size_t index = 0;  ///< its position in the given boxes
  float score = 0;        ///< lowered if the method lowers scores
};

/// As above, for boxes of one class; `across` has no effect. Also throws Error(invalid_argument) if the
/// numbers of boxes and scores differ.
[[nodiscard]] MXINFER_API std::vector<KeptBox> non_max_suppression(Span<const Box> boxes,
                                                                   Span<const float> scores,
                                                                   const NmsOptions& options);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
