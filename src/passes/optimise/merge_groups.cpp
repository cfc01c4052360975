// Groups of few filters fill a small part of a vector of sums. Some of them side by side are one group whose
// filters are zero outside of their own channels: more is multiplied, and most of it costs nothing.
#include <algorithm>

#include "graph/node_of.h"
#include "ops/op_def.h"
#include "passes/optimise/affine.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;

/// Filters that a group should have: two vectors of eight, one of sixteen.
constexpr std::int64_t kFilters = 16;

/// How many groups to put together: the least that divides them and has filters enough, or all.
std::int64_t merged_groups(std::int64_t groups, std::int64_t filters) {
  for (std::int64_t merged = 1; merged < groups; ++merged) {
    if (groups % merged == 0 && merged * filters >= kFilters) return merged;
  }
  return groups;
}

Tensor side_by_side(const Tensor& weight, std::int64_t groups, std::int64_t merged) {
  Shape shape = weight.shape();
  const std::int64_t filters = shape[0] / groups, channels = shape[1];
  const std::int64_t taps = shape.elements(2, shape.rank());
  shape[1] = channels * merged;
  Tensor wide(DType::float32, shape);
  for (std::int64_t m = 0; m < shape[0]; ++m) {
    const std::int64_t place = m / filters % merged;
    std::copy_n(weight.data<float>() + m * channels * taps, channels * taps,
                wide.data<float>() + (m * merged + place) * channels * taps);
  }
  return wide;
}

void merge(Graph& graph, std::size_t id) {
  const Node& node = graph.nodes[id];
  if (node.op == nullptr || node.op->name != "_mxinfer_convolution_nhwc") return;
  const Parameter* weight = float_parameter(graph, node, 1);
  if (weight == nullptr || weight->elements() == 0) return;
  const auto given = groups_of(node, weight->shape()[0]);
  if (!given) return;
  const std::int64_t groups = *given, filters = weight->shape()[0] / groups;
  // A filter for each channel has a kernel of its own.
  const bool depthwise = weight->shape()[1] == 1 && filters == 1;
  const std::int64_t merged = depthwise ? 1 : merged_groups(groups, filters);
  if (merged <= 1) return;
  const graph::Value wide =
      append_parameter(graph, node.name + "_merged_weight", side_by_side(*weight->value(), groups, merged));
  Node& changed = graph.nodes[id];
  changed.inputs[1] = wide;
  changed.attrs.set("num_group", groups / merged);
  changed.notes.push_back("groups merged, " + std::to_string(merged) + " in one");
}

}  // namespace

// Behind channels_last: a convolution of many groups of few filters becomes one of fewer groups.
void merge_groups(Graph& graph, const Goal& /*goal*/) {
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) merge(graph, id);
  graph::sort_topologically(graph);
  graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
