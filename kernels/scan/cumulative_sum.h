// Running sums along an axis: dst[o][a][i] = src[o][0][i] + ... + src[o][a][i].
//
// src and dst are (outer, length, inner) elements of the same type, and may be the same memory. Sums are made
// one after another in that type: integers wrap around, float16 is rounded after each addition.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct CumulativeSumArgs {
  const void* src = nullptr;
  void* dst = nullptr;
  std::int64_t length = 1;  ///< elements along the axis
  std::int64_t inner = 1;
};

/// Computes lines [begin, end): line o * inner + i.
using CumulativeSumFn = void (*)(const CumulativeSumArgs& args, std::int64_t begin, std::int64_t end);

/// Null for bool, and for a number that is not an ElementType.
CumulativeSumFn select_cumulative_sum(ElementType type);

}  // namespace mxinfer::kernels
