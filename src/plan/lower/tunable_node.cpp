#include "plan/lower/tunable_node.h"

#include <utility>

namespace mxinfer::plan {
namespace {

ops::TensorType dense(ops::TensorType type) {
  type.row_stride = 0;
  return type;
}

}  // namespace

void isolate_node(const graph::Graph& from, const shapes::ValueTypes& types, std::size_t id,
                  TunableNode& node) {
  graph::Node alone = from.nodes[id];
  for (graph::Value& input : alone.inputs) {
    const auto source = static_cast<std::size_t>(input.node);
    graph::Node variable;
    variable.name = from.nodes[source].name;
    variable.constant = from.nodes[source].constant;
    if (!variable.constant) {
      variable.input_index = static_cast<std::int32_t>(node.inputs.size());
      node.inputs.push_back(dense(types[source][static_cast<std::size_t>(input.index)]));
    }
    input = {graph::append(node.graph, std::move(variable)), 0};
  }
  alone.control_deps.clear();
  node.graph.heads.push_back({graph::append(node.graph, std::move(alone)), 0});
  node.output = dense(types[id][0]);
}

}  // namespace mxinfer::plan
