#include "passes/cast_head.h"

#include <string>

#include "base/fail.h"
#include "ops/registry.h"

namespace mxinfer::passes {

using graph::Node;

void cast_head(graph::Graph& graph, std::size_t h, DType dtype) {
  const std::string& source = graph.nodes[static_cast<std::size_t>(graph.heads[h].node)].name;
  Node cast = ops::make_node(source + "_cast", "Cast", {{"dtype", to_string(dtype)}}, {graph.heads[h]});
  cast.notes.push_back(concat("the output stays ", to_string(dtype)));
  graph.heads[h] = {graph::append(graph, std::move(cast)), 0};
}

}  // namespace mxinfer::passes
