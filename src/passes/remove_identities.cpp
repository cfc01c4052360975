#include <algorithm>

#include "graph/redirects.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

bool is_op(const Node& node, std::string_view name) {
  return node.op != nullptr && node.op->name == name;
}

bool is_amp(const Node& node) {
  return is_op(node, "amp_cast") || is_op(node, "amp_multicast");
}

bool is_short_float(DType dtype) {
  return dtype == DType::float16 || dtype == DType::bfloat16;
}

/// Whether the file says that an input has a floating point dtype other than float32.
bool states_other_float(const Node& node) {
  if (!node.is_variable() || node.constant) return false;
  const auto dtype = node.raw_attrs.find("__dtype__");
  if (dtype == node.raw_attrs.end()) return false;
  return dtype->second == "1" || dtype->second == "2" || dtype->second == "12";
}

template <typename Short>
void widen(const Tensor& from, Tensor& to) {
  std::transform(from.data<Short>(), from.data<Short>() + from.elements(), to.data<float>(),
                 [](Short value) { return static_cast<float>(value); });
}

std::shared_ptr<const Parameter> as_float32(const Tensor& tensor) {
  Tensor wide = Tensor::uninitialized(DType::float32, tensor.shape());
  if (tensor.dtype() == DType::float16) {
    widen<Half>(tensor, wide);
  } else {
    widen<BFloat16>(tensor, wide);
  }
  return make_parameter(std::move(wide));
}

void hand_on(const graph::Graph& graph, std::size_t id, graph::Redirects& redirects) {
  const std::vector<Value>& inputs = graph.nodes[id].inputs;
  const auto outputs = static_cast<std::size_t>(graph.nodes[id].num_outputs);
  for (std::size_t o = 0; o < outputs && o < inputs.size(); ++o)
    redirects.add({static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)}, inputs[o]);
}

/// A model that was converted for mixed precision (amp) runs in float32 throughout: its casts to float16 and
/// back go, and the parameters that were stored as float16 become float32. A model with inputs of another
/// floating point dtype keeps its casts.
void remove_amp_casts(graph::Graph& graph) {
  if (std::none_of(graph.nodes.begin(), graph.nodes.end(), is_amp) ||
      std::any_of(graph.nodes.begin(), graph.nodes.end(), states_other_float)) {
    return;
  }
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (is_amp(node)) hand_on(graph, id, redirects);
    if (node.constant && is_short_float(node.constant->dtype()))
      node.constant = as_float32(*node.constant->value());
  }
  redirects.apply(graph);
}

}  // namespace

void remove_identities(graph::Graph& graph) {
  remove_amp_casts(graph);
  graph::Redirects redirects;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == nullptr || node.op->op_class != ops::OpClass::identity || node.inputs.empty()) continue;
    redirects.add({static_cast<std::int32_t>(i), 0}, node.inputs[0]);
  }
  redirects.apply(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
