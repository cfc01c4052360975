// Mean and variance over some of the dimensions of a tensor, in two passes:
//
//   mean = sum of x / n,   variance = sum of (x - mean)^2 / n
//
// Floating point is summed in double; integers are computed in their own type throughout, where they wrap,
// and divisions cut.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

/// Computes results [begin, end) of both. Precondition: there is something to reduce.
using MomentsFn = void (*)(const ReduceShape& shape, const void* src, void* mean, void* variance,
                           std::int64_t begin, std::int64_t end);

/// Null for a type without arithmetic.
MomentsFn moments_ref(ElementType type);

}  // namespace mxinfer::kernels
