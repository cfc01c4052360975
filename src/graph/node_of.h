// The node that a value comes from.
#pragma once

#include "graph/graph.h"

namespace mxinfer::graph {

inline const Node& node_of(const Graph& graph, Value value) {
  return graph.nodes[static_cast<std::size_t>(value.node)];
}

}  // namespace mxinfer::graph
