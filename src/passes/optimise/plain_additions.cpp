#include "ops/registry.h"
#include "passes/passes.h"
#include "passes/shape_forms.h"

namespace mxinfer::passes {
namespace {

bool may_broadcast(const graph::Node& node) {
  return node.op != nullptr && (node.op->name == "broadcast_add" || node.op->name == "_npi_add") &&
         node.inputs.size() == 2;
}

}  // namespace

// broadcast_add, and mx.np's addition, of values that have one shape for every input: elemwise_add,
// which convolutions and dense layers take in.
void plain_additions(graph::Graph& graph, const Goal& /*goal*/) {
  const ShapeForms forms(graph);
  for (graph::Node& node : graph.nodes) {
    if (!may_broadcast(node) || !forms.are_equal(node.inputs[0], node.inputs[1])) continue;
    node.op = ops::find_op("elemwise_add");
    node.op_name = node.op->name;
    node.attrs = graph::Attrs();
    node.notes.push_back("adds values of one shape");
  }
}

}  // namespace mxinfer::passes
