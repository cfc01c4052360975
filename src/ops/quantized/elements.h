// Loops over elements that several quantized operators share.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "kernels/int8/rounding.h"
#include "ops/quantized/ranges.h"

namespace mxinfer::ops {

inline constexpr std::int64_t kQuantizedGrain = 16384;

/// to[i] = round(from[i] * scale).
template <typename From, typename To>
void rescale(const From* from, To* to, std::int64_t count, float scale) {
  parallel_for(count, kQuantizedGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      to[i] = kernels::saturate<To>(static_cast<float>(from[i]) * scale);
  });
}

/// Calls `with` with a null pointer of the type of int8 or uint8 values.
template <typename Function>
void with_8bit(DType dtype, const Function& with) {
  if (dtype == DType::int8) {
    with(static_cast<std::int8_t*>(nullptr));
  } else {
    with(static_cast<std::uint8_t*>(nullptr));
  }
}

/// The smallest and the largest of the values, NaN aside; of no values, (largest float, lowest float).
template <typename T>
std::pair<T, T> extremes(const T* values, std::int64_t count) {
  std::pair<T, T> found{std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
  for (std::int64_t i = 0; i < count; ++i) {
    if (values[i] < found.first) found.first = values[i];
    if (values[i] > found.second) found.second = values[i];
  }
  return found;
}

}  // namespace mxinfer::ops
