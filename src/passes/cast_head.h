// Outputs that keep a dtype which the network does not compute in.
#pragma once

#include <mxinfer/dtype.h>

#include <cstddef>

#include "graph/graph.h"

namespace mxinfer::passes {

/// Output h of the network becomes a cast of what it was.
void cast_head(graph::Graph& graph, std::size_t h, DType dtype);

}  // namespace mxinfer::passes
