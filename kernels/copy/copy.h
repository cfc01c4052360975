// Strided copies: transposition, slices, concatenation, broadcasting, tiling and reversal are all
//
//   dst[dst_offset + sum(i_d * dst_strides[d])] = src[src_offset + sum(i_d * src_strides[d])]
//
// for all i_d < dims[d], with strides in elements; a source stride of 0 repeats, a negative one reverses.
// Elements are opaque: 1, 2, 4 or 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"

namespace mxinfer::kernels {

inline constexpr int kCopyMaxRank = 32;

struct CopyArgs {
  int rank = 0;
  std::int64_t dims[kCopyMaxRank] = {};
  std::int64_t src_strides[kCopyMaxRank] = {};
  std::int64_t dst_strides[kCopyMaxRank] = {};
  std::int64_t src_offset = 0;
  std::int64_t dst_offset = 0;

  std::int64_t elements() const {
    std::int64_t count = 1;
    for (int d = 0; d < rank; ++d) count *= dims[d];
    return count;
  }
};

/// The same copy with as few dimensions as possible: drops those of size 1, and merges neighbours that both
/// sides walk with one stride. Keeps the order of elements.
CopyArgs simplify(const CopyArgs& args);

/// Copies tasks [begin, end). Preconditions: every element is inside its array, the arrays do not overlap,
/// and `args` is what CopyKernel::prepare returned.
using CopyFn = void (*)(const CopyArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
                        std::int64_t end);

struct CopyKernel {
  const char* name;
  CopyFn run;
  /// The copy with its dimensions in the order of this kernel.
  CopyArgs (*prepare)(const CopyArgs& simplified);
  std::int64_t (*tasks)(const CopyArgs& prepared);
};

/// The kernel for a simplified copy of elements of `element_bytes` (1, 2, 4, 8) bytes.
const CopyKernel& select_copy(const CopyArgs& simplified, std::size_t element_bytes, Target target);

}  // namespace mxinfer::kernels
