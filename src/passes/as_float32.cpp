#include "passes/as_float32.h"

#include <mxinfer/tensor.h>

#include <algorithm>

#include "kernels/elementwise/cast.h"

namespace mxinfer::passes {
namespace {

// The elements of a float16 or bfloat16 tensor.
void write_as_float32(const Tensor& tensor, void* dst) {
  if (tensor.dtype() == DType::bfloat16) {
    std::transform(tensor.data<BFloat16>(), tensor.data<BFloat16>() + tensor.elements(),
                   static_cast<float*>(dst), [](BFloat16 value) { return static_cast<float>(value); });
    return;
  }
  kernels::select_cast(kernels::ElementType::float16, kernels::ElementType::float32)(tensor.raw(), dst,
                                                                                     tensor.elements());
}

}  // namespace

std::shared_ptr<const Parameter> as_float32(const std::shared_ptr<const Parameter>& source) {
  return std::make_shared<const Parameter>(
      DType::float32, source->shape(), [source](void* dst) { write_as_float32(*source->value(), dst); },
      [source] { return source->is_at_hand(); });
}

}  // namespace mxinfer::passes
