// The initial states of a recurrent network, if they are inputs. They default to zeros.
#pragma once

#include "graph/graph.h"
#include "load/signature/guess_signature.h"

namespace mxinfer::api {

/// Marks them optional, unless there are no other inputs. An input is such a state if an RNN operator begins
/// with it, or if it has a name that MXNet's examples and its mx.rnn give one: l0_init_h, lstm_init_c,
/// rnn_begin_state_0. Its dtype is that of the parameters, its layout that of the operator.
void mark_initial_states(const graph::Graph& graph, GuessedSignature& result);

/// Sets their shapes from the trials, or as inferred while the batch and the sides are free.
void take_state_shapes(const graph::Graph& graph, GuessedSignature& result);

}  // namespace mxinfer::api
