// Non-maximum suppression over arrays, for the functions of nms.h and the detector.
#pragma once

#include <mxinfer/vision/nms.h>

#include <cstdint>
#include <vector>

namespace mxinfer::api {

/// Boxes with their scores and, if boxes of different ids do not suppress each other, ids.
struct ScoredBoxes {
  Span<const Box> boxes;
  Span<const float> scores;      ///< as many
  Span<const std::int32_t> ids;  ///< the same number, or none
};

/// Throws Error(invalid_argument) with `where` and the member.
void check_nms_options(const NmsOptions& options, const char* where);

/// The kept boxes, by descending score. Preconditions: check_nms_options, at most 2^31 - 1 boxes.
std::vector<KeptBox> suppress(const ScoredBoxes& boxes, const NmsOptions& options);

/// The hard method in the caller's order: the kept positions, in that order.
std::vector<std::size_t> suppress_in_order(const ScoredBoxes& boxes, const std::vector<std::size_t>& order,
                                           const NmsOptions& options);

}  // namespace mxinfer::api
