// fold_constants: computes in advance what depends only on parameters.
#pragma once

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::pipeline {

/// Evaluates operators that read only parameters and whose results are not much larger than these, with the
/// kernels of a target.
void fold_constants(graph::Graph& graph, kernels::Target target);

}  // namespace mxinfer::pipeline
