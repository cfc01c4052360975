// The cross entropy of softmax with one label for each row:
//
//   dst = - sum over rows i of log(max(softmax(src[i])[label[i]], 1e-8))
#pragma once

#include <cstdint>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

/// Preconditions: columns >= 1; labels in [0, columns). T: float, double, Float16.
template <typename T>
void softmax_cross_entropy(const T* src, const std::int64_t* labels, std::int64_t rows, std::int64_t columns,
                           T* dst);

}  // namespace mxinfer::kernels
