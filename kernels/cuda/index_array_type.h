// IndexArray: indices or lengths in device memory, and their type.
#pragma once

#include "kernels/common/element_type.h"

namespace mxinfer::kernels::cuda {

struct IndexArray {
  const void* data = nullptr;
  ElementType type = ElementType::float32;  ///< float32, int32 or int64
};

}  // namespace mxinfer::kernels::cuda
