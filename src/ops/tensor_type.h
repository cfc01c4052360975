// TensorType: what is known about a value before it exists.
#pragma once

#include <mxinfer/tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mxinfer::ops {

struct TensorType {
  DType dtype = DType::float32;
  Shape shape{};
  /// Elements from one row (the last dimension) to the next in a view into a wider value; 0: dense. The
  /// planner sets it for inputs and outputs of operators whose traits accept strides; inference ignores it.
  std::int64_t row_stride = 0;
  /// The value is float32, and a device keeps it in `dtype`, of 16 bits (plan/lower/stored_halves.h).
  /// Arithmetic on it is float32. Set by the planner too.
  bool is_stored_half = false;
  friend bool operator==(const TensorType& a, const TensorType& b) {
    return a.dtype == b.dtype && a.shape == b.shape;
  }
};

/// The type in which operators compute such values: that of the graph.
inline DType arithmetic_type(const TensorType& type) {
  return type.is_stored_half ? DType::float32 : type.dtype;
}

/// Throws Error(invalid_argument) if the type's elements would take more than kMostBytes, which is so far
/// below 2^63 that sums and small multiples of sizes do not overflow. As in NumPy, sizes of 0 count as 1, so
/// that products of an empty array's sizes do not overflow either.
void require_possible(const TensorType& type);

std::string to_string(const TensorType& type);  ///< "float32 (1, 3, 224, 224)"

inline std::size_t bytes_of(const TensorType& type) {
  return static_cast<std::size_t>(type.shape.elements()) * size_of(type.dtype);
}

}  // namespace mxinfer::ops
