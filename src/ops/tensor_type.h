// TensorType: what is known of a value before it exists.
#pragma once

#include <mxinfer/tensor.h>

#include <string>

namespace mxinfer::ops {

struct TensorType {
  DType dtype = DType::float32;
  Shape shape;
  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.dtype == b.dtype && a.shape == b.shape;
  }
};
std::string to_string(const TensorType& type);  ///< "float32 (1, 3, 224, 224)"

}  // namespace mxinfer::ops
