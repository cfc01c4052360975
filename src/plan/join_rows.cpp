#include "plan/join_rows.h"

#include <vector>

#include "ops/op_def.h"

namespace mxinfer::plan {
namespace {

using graph::Node;
using ops::TensorType;

/// How often output 0 of each node is read; what the network gives counts too.
std::vector<int> count_readers(const graph::Graph& graph) {
  std::vector<int> readers(graph.nodes.size());
  const auto count = [&](graph::Value value) { ++readers[static_cast<std::size_t>(value.node)]; };
  for (const Node& node : graph.nodes) {
    for (graph::Value input : node.inputs) count(input);
  }
  for (graph::Value head : graph.heads) count(head);
  return readers;
}

bool writes_apart(const Node& node, const std::vector<TensorType>& outputs) {
  return !node.is_variable() && node.op->writes_rows_apart && outputs.size() == 1 &&
         outputs[0].shape.elements() > 0;
}

}  // namespace

std::map<std::size_t, JoinedRows> join_rows(const graph::Graph& graph, const ValueTypes& types) {
  std::map<std::size_t, JoinedRows> joined;
  const std::vector<int> readers = count_readers(graph);
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    if (node.is_variable() || node.op->joins_rows == nullptr) continue;
    const TensorType& whole = types[n][0];
    if (whole.shape.elements() == 0 || !node.op->joins_rows(node.attrs, whole.shape.rank())) continue;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto producer = static_cast<std::size_t>(node.inputs[i].node);
      const TensorType& part = types[producer][static_cast<std::size_t>(node.inputs[i].index)];
      if (writes_apart(graph.nodes[producer], types[producer]) && readers[producer] == 1)
        joined[producer] = {static_cast<std::int32_t>(n), i, whole.shape.back(), offset};
      offset += static_cast<std::size_t>(part.shape.back()) * size_of(part.dtype);
    }
  }
  return joined;
}

}  // namespace mxinfer::plan
