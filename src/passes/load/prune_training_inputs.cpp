#include <algorithm>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void prune_node(const graph::Graph& graph, graph::Node& node, std::vector<std::string>& notes) {
  const auto ports = ops::input_ports(*node.op, node.attrs).names;
  std::vector<graph::Value> kept;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (i < ports.size() && contains(node.op->training_inputs, ports[i])) {
      notes.push_back(concat("input ", ports[i], " (", printable(graph::value_name(graph, node.inputs[i])),
                             ") of ", graph::describe(node), " is for training only and was left out"));
    } else {
      kept.push_back(node.inputs[i]);
    }
  }
  node.inputs = std::move(kept);
}

}  // namespace

std::vector<std::string> prune_training_inputs(graph::Graph& graph) {
  std::vector<std::string> notes;
  for (graph::Node& node : graph.nodes) {
    if (node.op != nullptr && !node.op->training_inputs.empty()) prune_node(graph, node, notes);
  }
  graph::remove_dead_nodes(graph);
  return notes;
}

}  // namespace mxinfer::passes
