// Arrays for tests of operators on 8-bit values, and the rounding that those operators share.
#pragma once

#include <mxinfer/tensor.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace mxinfer::test {

/// All values of the type, from a fixed sequence that `seed` chooses.
template <typename T>
Tensor random_integers(const Shape& shape, unsigned seed, int low = std::numeric_limits<T>::min(),
                       int high = std::numeric_limits<T>::max()) {
  std::mt19937 random(seed);
  Tensor tensor(DTypeOf<T>::value, shape);
  const std::int64_t range = std::int64_t{high} - low + 1;
  for (std::int64_t i = 0; i < tensor.elements(); ++i)
    tensor.data<T>()[i] = static_cast<T>(low + static_cast<std::int64_t>(random()) % range);
  return tensor;
}

inline Tensor random_bytes(DType dtype, const Shape& shape, unsigned seed) {
  return dtype == DType::int8 ? random_integers<std::int8_t>(shape, seed)
                              : random_integers<std::uint8_t>(shape, seed);
}

/// Element i of an array of any of these dtypes.
inline float number_at(const Tensor& tensor, std::int64_t i) {
  switch (tensor.dtype()) {
    case DType::int8:
      return tensor.data<std::int8_t>()[i];
    case DType::uint8:
      return tensor.data<std::uint8_t>()[i];
    case DType::int32:
      return static_cast<float>(tensor.data<std::int32_t>()[i]);
    default:
      return tensor.data<float>()[i];
  }
}

/// Writes x, rounded to the nearest, halves to even, and limited to the dtype.
inline void round_to(Tensor& tensor, std::int64_t i, float x) {
  const double nearest = std::nearbyint(static_cast<double>(x));
  switch (tensor.dtype()) {
    case DType::int8:
      tensor.data<std::int8_t>()[i] = static_cast<std::int8_t>(std::clamp(nearest, -128.0, 127.0));
      break;
    case DType::uint8:
      tensor.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(std::clamp(nearest, 0.0, 255.0));
      break;
    case DType::int32:
      tensor.data<std::int32_t>()[i] =
          static_cast<std::int32_t>(std::clamp(nearest, -2147483648.0, 2147483647.0));
      break;
    default:
      tensor.data<float>()[i] = x;
  }
}

/// (N, C, spatial...) as (N, spatial..., C).
inline Tensor channels_last_of(const Tensor& first) {
  const Shape& shape = first.shape();
  Shape last{shape[0]};
  for (std::size_t i = 2; i < shape.rank(); ++i) last.push_back(shape[i]);
  last.push_back(shape[1]);
  Tensor moved(first.dtype(), last);
  const std::int64_t channels = shape[1], positions = shape.elements(2, shape.rank());
  const std::size_t bytes = size_of(first.dtype());
  for (std::int64_t i = 0; i < first.elements(); ++i) {
    const std::int64_t n = i / (channels * positions), c = i / positions % channels, at = i % positions;
    const std::int64_t to = (n * positions + at) * channels + c;
    std::copy_n(static_cast<const std::byte*>(first.raw()) + static_cast<std::size_t>(i) * bytes, bytes,
                static_cast<std::byte*>(moved.raw()) + static_cast<std::size_t>(to) * bytes);
  }
  return moved;
}

}  // namespace mxinfer::test
