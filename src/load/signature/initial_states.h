// The states that a recurrent network begins with, if it takes them as inputs: zeros, unless they are
// given.
#pragma once

#include "graph/graph.h"
#include "load/signature/guess_signature.h"

namespace mxinfer::api {

/// Marks them optional, unless nothing else is left to be given. An input is such a state if an RNN
/// operator begins with it, or if it has a name that MXNet's examples and its mx.rnn give one: l0_init_h,
/// lstm_init_c, rnn_begin_state_0. Its dtype is that of the parameters, its layout that of the operator.
void mark_initial_states(const graph::Graph& graph, GuessedSignature& result);

/// Gives them the shapes that the trials give, or what follows while the batch and the sides are open.
void take_state_shapes(const graph::Graph& graph, GuessedSignature& result);

}  // namespace mxinfer::api
