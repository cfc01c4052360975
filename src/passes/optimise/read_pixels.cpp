#include "ops/layout/layout_rewriter.h"
#include "ops/op_def.h"
#include "passes/goal.h"
#include "passes/passes.h"

namespace mxinfer::passes {

using graph::Node;
using graph::Value;

// For bfloat16: a network's first convolution becomes one like the others, which reads channels-last images,
// behind a transpose. Nothing for float32.
void read_pixels(graph::Graph& graph, const Goal& goal) {
  if (goal.precision != kernels::Precision::bfloat16) return;
  ops::LayoutRewriter rewriter(graph);
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    const Node& node = graph.nodes[id];
    const bool reads_nchw =
        node.op != nullptr && node.op->name == "_mxinfer_convolution_nhwc" && node.attrs.flag("planes");
    if (!reads_nchw || !has_bfloat16_form(graph, node)) continue;
    const auto rank = static_cast<std::int64_t>(node.attrs.tuple("kernel").size()) + 2;
    const Value pixels = rewriter.as_moved(node.inputs[0], rank);
    graph.nodes[id].inputs[0] = pixels;
    graph.nodes[id].attrs.set("planes", false);
  }
  graph::sort_topologically(graph);
}

}  // namespace mxinfer::passes
