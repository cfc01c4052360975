// Non-maximum suppression, for networks whose outputs are boxes that still overlap.
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

/// The area that both boxes cover as a part of that which either covers, 0..1; 0 if both are empty.
[[nodiscard]] MXINFER_API float intersection_over_union(const Box& a, const Box& b) noexcept;

/// The area that both boxes cover as a part of the smaller one's, 0..1: 1 for a box inside of another. 0 if
/// one is empty.
[[nodiscard]] MXINFER_API float intersection_over_smaller(const Box& a, const Box& b) noexcept;

/// Whether boxes of different classes (Detection::index) suppress each other.
enum class SuppressAcross { same_class, all_classes };

/// How much two boxes overlap.
enum class SuppressOverlap {
  iou,  ///< intersection_over_union
  min,  ///< intersection_over_smaller, as the cascades of MTCNN want it
};

/// What happens to a box that overlaps a better one.
enum class NmsMethod {
  hard,      ///< above iou_threshold it is left out
  linear,    ///< above iou_threshold its score is multiplied by 1 - overlap
  gaussian,  ///< its score is multiplied by exp(-overlap^2 / sigma), whatever the threshold
};

struct NmsOptions {
  /// A part of the area, 0 to 1; no effect on `gaussian`.
  float iou_threshold = 0.5f;
  SuppressAcross across = SuppressAcross::same_class;
  NmsMethod method = NmsMethod::hard;
  float sigma = 0.5f;  ///< of `gaussian`, above 0
  /// Boxes that score less are left out, whether they did so at first or once their score is lowered. At
  /// least 0 for `linear` and `gaussian`, for which scores are probabilities.
  float score_threshold = 0;
  /// So many of all classes together, the best ones; all of them if empty.
  std::optional<int> max_detections{};
  SuppressOverlap overlap = SuppressOverlap::iou;
};

/// The detections of one image without those that overlap a better one by more than `iou_threshold`, by
/// falling score, equal ones in their order. Scores that are NaN come last. Boxes may be in any units. Throws
/// Error(invalid_argument) for a threshold that is not in 0..1. Thread-safe.
[[nodiscard]] MXINFER_API std::vector<Detection> non_max_suppression(
    Span<const Detection> detections, float iou_threshold,
    SuppressAcross across = SuppressAcross::same_class);

/// The same on arrays of one class: the positions of the boxes that stay, by falling score. Also
/// Error(invalid_argument) if the numbers of boxes and scores differ.
[[nodiscard]] MXINFER_API std::vector<std::size_t> non_max_suppression(Span<const Box> boxes,
                                                                       Span<const float> scores,
                                                                       float iou_threshold);

/// As the options say: the detections that stay, by falling score, equal ones in their order; `linear` and
/// `gaussian` (soft-NMS) give them the lowered scores. What scores NaN is left out. Errors
/// (invalid_argument): options outside of what they say. Thread-safe.
///
/// Soft-NMS takes the box that scores most, lowers the scores of those that overlap it, and goes on with
/// those that are left.
[[nodiscard]] MXINFER_API std::vector<Detection> non_max_suppression(Span<const Detection> detections,
                                                                     const NmsOptions& options);

/// A box that stays.
struct KeptBox {
  std::size_t index = 0;  ///< its position in the boxes that were given
  float score = 0;        ///< lowered, if the method lowers scores
};

/// The same on arrays of one class; `across` has no effect. Also Error(invalid_argument) if the numbers of
/// boxes and scores differ.
[[nodiscard]] MXINFER_API std::vector<KeptBox> non_max_suppression(Span<const Box> boxes,
                                                                   Span<const float> scores,
                                                                   const NmsOptions& options);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
