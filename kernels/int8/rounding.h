// How 8-bit values are made from sums and floats: to the nearest, of two equally near ones to the even one,
// and limited to the range of the type.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace mxinfer::kernels {

/// NaN becomes the largest value, as in MXNet's int8 arithmetic. T: int8, uint8, int32; float returns x.
template <typename T>
inline T saturate(float x) {
  // 2^31 - 1 is no float, and 2^31 is no int32.
  constexpr auto kLow = static_cast<float>(std::numeric_limits<T>::min());
  constexpr auto kHigh = static_cast<float>(std::numeric_limits<T>::max());
  if (!(x < kHigh)) return std::numeric_limits<T>::max();
  if (x <= kLow) return std::numeric_limits<T>::min();
  return static_cast<T>(std::lrint(x));
}
template <>
inline float saturate<float>(float x) {
  return x;
}

}  // namespace mxinfer::kernels
