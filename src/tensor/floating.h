// Which dtypes are floating point numbers.
#pragma once

#include <mxinfer/dtype.h>

namespace mxinfer {

/// float16 or bfloat16.
constexpr bool is_half(DType dtype) noexcept {
  return dtype == DType::float16 || dtype == DType::bfloat16;
}

constexpr bool is_float(DType dtype) noexcept {
  return dtype == DType::float32 || dtype == DType::float64 || is_half(dtype);
}

}  // namespace mxinfer
