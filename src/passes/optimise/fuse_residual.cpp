#include <algorithm>

#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

bool can_take_residual(const graph::Graph& graph, const std::vector<std::vector<int>>& uses,
                       graph::Value value) {
  const auto id = static_cast<std::size_t>(value.node);
  const graph::Node& node = graph.nodes[id];
  return node.op != nullptr && node.op->fuses_residual && node.post_ops.empty() && uses[id][0] == 1;
}

// broadcast_add may change the shape, which no pass knows; these may not.
bool is_addition_of_two(const graph::Node& node) {
  if (node.op == nullptr || !node.post_ops.empty()) return false;
  return node.op->name == "elemwise_add" || (node.op->name == "add_n" && node.inputs.size() == 2);
}

}  // namespace

// a convolution and then elemwise_add with another value: the convolution adds it while it stores
// (if OpDef::fuses_residual).
void fuse_residual(graph::Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& add = graph.nodes[i];
    if (!is_addition_of_two(add)) continue;
    graph::Value taker = add.inputs[0], other = add.inputs[1];
    if (taker == other) continue;
    // The later one takes the earlier one in, so that the earlier is there when it runs.
    if (taker < other) std::swap(taker, other);
    if (!can_take_residual(graph, uses, taker)) std::swap(taker, other);
    if (!can_take_residual(graph, uses, taker)) continue;
    graph::Node fused = graph.nodes[static_cast<std::size_t>(taker.node)];
    fused.inputs.push_back(other);
    fused.post_ops.residual = true;
    fused.notes.push_back("addition '" + add.name + "' fused in");
    graph.nodes[i] = std::move(fused);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
