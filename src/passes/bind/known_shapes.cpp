#include "passes/bind/known_shapes.h"

#include <map>
#include <string>

#include "ops/op_def.h"
#include "ops/registry.h"

namespace mxinfer::passes {

using graph::Graph;
using graph::Node;

namespace {

Shape origin_of(Shape shape) {
  for (std::size_t d = 0; d < shape.rank(); ++d) shape[d] = 0;
  return shape;
}

}  // namespace

void complete_shapes(Graph& graph, const shapes::ValueTypes& types) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (node.op == nullptr || node.op->leaves_open == nullptr || !node.op->leaves_open(node.attrs)) continue;
    node.op->complete(node.attrs, types[id][0].shape);
  }
}

bool state_shapes(Graph& graph, const shapes::ValueTypes& types) {
  bool any = false;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    Node& node = graph.nodes[id];
    if (node.op == nullptr || !node.post_ops.empty() || node.inputs.size() != 2 || types[id].size() != 1)
      continue;
    const Shape& shape = types[id][0].shape;
    std::map<std::string, std::string> attrs;
    std::string op;
    if (shape.rank() == 0 || shape.elements() == 0) continue;
    if (node.op->name == "slice_like") {
      op = "slice";
      attrs = {{"begin", to_string(origin_of(shape))}, {"end", to_string(shape)}};
    } else if (node.op->name == "reshape_like") {
      op = "Reshape";
      attrs = {{"shape", to_string(shape)}};
    } else {
      continue;
    }
    const std::vector<std::string> notes = node.notes;
    node = ops::make_node(node.name, op, attrs, {node.inputs[0]});
    node.notes = notes;
    any = true;
  }
  return any;
}

}  // namespace mxinfer::passes
