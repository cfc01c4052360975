// Indices and lengths as a model has them, of one of three types, in kernels.
//
//   const std::int64_t index = index_at(indices, i);
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/cuda/dialect.h"
#include "kernels/cuda/index_array_type.h"

namespace mxinfer::kernels::cuda {

/// Floats are cut towards zero.
__device__ __forceinline__ std::int64_t index_at(const IndexArray& array, std::int64_t i) {
  switch (array.type) {
    case ElementType::int32:
      return static_cast<const std::int32_t*>(array.data)[i];
    case ElementType::int64:
      return static_cast<const std::int64_t*>(array.data)[i];
    default:
      return convert<std::int64_t>(static_cast<const float*>(array.data)[i]);
  }
}

}  // namespace mxinfer::kernels::cuda
