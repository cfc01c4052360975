// Activations that networks spell out, x times a gate of x: swish, hard-swish, mish.
#include <cmath>
#include <optional>

#include "graph/node_of.h"
#include "ops/is_op.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using ops::is_op;
using Uses = std::vector<std::vector<int>>;

int uses_of(const Uses& uses, Value value) {
  return uses[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)];
}

bool is_near(double a, double b) {
  return std::abs(a - b) <= 1e-6;
}

bool is_divided_by_six(const Node& node) {
  return (is_op(node, "_div_scalar") && node.attrs.number("scalar") == 6) ||
         (is_op(node, "_mul_scalar") && is_near(node.attrs.number("scalar"), 1.0 / 6));
}

/// min(max(x + 3, 0), 6), limits being fused by now.
bool is_relu6_of_three_more(const Node& node) {
  return is_op(node, "_plus_scalar") && node.attrs.number("scalar") == 3 && !node.post_ops.residual &&
         node.post_ops.activation == graph::Activation::clip && node.post_ops.alpha == 0 &&
         node.post_ops.beta == 6;
}

/// x, and what x times its gate is called. `sixfold`: the gate is six times as large.
struct Gated {
  Value x;
  graph::Activation function;
  bool sixfold = false;
};

/// What a value is the gate of, if nothing else reads it.
std::optional<Gated> gate_of(const Graph& graph, const Uses& uses, Value gate) {
  const Node& node = node_of(graph, gate);
  if (node.op == nullptr || uses_of(uses, gate) != 1) return std::nullopt;
  const bool plain = node.post_ops.empty();
  if (plain &&
      (is_op(node, "sigmoid") || (is_op(node, "Activation") && node.attrs.choice("act_type") == "sigmoid")))
    return Gated{node.inputs[0], graph::Activation::swish};
  if (plain && is_op(node, "hard_sigmoid") && is_near(node.attrs.number("alpha"), 1.0 / 6) &&
      is_near(node.attrs.number("beta"), 0.5))
    return Gated{node.inputs[0], graph::Activation::hard_swish};
  if (is_op(node, "Activation") && node.attrs.choice("act_type") == "softrelu" && !node.post_ops.residual &&
      node.post_ops.activation == graph::Activation::tanh)
    return Gated{node.inputs[0], graph::Activation::mish};
  if (is_relu6_of_three_more(node)) return Gated{node.inputs[0], graph::Activation::hard_swish, true};
  if (plain && is_divided_by_six(node)) {
    const Node& limited = node_of(graph, node.inputs[0]);
    if (uses_of(uses, node.inputs[0]) == 1 && is_relu6_of_three_more(limited))
      return Gated{limited.inputs[0], graph::Activation::hard_swish};
  }
  return std::nullopt;
}

/// The product of a value and its gate.
std::optional<Gated> product_of(const Graph& graph, const Uses& uses, const Node& node) {
  const bool is_product =
      is_op(node, "elemwise_mul") || is_op(node, "broadcast_mul") || is_op(node, "_npi_multiply");
  if (!is_product || !node.post_ops.empty() || node.inputs.size() != 2) return std::nullopt;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto gate = gate_of(graph, uses, node.inputs[i]);
    if (gate && gate->x == node.inputs[1 - i]) return gate;
  }
  return std::nullopt;
}

/// What a node is, the division by six inside of the gate or behind the product.
std::optional<Gated> gated(const Graph& graph, const Uses& uses, const Node& node) {
  if (node.op == nullptr) return std::nullopt;
  if (const auto product = product_of(graph, uses, node)) {
    return product->sixfold ? std::nullopt : product;
  }
  if (!node.post_ops.empty() || !is_divided_by_six(node) || uses_of(uses, node.inputs[0]) != 1)
    return std::nullopt;
  const auto product = product_of(graph, uses, node_of(graph, node.inputs[0]));
  return product && product->sixfold ? product : std::nullopt;
}

const char* name_of(graph::Activation function) {
  switch (function) {
    case graph::Activation::swish:
      return "swish";
    case graph::Activation::mish:
      return "mish";
    default:
      return "hard_swish";
  }
}

/// The producer of x with the activation in it, if it takes one and nothing else reads it.
std::optional<Node> fused(const Graph& graph, const Uses& uses, const Gated& found) {
  Node node = node_of(graph, found.x);
  if (node.op == nullptr || node.num_outputs != 1 || uses_of(uses, found.x) != 2 ||
      node.post_ops.activation != graph::Activation::none)
    return std::nullopt;
  if (is_op(node, "_mxinfer_convolution_nhwc")) {
    node.post_ops.activation = found.function;
    return node;
  }
  if (found.function != graph::Activation::swish || !node.op->fuses_activation) return std::nullopt;
  node.post_ops.activation = graph::Activation::swish;
  return node;
}

}  // namespace

// Behind channels_last: x times a gate of x (swish, hard-swish, mish) becomes one function, applied by the
// operator before it if that can.
void fuse_gated_activation(Graph& graph, const Goal& /*goal*/) {
  const Uses uses = graph::count_uses(graph);
  for (std::size_t id = 0; id < uses.size(); ++id) {
    const auto found = gated(graph, uses, graph.nodes[id]);
    if (!found) continue;
    Node& node = graph.nodes[id];
    const std::string note =
        std::string("activation ") + name_of(found->function) + " (ending in '" + node.name + "')";
    if (auto producer = fused(graph, uses, *found)) {
      producer->notes.push_back(note + " fused in");
      node = std::move(*producer);
      continue;
    }
    node.op = ops::find_op("_mxinfer_activation");
    node.attrs = graph::parse_attrs(node.op->attrs, {{"function", name_of(found->function)}});
    node.inputs = {found->x};
    node.notes.push_back(note);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
