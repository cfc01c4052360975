#include "load/signature/initial_states.h"

#include <algorithm>
#include <optional>
#include <string>

#include "ops/op_def.h"
#include "passes/infer_outputs.h"
#include "tensor/floating.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

bool ends_with(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() &&
         text.compare(text.size() - ending.size(), ending.size(), ending) == 0;
}

bool has_name_of_state(const std::string& name) {
  return name == "init_h" || name == "init_c" || ends_with(name, "_init_h") || ends_with(name, "_init_c") ||
         name.find("begin_state") != std::string::npos;
}

// As the state of an RNN operator, (layers, batch, size).
bool is_state_of_rnn(const Graph& graph, std::int32_t variable) {
  const graph::Value value{variable, 0};
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    if (node.op == nullptr || node.op->name != "RNN") return false;
    const auto ports = ops::input_ports(*node.op, node.attrs).names;
    for (std::size_t i = 0; i < ports.size() && i < node.inputs.size(); ++i) {
      if (node.inputs[i] == value && (ports[i] == "state" || ports[i] == "state_cell")) return true;
    }
    return false;
  });
}

bool is_initial_state(const Graph& graph, std::int32_t variable) {
  return has_name_of_state(graph.nodes[static_cast<std::size_t>(variable)].name) ||
         is_state_of_rnn(graph, variable);
}

// The element type of the first parameter of floating point; nothing if there is none.
std::optional<DType> dtype_of_parameters(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (!node.constant) continue;
    const DType dtype = node.constant->dtype();
    if (is_float(dtype)) return dtype;
  }
  return std::nullopt;
}

}  // namespace

void mark_initial_states(const Graph& graph, GuessedSignature& result) {
  auto& inputs = result.signature.inputs;
  const auto parameters = dtype_of_parameters(graph);
  std::size_t states = 0;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    const auto variable = static_cast<std::int32_t>(id);
    if (node.input_index < 0 || !is_initial_state(graph, variable)) continue;
    const auto index = static_cast<std::size_t>(node.input_index);
    DataDesc& input = inputs[index];
    input.is_optional = true;
    ++states;
    if (parameters && !result.dtype_declared[index]) input.dtype = *parameters;
    if (result.declared[index] || input.shape.rank() != 0 || !is_state_of_rnn(graph, variable)) continue;
    input.shape = {-1, -1, -1};
    input.layout = "LNC";
  }
  if (states < inputs.size()) return;
  for (DataDesc& input : inputs) input.is_optional = false;
}

void take_state_shapes(const Graph& graph, GuessedSignature& result) {
  auto& inputs = result.signature.inputs;
  ops::PartialShapes shapes(inputs.size());
  std::vector<DType> dtypes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    dtypes.push_back(inputs[i].dtype);
    if (inputs[i].shape.rank() > 0) shapes[i] = inputs[i].shape;
    for (std::size_t t = 0; t < result.trials.size(); ++t) {
      const Shape& tried = result.trials[t].inputs[i].shape;
      shapes[i] = t == 0 ? tried : common_shape(*shapes[i], tried);
    }
  }
  if (std::none_of(inputs.begin(), inputs.end(), [](const DataDesc& input) { return input.is_optional; }))
    return;
  if (result.trials.empty()) shapes = passes::complete_inputs(graph, std::move(shapes), dtypes);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_optional && !result.declared[i] && shapes[i]) inputs[i].shape = *shapes[i];
  }
}

}  // namespace mxinfer::api
