#include <string>

#include "ops/registry.h"
#include "passes/optimise/channels_last.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;

bool is_with_pooling(const Node& node) {
  return node.op != nullptr && node.op->name == "_mxinfer_convolution_pool_nhwc";
}

Node convolution_of(const Node& fused) {
  Node node = fused;
  node.name += "_convolution";
  node.op_name = "Convolution";
  node.op = ops::find_op("_mxinfer_convolution_nhwc");
  node.epilogue.activation = static_cast<graph::Activation>(fused.attrs.integer("activation"));
  node.epilogue.alpha = fused.attrs.number32("alpha");
  node.epilogue.beta = fused.attrs.number32("beta");
  node.attrs.set("activation", std::int64_t{0});
  node.notes.pop_back();  // what fuse_pooling said of it
  return node;
}

Node pooling_of(const Node& fused, graph::Value data) {
  Node node;
  node.name = fused.name;
  node.op = ops::find_op("Pooling");
  node.op_name = node.op->name;
  node.attrs = graph::parse_attrs(node.op->attrs, {{"pool_type", "max"}, {"layout", "NHWC"}});
  for (const char* name : {"kernel", "stride", "pad"})
    node.attrs.set(name, fused.attrs.optional_tuple(std::string("pool_") + name));
  node.attrs.set("pooling_convention", fused.attrs.choice("pool_convention"));
  node.inputs = {data};
  return node;
}

}  // namespace

void open_first_convolution(graph::Graph& graph, bool (*wanted)(const graph::Graph&, const Node&)) {
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    if (!is_with_pooling(graph.nodes[id]) || !wanted(graph, graph.nodes[id])) continue;
    const graph::Value sums{graph::append(graph, convolution_of(graph.nodes[id])), 0};
    graph.nodes[id] = pooling_of(graph.nodes[id], sums);
  }
  LayoutRewriter rewriter(graph);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op == nullptr || node.op->name != "_mxinfer_convolution_nhwc" || !node.attrs.flag("planes") ||
        !wanted(graph, node))
      continue;
    const auto rank = static_cast<std::int64_t>(node.attrs.tuple("kernel").size()) + 2;
    const graph::Value pixels = rewriter.as_last(node.inputs[0], rank);
    graph.nodes[id].inputs[0] = pixels;
    graph.nodes[id].attrs.set("planes", false);
  }
  graph::sort_topologically(graph);
}

}  // namespace mxinfer::passes
