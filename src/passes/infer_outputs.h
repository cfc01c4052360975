// The types of a network's outputs, for whoever has the graph of the file and not yet a plan.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "ops/tensor_type.h"
#include "ops/unify.h"

namespace mxinfer::passes {

/// The types of the heads for inputs of these types (by Node::input_index), as the optimised network gives
/// them: of a network of halves, for instance, which the file's own operators refuse. Throws what
/// shapes::infer_types throws.
std::vector<ops::TensorType> infer_outputs(const graph::Graph& graph,
                                           const std::vector<ops::TensorType>& inputs);

/// shapes::complete_inputs, likewise.
ops::PartialShapes complete_inputs(const graph::Graph& graph, ops::PartialShapes inputs,
                                   const std::vector<DType>& dtypes);

}  // namespace mxinfer::passes
