// Infers shapes and dtypes of every value of a graph from those of its inputs.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::shapes {

/// types[node][output].
using ValueTypes = std::vector<std::vector<ops::TensorType>>;

/// `inputs` are the types of the network's inputs, by Node::input_index. Throws what the operators throw,
/// prefixed with the node: "node 'fc1' (FullyConnected) › weight has shape (10, 100), (10, 128) is needed".
ValueTypes infer_types(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs);

/// Those of the outputs.
std::vector<ops::TensorType> head_types(const graph::Graph& graph,
                                        const std::vector<ops::TensorType>& inputs);

}  // namespace mxinfer::shapes
