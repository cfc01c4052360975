// The run of an RNN with float32 weights that are parameters: packed once, the gates of a vector of state
// elements side by side, so that a piece of a step is a GEMM of some columns and the cells that it feeds.
//
//   Step step = rnn_packed_step(context, sizes);    // a target other than ref
#pragma once

#include "ops/nn/recurrent/rnn_stored.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Precondition: input 1, the parameters, is a constant.
Step rnn_packed_step(LowerContext& context, const RnnSizes<float>& sizes);

}  // namespace mxinfer::ops
