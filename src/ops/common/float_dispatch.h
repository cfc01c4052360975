// A template for each float dtype, as one call.
//
//   Step step = for_float(dtype, [&](auto zero) { return make_step<decltype(zero)>(context); });
#pragma once

#include <mxinfer/tensor.h>

#include "base/fail.h"
#include "kernels/common/float16.h"

namespace mxinfer::ops {

/// What `make` gives for a zero of the type that kernels have for `dtype`: double for float64,
/// kernels::Float16 for float16, float for float32. Error(unsupported) for others.
template <typename Make>
auto for_float(DType dtype, const Make& make) {
  if (dtype == DType::float64) return make(0.0);
  if (dtype == DType::float16) return make(kernels::Float16{});
  if (dtype == DType::float32) return make(0.0f);
  fail(ErrorCode::unsupported, "input of ", to_string(dtype), ": expected float32, float64 or float16");
}

}  // namespace mxinfer::ops
