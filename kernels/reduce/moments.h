// Mean and variance over some of the dimensions of a tensor, in two passes:
//
//   mean = sum of x / n,   variance = sum of (x - mean)^2 / n
//
// Floating point is summed in double. Integers are computed in their own type: sums wrap, divisions truncate.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

/// Computes results [begin, end) of both. Precondition: at least one element is reduced.
using MomentsFn = void (*)(const ReduceShape& shape, const void* src, void* mean, void* variance,
                           std::int64_t begin, std::int64_t end);

/// Null for a type without arithmetic.
MomentsFn moments_ref(ElementType type);

}  // namespace mxinfer::kernels
