#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;

// "fc1_output", or "fc1" for output 0 of a node.
graph::Value find_value(const Graph& graph, const std::string& name) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    for (std::int32_t o = 0; o < graph.nodes[id].num_outputs; ++o) {
      const graph::Value value{static_cast<std::int32_t>(id), o};
      if (ops::output_name(graph, value) == name || graph::value_name(graph, value) == name) return value;
    }
  }
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].name == name) return {static_cast<std::int32_t>(id), 0};
  }
  fail(ErrorCode::not_found, "the network has no value '", printable(name),
       "' to give as an output; `mxinfer inspect --nodes` lists the names");
}

}  // namespace

void take_outputs(Graph& graph, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<graph::Value> heads;
  for (const std::string& name : names) heads.push_back(find_value(graph, name));
  graph.heads = std::move(heads);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
