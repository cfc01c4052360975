// Passes of the stage "bind" (passes/pipeline.h), which know the types of values.
//
//   if (is_widened(graph, types, id)) widen_float16(graph, types);
#pragma once

#include <cstddef>

#include "graph/graph.h"
#include "plan/shapes/infer.h"

namespace mxinfer::passes {

/// Whether a node reads float16 that it computes in float32 (ops::Traits::float16).
bool is_widened(const graph::Graph& graph, const plan::ValueTypes& types, std::size_t id);

/// Casts stand in front of such nodes and behind them. `types` are those of the graph before.
void widen_float16(graph::Graph& graph, const plan::ValueTypes& types);

/// Whether halves_in_float32 has left open at an end of the network whether there is a cast.
bool has_open_ends(const graph::Graph& graph);
/// Casts stand there where dtypes differ, and nothing where they are the same.
graph::Graph resolve_ends(graph::Graph graph, const plan::ValueTypes& types);

}  // namespace mxinfer::passes
