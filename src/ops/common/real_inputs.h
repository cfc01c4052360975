// Inputs of operators that compute with float32, float64 or float16, all of one dtype.
#pragma once

#include "base/fail.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

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

}  // namespace mxinfer::ops
