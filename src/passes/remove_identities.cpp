#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {

void remove_identities(graph::Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    if (node.op == nullptr || node.op->op_class != ops::OpClass::identity || node.inputs.empty()) continue;
    graph::replace_uses(graph, graph::Value{static_cast<std::int32_t>(i), 0}, node.inputs[0]);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
