#include "tensor/widen_halves.h"

#include <algorithm>

namespace mxinfer {
namespace {

template <typename T>
Tensor as_floats(const Tensor& tensor) {
  Tensor wide = Tensor::uninitialized(DType::float32, tensor.shape());
  const T* values = tensor.data<T>();
  std::transform(values, values + tensor.elements(), wide.data<float>(),
                 [](T value) { return static_cast<float>(value); });
  return wide;
}

}  // namespace

void widen_halves(std::vector<Tensor>& tensors) {
  for (Tensor& tensor : tensors) {
    if (tensor.dtype() == DType::float16) tensor = as_floats<Half>(tensor);
    if (tensor.dtype() == DType::bfloat16) tensor = as_floats<BFloat16>(tensor);
  }
}

}  // namespace mxinfer
