// specialize_subgraphs: the pipeline for the bodies of loops and branches.
#pragma once

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::pipeline {

/// Passes parameters to the subgraphs of control flow operators as constants, so that weights are packed and
/// folded there too, and optimises the subgraphs.
void specialize_subgraphs(graph::Graph& graph, kernels::Target target);

}  // namespace mxinfer::pipeline
