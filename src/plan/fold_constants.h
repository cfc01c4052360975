// Computes what follows from parameters alone once, when a model is loaded: the packed weights of Gluon's
// recurrent layers, for one, are a Concat of Reshapes of their parts.
#pragma once

#include "graph/graph.h"
#include "kernels/common/target.h"

namespace mxinfer::plan {

/// Replaces operators that read only constants by their results, unless these would take much more memory
/// than what they are made of. What does not infer stays, for the plan to complain about.
void fold_constants(graph::Graph& graph, kernels::Target target);

}  // namespace mxinfer::plan
