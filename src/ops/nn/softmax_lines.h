// Which lines of its data a softmax operator normalises.
#pragma once

#include "kernels/softmax/softmax.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct SoftmaxLines {
  kernels::SoftmaxArgs args{};
  bool has_lengths = false;  ///< input 1 holds them
};

/// Of softmax, log_softmax, softmin, SoftmaxActivation and SoftmaxOutput.
SoftmaxLines softmax_lines(const OpProblem& node);

}  // namespace mxinfer::ops
