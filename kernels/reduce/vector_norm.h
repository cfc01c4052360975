// p-norms over some of the dimensions of a tensor: (sum of |x|^p)^(1/p), the number of elements that are not
// 0 for p = 0. Summed in double.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

/// Computes results [begin, end).
using VectorNormFn = void (*)(const ReduceShape& shape, double p, const void* src, void* dst,
                              std::int64_t begin, std::int64_t end);
/// Of float32 and float64; null for other types.
VectorNormFn select_vector_norm(ElementType type);

}  // namespace mxinfer::kernels
