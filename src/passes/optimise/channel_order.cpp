#include <algorithm>

#include "ops/layout/layout_rewriter.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Value;
using ops::ChannelOrder;
using ops::LayoutRewriter;

void read_as_in_model(LayoutRewriter& rewriter, std::size_t id) {
  for (std::size_t i = 0; i < rewriter.node(id).inputs.size(); ++i) {
    const Value input = rewriter.node(id).inputs[i];
    if (!rewriter.is_moved(input)) continue;
    const Value in_model = rewriter.as_in_model(input);
    rewriter.node(id).inputs[i] = in_model;
  }
}

void reorder(graph::Graph& graph, ChannelOrder to) {
  LayoutRewriter rewriter(graph, to);
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    const ops::OpDef* op = graph.nodes[id].op;
    if (op == nullptr) continue;
    const bool reads_moved = rewriter.input_rank(id) != 0;
    if (!reads_moved && !op->traits.begins_channels_last) continue;
    const ops::LayoutRule rule = ops::layout_rule(op->traits);
    if (rule != nullptr && rule(rewriter, id)) continue;
    if (reads_moved) read_as_in_model(rewriter, id);
  }
  for (std::size_t i = 0; i < graph.heads.size(); ++i) {
    const Value head = graph.heads[i];
    if (!rewriter.is_moved(head)) continue;
    const Value in_model = rewriter.as_in_model(head);
    graph.heads[i] = in_model;
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

bool states_channels_last(const graph::Node& node) {
  return node.op != nullptr && node.op->traits.begins_channels_last && ops::has_channels_last(node.attrs);
}

}  // namespace

// Convolutions with float32 parameters, and what lies between them, keep their values channels-last,
// (N, spatial..., C), which their fastest kernels read and write; a transpose stands where a reader needs
// the model's own order. Channels-first images of few channels are read as they are.
void channels_last(graph::Graph& graph, const Goal& /*goal*/) {
  reorder(graph, ChannelOrder::last);
}

bool has_channels_last_convolutions(const graph::Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), states_channels_last);
}

// Convolutions whose attribute layout says that channels come last become channels-first ones of the same
// numbers: their weights are reordered, what lies between them follows (ops/layout/layout_rewriter.h), and a
// transpose stands where a reader needs the model's own order. MXNet computes such networks on GPUs alone.
void channels_first(graph::Graph& graph, const Goal& /*goal*/) {
  if (has_channels_last_convolutions(graph)) reorder(graph, ChannelOrder::first);
}

}  // namespace mxinfer::passes
