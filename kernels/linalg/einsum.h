// Sums of products of any number of arrays, one element after another:
//
//   dst[i] = sum over j of the product over k of src[k][offset_k(i, j)]
//
// where i walks the dimensions of the output, and j those that are summed over. A stride of 0 repeats; a
// dimension that an array has twice has the sum of both strides, which is its diagonal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

inline constexpr std::size_t kEinsumMostArrays = 64;
inline constexpr std::size_t kEinsumMostDims = 96;

/// Preconditions: arrays and dims are at most as many as above, arrays at least one.
struct EinsumArgs {
  std::size_t arrays = 0;
  std::size_t kept = 0, summed = 0;       ///< dimensions
  const std::int64_t* sizes = nullptr;    ///< kept ones, then summed ones
  const std::int64_t* strides = nullptr;  ///< the same for each array, one array after another
  const void* const* src = nullptr;
  void* dst = nullptr;
};

/// Computes elements [begin, end). Floats are summed in double, integers wrap, booleans are and and or.
using EinsumFn = void (*)(const EinsumArgs& args, std::int64_t begin, std::int64_t end);
EinsumFn select_einsum(ElementType type);

}  // namespace mxinfer::kernels
