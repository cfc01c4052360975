// Operators that compute with float32, float64 or float16: their inputs, and a template for each dtype as one
// call.
//
//   Step step = for_float(dtype, [&](auto zero) { return make_step<decltype(zero)>(context); });
#pragma once

#include "kernels/common/float16.h"
#include "ops/op_def.h"

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

/// Error(unsupported) unless every input has the dtype of the first, which is float32, float64 or float16.
inline void require_real_inputs(const InferContext& context) {
  const DType dtype = context.dtype(0);
  if (dtype != DType::float32 && dtype != DType::float64 && dtype != DType::float16) {
    fail(ErrorCode::unsupported, "an input of ", to_string(dtype),
         " was given; expected float32, float64 or float16");
  }
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (context.dtype(i) != dtype) {
      fail(ErrorCode::unsupported, "inputs of ", to_string(dtype), " and ", to_string(context.dtype(i)),
           " were given; expected one dtype");
    }
  }
}

/// As require_real_inputs, float32 alone.
inline void require_float32_inputs(const InferContext& context) {
  for (std::size_t i = 0; i < context.count(); ++i) {
    if (context.dtype(i) != DType::float32) {
      fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(i)),
           " was given; expected float32");
    }
  }
}

/// `others`: what outputs but the first have if the data is float16.
OpDef through_float32(OpDef op, Float16 others = Float16::rounds_all_outputs);

}  // namespace mxinfer::ops
