#include "shapes/infer.h"

#include "base/fail.h"
#include "shapes/complete_shapes.h"
#include "shapes/fixed_states.h"

namespace mxinfer::shapes {
namespace {

using graph::Node;
using ops::TensorType;

TensorType variable_type(const Node& node, const std::vector<TensorType>& inputs) {
  if (node.constant) return {node.constant->dtype(), node.constant->shape()};
  const auto index = static_cast<std::size_t>(node.input_index);
  if (node.input_index < 0 || index >= inputs.size()) fail(ErrorCode::invalid_argument, "it has no value");
  ops::require_possible(inputs[index]);
  return inputs[index];
}

void check_outputs(const Node& node, const std::vector<TensorType>& outputs) {
  if (outputs.size() != static_cast<std::size_t>(node.num_outputs)) {
    fail(ErrorCode::internal, "inference gave ", outputs.size(), " outputs, ", node.num_outputs,
         " were declared");
  }
  for (const TensorType& type : outputs) ops::require_possible(type);
}

std::vector<TensorType> node_types(const Node& node, const graph::Attrs& attrs, const ValueTypes& known) {
  if (node.op == nullptr) fail(ErrorCode::unsupported, "this operator is not supported");
  std::vector<TensorType> inputs;
  for (graph::Value value : node.inputs)
    inputs.push_back(known[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)]);
  const TensorType last = inputs.empty() ? TensorType{} : inputs.back();
  inputs.resize(inputs.size() - graph::post_op_inputs(node));
  const auto infer_subgraph = [&](std::size_t k, const std::vector<TensorType>& types) {
    return head_types(*node.subgraphs.at(k), types);
  };
  auto outputs = node.op->infer(ops::InferContext{attrs, inputs, infer_subgraph});
  check_outputs(node, outputs);
  // It has the dtype of the data, even if a product of bfloat16 gives float32.
  if (node.post_ops.residual && !(last == TensorType{inputs[0].dtype, outputs[0].shape})) {
    fail(ErrorCode::invalid_argument, "it gives ", ops::to_string(outputs[0]), " and is added to ",
         ops::to_string(last), "; elemwise_add needs two of the same shape and dtype");
  }
  return outputs;
}

}  // namespace

ValueTypes infer_types(const graph::Graph& graph, const std::vector<TensorType>& inputs) {
  const std::map<std::int32_t, graph::Attrs> completed = complete_shapes(graph, inputs);
  ValueTypes types;
  types.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    const auto found = completed.find(static_cast<std::int32_t>(types.size()));
    const graph::Attrs& attrs = found == completed.end() ? node.attrs : found->second;
    types.push_back(in_context([&] { return graph::describe(node); },
                               [&] {
                                 if (node.is_variable())
                                   return std::vector<TensorType>{variable_type(node, inputs)};
                                 try {
                                   return node_types(node, attrs, types);
                                 } catch (const Error& e) {
                                   if (e.code() != ErrorCode::invalid_argument) throw;
                                   throw Error(e.code(), e.what() + fixed_states_before(graph, node, types));
                                 }
                               }));
  }
  return types;
}

std::vector<TensorType> head_types(const graph::Graph& graph, const std::vector<TensorType>& inputs) {
  const ValueTypes types = infer_types(graph, inputs);
  std::vector<TensorType> heads;
  for (graph::Value head : graph.heads)
    heads.push_back(types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)]);
  return heads;
}

}  // namespace mxinfer::shapes
