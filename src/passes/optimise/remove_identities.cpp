#include "graph/redirects.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {

using graph::Node;

// Lets the readers of a node that passes its input through at inference (Dropout, BlockGrad, _copy) read
// that input. After remove_amp_casts.
void remove_identities(graph::Graph& graph, const Goal& /*goal*/) {
  graph::Redirects redirects;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.op == nullptr || node.op->op_class != ops::OpClass::identity || node.inputs.empty()) continue;
    redirects.add({static_cast<std::int32_t>(i), 0}, node.inputs[0]);
  }
  redirects.apply(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
