// Non-maximum suppression, for networks whose outputs are boxes that still overlap.
//
//   std::vector<mxinfer::Detection> found = decode(predictor.predict({image}));   // of one image
//   for (const auto& kept : mxinfer::non_max_suppression(found, 0.4f)) std::cout << kept.box.left << '\n';
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/span.h>
#include <mxinfer/vision/detections.h>

#include <cstddef>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// The area that both boxes cover as a part of that which either covers, 0..1; 0 if both are empty.
[[nodiscard]] MXINFER_API float intersection_over_union(const Box& a, const Box& b) noexcept;

/// Whether boxes of different classes (Detection::index) suppress each other.
enum class SuppressAcross { same_class, all_classes };

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

}  // namespace MXINFER_ABI
}  // namespace mxinfer
