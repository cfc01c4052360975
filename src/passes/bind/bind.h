// Stage "bind": the rewrites that need the shapes and dtypes of the inputs, in their order (bind.cpp).
//
//   passes::Bound bound = passes::bind(graph, input_types, true);    // once for each plan
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// A graph for fixed shapes.
struct Bound {
  std::optional<graph::Graph> rewritten;  ///< nothing: the graph as it was
  shapes::ValueTypes types;
};

/// Stage "bind": what depends on the shapes and dtypes of the inputs. Throws what inference throws.
Bound bind(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs, bool splits_batches);

/// Whether a node reads float16 that it computes in float32 (ops::Traits::float16).
bool is_widened(const graph::Graph& graph, const shapes::ValueTypes& types, std::size_t id);

/// Casts stand in front of such nodes and behind them. `types` are those of the graph before.
void widen_float16(graph::Graph& graph, const shapes::ValueTypes& types);

/// Whether halves_in_float32 has left open at an end of the network whether there is a cast.
bool has_open_ends(const graph::Graph& graph);
/// Casts stand there where dtypes differ, and nothing where they are the same.
graph::Graph resolve_ends(graph::Graph graph, const shapes::ValueTypes& types);

}  // namespace mxinfer::passes
