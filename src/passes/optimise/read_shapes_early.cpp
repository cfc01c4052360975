#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool reads_shape(const Node& node) {
  return node.op != nullptr && node.op->traits.reads_only_shape_of_second && node.inputs.size() == 2;
}

// Of one input, whose shape it keeps.
bool keeps_shape(const Node& node) {
  return node.op != nullptr && ops::keeps_shape(node.op->traits) && node.inputs.size() == 1 &&
         node.num_outputs == 1 && node.post_ops.empty() && node.control_deps.empty();
}

}  // namespace

// Operators that read nothing but a shape (slice_like) read it from before what keeps it.
void read_shapes_early(Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  for (Node& node : graph.nodes) {
    if (!reads_shape(node)) continue;
    Value like = node.inputs[1];
    // What others read is computed anyway, and might be fused into what is before it.
    while (keeps_shape(graph::node_of(graph, like)) && uses[static_cast<std::size_t>(like.node)][0] == 1)
      like = graph::node_of(graph, like).inputs[0];
    node.inputs[1] = like;
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
