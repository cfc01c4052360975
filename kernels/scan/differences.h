// n-th differences along lines: dst[i] = sum over k of coefficients[k] * src[i + k], in the type of the
// elements.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct DifferenceArgs {
  const std::int64_t* coefficients = nullptr;  ///< n + 1 of them, with their signs
  int n = 1;
  std::int64_t length = 0;  ///< of a line of src, above n; dst's lines are n shorter
  std::int64_t inner = 1;   ///< elements are this far apart; arrays are [outer][length][inner]
  const void* src = nullptr;
  void* dst = nullptr;
};

/// Computes [begin, end) of the outer dimension.
using DifferenceFn = void (*)(const DifferenceArgs& args, std::int64_t begin, std::int64_t end);

/// Null for booleans. Integers wrap around.
DifferenceFn select_differences(ElementType type);

}  // namespace mxinfer::kernels
