#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ops/op_def.h"
#include "passes/activation_of.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Activation;
using graph::PostOps;

std::optional<PostOps> from_activation_op(const graph::Attrs& attrs) {
  const std::string& type = attrs.choice("act_type");
  if (type == "relu") return PostOps{Activation::relu};
  if (type == "sigmoid") return PostOps{Activation::sigmoid};
  if (type == "tanh") return PostOps{Activation::tanh};
  if (type == "softrelu") return PostOps{Activation::softrelu};
  if (type == "softsign") return PostOps{Activation::softsign};
  return std::nullopt;
}

std::optional<PostOps> from_leaky_relu(const graph::Attrs& attrs) {
  const std::string& type = attrs.choice("act_type");
  if (type == "leaky") return PostOps{Activation::leaky, attrs.number32("slope")};
  if (type == "gelu") return PostOps{Activation::gelu_erf};
  if (type == "elu") return PostOps{Activation::elu, attrs.number32("slope")};
  return std::nullopt;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A limit of 0 on one side has a name of its own.
PostOps as_relu(const PostOps& post_ops) {
  const bool relu =
      post_ops.activation == Activation::clip && post_ops.alpha == 0.0f && post_ops.beta == kInfinity;
  return relu ? PostOps{Activation::relu} : post_ops;
}

// An activation behind another one as one: limits of limits.
std::optional<PostOps> in_turn(PostOps first, PostOps second) {
  if (first.activation == Activation::none) return second;
  for (PostOps* limits : {&first, &second}) {
    if (limits->activation == Activation::relu) *limits = {Activation::clip, 0.0f, kInfinity};
    if (limits->activation != Activation::clip || !(limits->alpha <= limits->beta)) return std::nullopt;
  }
  const auto limited = [&](float x) { return std::min(std::max(x, second.alpha), second.beta); };
  return as_relu({Activation::clip, limited(first.alpha), limited(first.beta)});
}

}  // namespace

std::optional<PostOps> activation_of(const graph::Node& node) {
  if (node.op == nullptr || !node.post_ops.empty()) return std::nullopt;
  const std::string& name = node.op->name;
  if (name == "Activation") return from_activation_op(node.attrs);
  if (name == "LeakyReLU") return from_leaky_relu(node.attrs);
  if (name == "relu") return PostOps{Activation::relu};
  if (name == "sigmoid") return PostOps{Activation::sigmoid};
  if (name == "tanh") return PostOps{Activation::tanh};
  if (name == "clip") {
    return PostOps{Activation::clip, node.attrs.number32("a_min"), node.attrs.number32("a_max")};
  }
  // Limits on one side only. Without is_int they would make whole numbers floating point ones.
  if ((name == "_maximum_scalar" || name == "_minimum_scalar") && !node.attrs.flag("is_int"))
    return std::nullopt;
  if (name == "_maximum_scalar") return PostOps{Activation::clip, node.attrs.number32("scalar"), kInfinity};
  if (name == "_minimum_scalar") return PostOps{Activation::clip, -kInfinity, node.attrs.number32("scalar")};
  return std::nullopt;
}

// x, then an activation that only it feeds: x applies it while it stores (if OpDef::fuses_activation).
void fuse_activation(graph::Graph& graph, const Goal& /*goal*/) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto post_ops = activation_of(graph.nodes[i]);
    if (!post_ops || graph.nodes[i].inputs[0].index != 0) continue;
    const auto producer_id = static_cast<std::size_t>(graph.nodes[i].inputs[0].node);
    graph::Node& producer = graph.nodes[producer_id];
    if (producer.op == nullptr || !producer.op->fuses_activation || uses[producer_id][0] != 1) continue;
    if (producer.num_outputs != 1) continue;
    const auto both = in_turn(producer.post_ops, *post_ops);
    if (!both) continue;
    graph::Node fused = std::move(producer);  // nothing else reads it
    const bool residual = fused.post_ops.residual;
    fused.post_ops = as_relu(*both);
    fused.post_ops.residual = residual;
    fused.notes.push_back("activation '" + graph.nodes[i].name + "' fused in");
    graph.nodes[i] = std::move(fused);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
