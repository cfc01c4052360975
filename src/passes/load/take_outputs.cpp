#include "ops/value_names.h"
#include "passes/passes.h"

namespace mxinfer::passes {

void take_outputs(graph::Graph& graph, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const ops::ValueIndex index(graph);
  std::vector<graph::Value> heads;
  for (const std::string& name : names) heads.push_back(index.find(name));
  graph.heads = std::move(heads);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
