// Cuts a graph where sizes depend on values (boolean_mask): a plan needs sizes, so what is behind such an
// operator is a part of its own, planned when the sizes are known.
//
//   auto parts = passes::cut_at_data(graph);       // one part if all sizes follow from those of the
//   inputs run parts[0]; its heads, cut to the rows they have, are the inputs of parts[1]; and so on
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

struct Part {
  graph::Graph graph;
  /// By head that the next part reads: the head that says how many rows of it there are, -1 if all are.
  /// Heads beyond these are such counts. Empty in the last part, whose heads are the network's.
  std::vector<std::int32_t> rows;
};

/// Inputs of the first part are those of the graph; input i of each later part is head i of the one before.
/// Throws Error(unsupported) if more than 256 such operators stand one behind the other.
std::vector<Part> cut_at_data(const graph::Graph& graph);

/// By head of the graph: whether its size depends on the values of the inputs.
std::vector<bool> heads_that_depend_on_data(const graph::Graph& graph);

}  // namespace mxinfer::passes
