// specialize_subgraphs: the pipeline for the bodies of loops and branches.
#pragma once

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::pipeline {

/// Gives the subgraphs of control flow operators the parameters that they are handed as constants, so that
/// weights are packed and folded there too, and optimises them.
void specialize_subgraphs(graph::Graph& graph, kernels::Target target);

}  // namespace mxinfer::pipeline
