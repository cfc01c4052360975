#include "pipeline/specialize_subgraphs.h"

#include "ops/op_def.h"
#include "pipeline/pipeline.h"

namespace mxinfer::pipeline {
namespace {

using graph::Graph;
using graph::Node;

// Sets the subgraph's inputs that are parameters of the enclosing graph to their values.
void bind_parameters(const Graph& graph, const Node& node, std::size_t k, Graph& subgraph) {
  const auto fixed = node.op->fixed_inputs(node.attrs, k);
  for (Node& variable : subgraph.nodes) {
    if (!variable.is_variable() || variable.input_index < 0) continue;
    const auto index = static_cast<std::size_t>(variable.input_index);
    if (index >= fixed.size() || fixed[index] < 0) continue;
    const auto input = static_cast<std::size_t>(fixed[index]);
    if (input >= node.inputs.size()) continue;
    variable.constant = graph.nodes[static_cast<std::size_t>(node.inputs[input].node)].constant;
  }
}

}  // namespace

void specialize_subgraphs(Graph& graph, kernels::Target target) {
  for (Node& node : graph.nodes) {
    if (node.op == nullptr || node.op->fixed_inputs == nullptr) continue;
    for (std::size_t k = 0; k < node.subgraphs.size(); ++k) {
      // Copies of a graph share their subgraphs.
      auto own = std::make_shared<Graph>(*node.subgraphs[k]);
      bind_parameters(graph, node, k, *own);
      // Their products stay float32: a loop's states would be rounded in every step.
      optimise(*own, {target, kernels::Precision::float32, false});
      node.subgraphs[k] = std::move(own);
    }
  }
}

}  // namespace mxinfer::pipeline
