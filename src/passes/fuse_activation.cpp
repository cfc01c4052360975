#include <optional>

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
  return std::nullopt;
}

}  // namespace

void fuse_activation(graph::Graph& graph) {
  const auto uses = graph::count_uses(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto epilogue = epilogue_of(graph.nodes[i]);
    if (!epilogue || graph.nodes[i].inputs[0].index != 0) continue;
    const auto producer_id = static_cast<std::size_t>(graph.nodes[i].inputs[0].node);
    const graph::Node& producer = graph.nodes[producer_id];
    if (producer.op == nullptr || !producer.op->fuses_activation || uses[producer_id][0] != 1) continue;
    if (producer.epilogue.activation != Activation::none || producer.num_outputs != 1) continue;
    graph::Node fused = producer;
    const bool residual = fused.epilogue.residual;
    fused.epilogue = *epilogue;
    fused.epilogue.residual = residual;
    fused.notes.push_back("activation '" + graph.nodes[i].name + "' fused in");
    graph.nodes[i] = std::move(fused);
  }
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
