// Float16 for an operator whose kernels have none: a pass casts its inputs to float32 and what it gives back
// (passes/bind/widen_float16.cpp). No value in between is rounded, so results are at least as close as
// MXNet's.
//
//   return {through_float32(pooling)};   // its infer and lower see float32 wherever a model has float16
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

/// `others`: what outputs but the first have if the data is float16.
OpDef through_float32(OpDef op, Float16 others = Float16::rounds_all_outputs);

}  // namespace mxinfer::ops
