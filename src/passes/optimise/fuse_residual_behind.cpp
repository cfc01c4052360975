#include <utility>

#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

/// Whether a convolution has an activation, behind which it can add something, and nothing else reads it.
bool can_add_behind(const graph::Graph& graph, const std::vector<std::vector<int>>& uses, Value value) {
  const auto id = static_cast<std::size_t>(value.node);
  const Node& node = graph.nodes[id];
  if (node.op == nullptr || node.op->name != "_mxinfer_convolution_nhwc" || uses[id][0] != 1) return false;
  const graph::Activation activation = node.post_ops.activation;
  return !node.post_ops.residual && activation != graph::Activation::none &&
         kernels::is_piecewise_linear(activation);
}

}  // namespace

// Behind channels_last and activations, for GPUs: a convolution adds another value behind its activation
// while it stores (Darknet's blocks), if nothing else reads the activation.
void fuse_residual_behind(graph::Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& add = graph.nodes[id];
    if (add.op == nullptr || add.op->name != "elemwise_add" || !add.post_ops.empty()) continue;
    Value taker = add.inputs[0], other = add.inputs[1];
    // The later one takes the earlier one in, so that the earlier is there when it runs.
    if (taker < other) std::swap(taker, other);
    if (taker == other || !can_add_behind(graph, uses, taker)) continue;
    Node fused = graph.nodes[static_cast<std::size_t>(taker.node)];
    fused.inputs.push_back(other);
    fused.post_ops.residual = true;
    fused.attrs.set("adds_last", true);
    fused.notes.push_back("addition '" + add.name + "' fused in, behind the activation");
    graph.nodes[id] = std::move(fused);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
