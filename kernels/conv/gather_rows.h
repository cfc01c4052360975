// The inputs of a convolution's positions as rows of a GEMM, of elements of any size whose zero is zero
// bytes.
//
//   gather_rows(problem, {src, sizeof(BFloat16)}, group, first, count, {scratch, stride, padded});
#pragma once

#include <cstddef>

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Channels-last images.
struct GatherSource {
  const std::byte* data;
  std::int64_t element_bytes;
};

/// Sizes are bytes.
struct GatheredRows {
  std::byte* first;
  /// From one row to the next: at least kGatherSlack more than `padded`, which may be overwritten.
  std::int64_t stride;
  std::int64_t padded;  ///< of a row, with zeros behind its depth
};
inline constexpr std::int64_t kGatherSlack = 64;

/// Positions [first, first + count) of all images as rows [tap][channel] of the group's channels.
void gather_rows(const ConvProblem& s, const GatherSource& src, std::int64_t group, std::int64_t first,
                 std::int64_t count, GatheredRows rows);

}  // namespace mxinfer::kernels
