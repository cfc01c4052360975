#include <algorithm>
#include <string>

#include "graph/redirects.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/bind/bind.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

bool is_open_end(const Node& node) {
  return node.op != nullptr &&
         (node.op->name == "_mxinfer_to_float32" || node.op->name == "_mxinfer_cast_like");
}

Node cast_of(const Node& end, DType dtype) {
  Node cast = ops::make_node(end.name, "Cast", {{"dtype", to_string(dtype)}}, {end.inputs[0]});
  cast.notes = end.notes;
  return cast;
}

}  // namespace

bool has_open_ends(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), is_open_end);
}

Graph resolve_ends(Graph graph, const shapes::ValueTypes& types) {
  const auto dtype_of = [&](Value value) {
    return types[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)].dtype;
  };
  graph::Redirects redirects;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (!is_open_end(node)) continue;
    const Value output{static_cast<std::int32_t>(id), 0};
    if (dtype_of(output) == dtype_of(node.inputs[0])) {
      redirects.add(output, node.inputs[0]);
    } else {
      node = cast_of(node, dtype_of(output));
    }
  }
  redirects.apply(graph);
  graph::remove_dead_nodes(graph);
  return graph;
}

}  // namespace mxinfer::passes
