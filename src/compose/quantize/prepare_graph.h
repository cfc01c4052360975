// The graph of a model, simplified as far as a file can store it: float32 parameters, batch norms folded into
// the layers before them, no identities between layers.
//
//   graph::Graph graph = prepare_for_quantization(data.graph, data.signature);
#pragma once

#include <mxinfer/signature.h>

#include "graph/graph.h"

namespace mxinfer::api {

/// Inputs and outputs keep the dtypes of the signature. Nodes that have the name of another get a name of
/// their own. Precondition: the graph is one of Purpose::inspect, whose operators are all supported.
graph::Graph prepare_for_quantization(graph::Graph graph, const Signature& signature);

/// Writes into Node::raw_attrs, which files store, what passes have changed in Node::attrs.
void state_attributes(graph::Graph& graph);

}  // namespace mxinfer::api
