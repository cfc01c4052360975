// Cuts a graph where sizes depend on values (boolean_mask): a plan needs sizes, so what is behind such an
// operator is a part of its own, planned when the sizes are known.
//
//   auto parts = passes::cut_at_data(graph);       // one part if all sizes follow from those of the
//   inputs run parts[0]; its heads, cut to the sizes they have, are the inputs of parts[1]; and so on
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace mxinfer::passes {

struct Part {
  graph::Graph graph;
  /// Where the sizes of a head are: in row `row` of head `head` (ops/common/open_sizes.h).
  struct Sizes {
    std::int32_t head = -1;  ///< none: they are those of its type
    std::int32_t row = 0;
    friend bool operator==(const Sizes&, const Sizes&) = default;
  };
  /// By head that the next part reads. Heads beyond these are sizes. Empty in the last part, whose heads are
  /// the network's.
  std::vector<Sizes> sizes{};
};

/// Inputs of the first part are those of the graph; input i of each later part is head i of the one before.
/// Throws Error(unsupported) if more than 256 such operators stand one behind the other.
std::vector<Part> cut_at_data(const graph::Graph& graph);

/// By head of the graph: whether its size depends on the values of the inputs.
std::vector<bool> heads_that_depend_on_data(const graph::Graph& graph);

}  // namespace mxinfer::passes
