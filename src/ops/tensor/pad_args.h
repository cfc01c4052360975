// What the attributes of Pad ask for.
#pragma once

#include "kernels/pad/pad.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

kernels::PadArgs pad_args(const OpProblem& node);

}  // namespace mxinfer::ops
