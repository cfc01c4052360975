// The states that a recurrent network begins with, where it takes them as inputs: zeros, unless they are
// given.
#pragma once

#include <optional>

#include "graph/graph.h"

namespace mxinfer::api {

/// Whether a free variable is such a state: it is what an RNN operator begins with, or has a name that
/// MXNet's examples and its mx.rnn give one: l0_init_h, lstm_init_c, rnn_begin_state_0.
bool is_initial_state(const graph::Graph& graph, std::int32_t variable);

/// Whether it is read as the state of an RNN operator, (layers, batch, size).
bool is_state_of_rnn(const graph::Graph& graph, std::int32_t variable);

/// The element type of the network's first parameter of floating point; nothing where it has none.
std::optional<DType> dtype_of_parameters(const graph::Graph& graph);

}  // namespace mxinfer::api
