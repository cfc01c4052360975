#include <algorithm>
#include <set>

#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// Operators that read nothing but the shape of input 1.
bool reads_shape(const Node& node) {
  static const std::set<std::string>& kNames =
      *new std::set<std::string>{"slice_like", "broadcast_like", "reshape_like"};
  return node.op != nullptr && kNames.count(node.op->name) != 0 && node.inputs.size() == 2;
}

// Operators of one input whose output has its shape.
bool keeps_shape(const Node& node) {
  static const std::set<std::string>& kNames = *new std::set<std::string>{
      "Activation",   "LeakyReLU", "_div_scalar", "_minus_scalar", "_mul_scalar", "_plus_scalar", "clip",
      "hard_sigmoid", "ones_like", "relu",        "sigmoid",       "tanh",        "zeros_like"};
  return node.op != nullptr && kNames.count(node.op->name) != 0 && node.inputs.size() == 1 &&
         node.epilogue.empty() && node.control_deps.empty();
}

}  // namespace

void read_shapes_early(Graph& graph) {
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
