// Over which elements moments takes mean and variance.
#pragma once

#include "kernels/reduce/reduce.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

kernels::ReduceShape moment_shape(const OpProblem& node);

}  // namespace mxinfer::ops
