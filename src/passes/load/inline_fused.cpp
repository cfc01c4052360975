#include "graph/redirects.h"
#include "ops/quantized/fused_subgraph.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool is_fused_of_floats(const Node& node) {
  return ops::is_fused_for_onednn(node) && !node.attrs.flag("quantized");
}

/// Appends the operators of the node's subgraph; returns the value that it gives.
Value append_subgraph(Graph& graph, const Node& node) {
  const Graph& body = *node.subgraphs[0];
  std::vector<std::int32_t> ids(body.nodes.size(), -1);
  const auto outside = [&](Value inside) {
    const Node& from = body.nodes[static_cast<std::size_t>(inside.node)];
    if (from.is_variable()) return node.inputs.at(static_cast<std::size_t>(from.input_index));
    return Value{ids[static_cast<std::size_t>(inside.node)], inside.index};
  };
  const Value head = body.heads[0];
  for (std::size_t id = 0; id < body.nodes.size(); ++id) {
    if (body.nodes[id].is_variable()) continue;
    Node copy = body.nodes[id];
    for (Value& input : copy.inputs) input = outside(input);
    // What computes the node's value keeps its name, by which programs ask for it.
    if (static_cast<std::int32_t>(id) == head.node) {
      copy.name = node.name;
      copy.value_names = node.value_names;
    }
    ids[id] = graph::append(graph, std::move(copy));
  }
  return outside(head);
}

}  // namespace

void inline_fused(Graph& graph) {
  graph::Redirects redirects;
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    if (!is_fused_of_floats(graph.nodes[id])) continue;
    const Node node = graph.nodes[id];
    redirects.add({static_cast<std::int32_t>(id), 0}, append_subgraph(graph, node));
  }
  if (graph.nodes.size() == count) return;
  redirects.apply(graph);
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
