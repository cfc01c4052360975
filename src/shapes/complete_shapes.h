// Finds sizes that a graph leaves open. For example, MXNet writes the initial state of an RNN as
// _zeros(shape=(1, 0, 64)), where 0 is the batch, and infers it from the operators that read it.
#pragma once

#include <map>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::shapes {

/// The completed attributes, by node, of the nodes that leave sizes open (OpDef::complete); none for nodes
/// whose sizes cannot be inferred. `inputs` as for infer_types.
std::map<std::int32_t, graph::Attrs> complete_shapes(const graph::Graph& graph,
                                                     const std::vector<ops::TensorType>& inputs);

/// The shapes of the graph's inputs, by Node::input_index, completed from the others, from parameters and
/// from attributes: the channels of a convolution from its weight, the features of a product from its matrix,
/// a batch from the Reshape that fixes it. Sizes that cannot be inferred stay open.
ops::PartialShapes complete_inputs(const graph::Graph& graph, ops::PartialShapes inputs,
                                   const std::vector<DType>& dtypes);

}  // namespace mxinfer::shapes
