// What operators learn once the types of all values are known: sizes that other operators would determine.
//
//   complete_shapes(graph, types);
//   if (state_shapes(graph, types)) types = infer_types(graph, inputs);
#pragma once

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// Operators that create a tensor whose sizes its readers determine (_zeros of shape (0, 8)) take these
/// sizes, so that the readers may be replaced.
void complete_shapes(graph::Graph& graph, const shapes::ValueTypes& types);

/// Operators that read the shape of their second input alone become some that know it, so that nothing is
/// computed for it. Returns whether there was any. The second inputs may be dead then.
bool state_shapes(graph::Graph& graph, const shapes::ValueTypes& types);

}  // namespace mxinfer::passes
