// fold_constants: computes ahead what depends on parameters alone.
#pragma once

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::pipeline {

/// Operators that read parameters alone, and whose results are not much larger than these, are computed, by
/// the kernels of a target.
void fold_constants(graph::Graph& graph, kernels::Target target);

}  // namespace mxinfer::pipeline
