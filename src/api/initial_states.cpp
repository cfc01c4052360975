#include "api/initial_states.h"

#include <algorithm>
#include <string>

#include "ops/op_def.h"

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

}  // namespace

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

std::optional<DType> dtype_of_parameters(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    if (!node.constant) continue;
    const DType dtype = node.constant->dtype();
    if (dtype == DType::float32 || dtype == DType::float64 || dtype == DType::float16 ||
        dtype == DType::bfloat16) {
      return dtype;
    }
  }
  return std::nullopt;
}

}  // namespace mxinfer::api
