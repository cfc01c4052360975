// pack_outputs: the small outputs of a network as one array, so that one copy brings them from a device.
//
//   if (pack_outputs(graph, types)) types = infer_types(graph, inputs);
#pragma once

#include "graph/graph.h"
#include "shapes/infer.h"

namespace mxinfer::passes {

/// Outputs that moving or element-wise operators compute for nothing else become parts of one array, if they
/// are several, and small. Returns whether they do.
bool pack_outputs(graph::Graph& graph, const shapes::ValueTypes& types);

}  // namespace mxinfer::passes
