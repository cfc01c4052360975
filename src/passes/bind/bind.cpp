#include "passes/bind/bind.h"

#include <algorithm>
#include <utility>

#include "ops/op_def.h"
#include "passes/bind/split_batch.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

bool is_in_disguise(const graph::Node& node) {
  return node.op != nullptr && node.op->canonicalise != nullptr;
}

graph::Graph canonical(graph::Graph graph) {
  for (graph::Node& node : graph.nodes) {
    if (is_in_disguise(node)) node.op->canonicalise(node);
  }
  return graph;
}

bool widens_any(const graph::Graph& graph, const shapes::ValueTypes& types) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (is_widened(graph, types, id)) return true;
  }
  return false;
}

}  // namespace

Bound bind(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs,
           const BindOptions& options) {
  Bound bound{std::nullopt, shapes::infer_types(graph, inputs)};
  const auto rewrite = [&](graph::Graph rewritten) {
    bound.rewritten = std::move(rewritten);
    bound.types = shapes::infer_types(*bound.rewritten, inputs);
  };
  // First: what follows knows no ends.
  if (has_open_ends(graph)) rewrite(resolve_ends(graph, bound.types));
  const auto current = [&]() -> const graph::Graph& { return bound.rewritten ? *bound.rewritten : graph; };
  // Of a graph that was not optimised. Behind the inference, so that errors speak of the operator that the
  // file has.
  if (has_channels_last_convolutions(current())) {
    graph::Graph first = current();
    channels_first(first);
    rewrite(std::move(first));
  }
  // What follows sees the operators that run. Behind the inference, likewise.
  const std::vector<graph::Node>& nodes = current().nodes;
  if (std::any_of(nodes.begin(), nodes.end(), is_in_disguise)) rewrite(canonical(current()));
  // Before batches are split: the casts belong into the samples' subgraph.
  if (widens_any(current(), bound.types)) {
    graph::Graph widened = current();
    widen_float16(widened, bound.types);
    rewrite(std::move(widened));
  }
  if (options.fuses_views) {
    if (std::optional<graph::Graph> fused = fuse_views(current(), inputs, bound.types, options.packs_outputs))
      rewrite(std::move(*fused));
  }
  // Last: the operators that it takes into a subgraph are those that run.
  if (!options.splits_batches) return bound;
  if (std::optional<graph::Graph> split = split_batch(current(), inputs, bound.types))
    rewrite(std::move(*split));
  return bound;
}

}  // namespace mxinfer::passes
