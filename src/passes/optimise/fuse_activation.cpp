#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Activation;
using graph::Epilogue;

std::optional<Epilogue> from_activation_op(const graph::Attrs& attrs) {
  const std::string& type = attrs.choice("act_type");
  if (type == "relu") return Epilogue{Activation::relu};
  if (type == "sigmoid") return Epilogue{Activation::sigmoid};
  if (type == "tanh") return Epilogue{Activation::tanh};
  if (type == "softrelu") return Epilogue{Activation::softrelu};
  if (type == "softsign") return Epilogue{Activation::softsign};
  return std::nullopt;
}

std::optional<Epilogue> from_leaky_relu(const graph::Attrs& attrs) {
  const std::string& type = attrs.choice("act_type");
  if (type == "leaky") return Epilogue{Activation::leaky, attrs.number32("slope")};
  if (type == "gelu") return Epilogue{Activation::gelu_erf};
  if (type == "elu") return Epilogue{Activation::elu, attrs.number32("slope")};
  return std::nullopt;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A limit of 0 on one side has a name of its own.
Epilogue as_relu(const Epilogue& epilogue) {
  const bool relu =
      epilogue.activation == Activation::clip && epilogue.alpha == 0.0f && epilogue.beta == kInfinity;
  return relu ? Epilogue{Activation::relu} : epilogue;
}

// What a node does to each element, where an epilogue can do it.
std::optional<Epilogue> epilogue_of(const graph::Node& node) {
  if (node.op == nullptr || !node.epilogue.empty()) return std::nullopt;
  const std::string& name = node.op->name;
  if (name == "Activation") return from_activation_op(node.attrs);
  if (name == "LeakyReLU") return from_leaky_relu(node.attrs);
  if (name == "relu") return Epilogue{Activation::relu};
  if (name == "sigmoid") return Epilogue{Activation::sigmoid};
  if (name == "tanh") return Epilogue{Activation::tanh};
  if (name == "clip") {
    return Epilogue{Activation::clip, node.attrs.number32("a_min"), node.attrs.number32("a_max")};
  }
  // Limits on one side only. Without is_int they would make whole numbers floating point ones.
  if ((name == "_maximum_scalar" || name == "_minimum_scalar") && !node.attrs.flag("is_int"))
    return std::nullopt;
  if (name == "_maximum_scalar") return Epilogue{Activation::clip, node.attrs.number32("scalar"), kInfinity};
  if (name == "_minimum_scalar") return Epilogue{Activation::clip, -kInfinity, node.attrs.number32("scalar")};
  return std::nullopt;
}

// An activation behind another one as one: limits of limits.
std::optional<Epilogue> in_turn(Epilogue first, Epilogue second) {
  if (first.activation == Activation::none) return second;
  for (Epilogue* limits : {&first, &second}) {
    if (limits->activation == Activation::relu) *limits = {Activation::clip, 0.0f, kInfinity};
    if (limits->activation != Activation::clip || !(limits->alpha <= limits->beta)) return std::nullopt;
  }
  const auto limited = [&](float x) { return std::min(std::max(x, second.alpha), second.beta); };
  return as_relu({Activation::clip, limited(first.alpha), limited(first.beta)});
}

}  // namespace

void fuse_activation(graph::Graph& graph) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto epilogue = epilogue_of(graph.nodes[i]);
    if (!epilogue || graph.nodes[i].inputs[0].index != 0) continue;
    const auto producer_id = static_cast<std::size_t>(graph.nodes[i].inputs[0].node);
    graph::Node& producer = graph.nodes[producer_id];
    if (producer.op == nullptr || !producer.op->fuses_activation || uses[producer_id][0] != 1) continue;
    if (producer.num_outputs != 1) continue;
    const auto both = in_turn(producer.epilogue, *epilogue);
    if (!both) continue;
    graph::Node fused = std::move(producer);  // nobody else reads it
    const bool residual = fused.epilogue.residual;
    fused.epilogue = as_relu(*both);
    fused.epilogue.residual = residual;
    fused.notes.push_back("activation '" + graph.nodes[i].name + "' fused in");
    graph.nodes[i] = std::move(fused);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
