#include "passes/infer_outputs.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "graph/hints.h"
#include "passes/passes.h"
#include "passes/value_dtypes.h"
#include "shapes/complete_shapes.h"
#include "shapes/infer.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;

Graph with_dtypes(Graph graph, const std::vector<DType>& dtypes) {
  for (Node& node : graph.nodes) {
    if (node.input_index < 0 || static_cast<std::size_t>(node.input_index) >= dtypes.size()) continue;
    const DType dtype = dtypes[static_cast<std::size_t>(node.input_index)];
    graph::set_dtype_hint(node, dtype);
  }
  return graph;
}

/// The network as it is computed; nothing if that is how the file has it. The first look is cheap: most have
/// no halves at all.
std::optional<Graph> in_float32(const Graph& graph, const std::vector<DType>& dtypes) {
  const bool may_be = std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    return (node.constant && is_half(node.constant->dtype())) ||
           (node.op != nullptr && node.attrs.has("dtype"));
  });
  if (!may_be && std::none_of(dtypes.begin(), dtypes.end(), [](DType dtype) { return is_half(dtype); }))
    return std::nullopt;
  if (!has_halves_for_gpus(graph, dtypes)) return std::nullopt;
  Graph stated = with_dtypes(graph, dtypes);
  remove_amp_casts(stated);
  halves_in_float32(stated);
  return stated;
}

}  // namespace

std::vector<ops::TensorType> infer_outputs(const Graph& graph, const std::vector<ops::TensorType>& inputs) {
  std::vector<DType> dtypes;
  for (const ops::TensorType& input : inputs) dtypes.push_back(input.dtype);
  const std::optional<Graph> computed = in_float32(graph, dtypes);
  const Graph& network = computed ? *computed : graph;
  const shapes::ValueTypes types = shapes::infer_types(network, inputs);
  std::vector<ops::TensorType> outputs;
  for (graph::Value head : network.heads)
    outputs.push_back(types[static_cast<std::size_t>(head.node)][static_cast<std::size_t>(head.index)]);
  return outputs;
}

ops::PartialShapes complete_inputs(const Graph& graph, ops::PartialShapes inputs,
                                   const std::vector<DType>& dtypes) {
  const std::optional<Graph> computed = in_float32(graph, dtypes);
  return shapes::complete_inputs(computed ? *computed : graph, std::move(inputs), dtypes);
}

}  // namespace mxinfer::passes
