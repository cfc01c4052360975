#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/bind/bind.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

class Widener {
 public:
  Widener(Graph& graph, const shapes::ValueTypes& types) : graph_(graph), types_(types) {}

  void run() {
    const std::size_t count = graph_.nodes.size();
    for (std::size_t id = 0; id < count; ++id) visit(id);
    for (Value& head : graph_.heads) head = rounded(head);
    graph::sort_topologically(graph_);
  }

 private:
  bool is_half(Value value) const {
    const auto& outputs = types_[static_cast<std::size_t>(value.node)];
    return outputs[static_cast<std::size_t>(value.index)].dtype == DType::float16;
  }
  Value rounded(Value value) const {
    const auto found = rounded_.find(value);
    return found == rounded_.end() ? value : found->second;
  }

  void visit(std::size_t id) {
    // A copy: casts are appended to the nodes.
    const std::vector<Value> inputs = graph_.nodes[id].inputs;
    const bool widens = is_widened(graph_, types_, id);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Value input = widens && is_half(inputs[i]) ? wide(inputs[i]) : rounded(inputs[i]);
      graph_.nodes[id].inputs[i] = input;
    }
    if (!widens || !is_half(inputs[0])) return;
    const ops::Float16 form = graph_.nodes[id].op->traits.float16;
    for (std::size_t o = 0; o < types_[id].size(); ++o) {
      const Value output{static_cast<std::int32_t>(id), static_cast<std::int32_t>(o)};
      if (is_half(output) && ops::rounds_output(form, o)) rounded_[output] = cast(output, "float16");
    }
  }

  Value wide(Value value) {
    const auto [found, is_new] = wide_.try_emplace(value);
    if (is_new) found->second = cast(rounded(value), "float32");
    return found->second;
  }

  Value cast(Value value, const char* dtype) {
    const std::string& source = graph_.nodes[static_cast<std::size_t>(value.node)].name;
    Node node = ops::make_node(source + "_" + dtype, "Cast", {{"dtype", dtype}}, {value});
    node.notes.push_back("float16 is computed in float32");
    return {graph::append(graph_, std::move(node)), 0};
  }

  Graph& graph_;
  const shapes::ValueTypes& types_;  ///< of the nodes as they were
  std::map<Value, Value> wide_, rounded_;
};

}  // namespace

bool is_widened(const Graph& graph, const shapes::ValueTypes& types, std::size_t id) {
  const Node& node = graph.nodes[id];
  if (node.op == nullptr || node.op->traits.float16 == ops::Float16::own_kernels) return false;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
    const auto& outputs = types[static_cast<std::size_t>(input.node)];
    return outputs[static_cast<std::size_t>(input.index)].dtype == DType::float16;
  });
}

void widen_float16(Graph& graph, const shapes::ValueTypes& types) {
  Widener(graph, types).run();
}

}  // namespace mxinfer::passes
