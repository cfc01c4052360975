// Element by element operators on bfloat16: a block is widened, the float32 kernels run on it while it is in
// the first-level cache, and what they give is rounded once, activation included.
#pragma once

#include <string_view>

#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {

/// As lower_unary, for bfloat16.
Step lower_unary_bf16(LowerContext& ctx, std::string_view function, kernels::UnaryParams params);
/// As lower_binary, for bfloat16 inputs of one shape; Error(unsupported) if they would broadcast.
Step lower_binary_bf16(LowerContext& ctx, std::string_view function);

}  // namespace mxinfer::ops
