// Float16 for an operator whose kernels have none: inputs are widened, its float32 step runs, and what it
// gives is rounded. No value in between is rounded, so results are at least as close as MXNet's.
//
//   return {through_float32(pooling)};   // its infer and lower see float32 wherever a model has float16
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// What outputs but the first have where the data is float16.
enum class OtherOutputs : std::uint8_t { float16, float32 };

OpDef through_float32(OpDef op, OtherOutputs others = OtherOutputs::float16);

}  // namespace mxinfer::ops
