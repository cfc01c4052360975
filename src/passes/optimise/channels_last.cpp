#include "ops/layout/layout_rewriter.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Value;
using ops::LayoutRewriter;

void read_as_in_model(LayoutRewriter& rewriter, std::size_t id) {
  for (std::size_t i = 0; i < rewriter.node(id).inputs.size(); ++i) {
    const Value input = rewriter.node(id).inputs[i];
    if (!rewriter.is_last(input)) continue;
    const Value first = rewriter.as_first(input);
    rewriter.node(id).inputs[i] = first;
  }
}

}  // namespace

void channels_last(graph::Graph& graph) {
  LayoutRewriter rewriter(graph);
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    const ops::OpDef* op = graph.nodes[id].op;
    if (op == nullptr) continue;
    const bool reads_last = rewriter.input_rank(id) != 0;
    if (!reads_last && !op->traits.begins_channels_last) continue;
    const ops::LayoutRule rule = ops::layout_rule(op->traits);
    if (rule != nullptr && rule(rewriter, id)) continue;
    if (reads_last) read_as_in_model(rewriter, id);
  }
  for (std::size_t i = 0; i < graph.heads.size(); ++i) {
    const Value head = graph.heads[i];
    if (!rewriter.is_last(head)) continue;
    const Value first = rewriter.as_first(head);
    graph.heads[i] = first;
  }
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
