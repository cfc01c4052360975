// LayoutRewriter: what the layout rule of an operator (ops/traits.h) sees of the graph. It knows which values
// are kept channels-last, and makes the other form of a value, by one transpose, if a reader needs it.
//
//   rewriter.read_last(id, rewriter.input_rank(id));     // every input of the node channels-last
//   rewriter.node(id).attrs.set("dim", std::int64_t{3});
//   rewriter.mark_outputs_last(id, rank);
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "graph/graph.h"

namespace mxinfer::ops {

class LayoutRewriter {
 public:
  explicit LayoutRewriter(graph::Graph& graph);

  graph::Graph& graph() { return graph_; }
  graph::Node& node(std::size_t id) { return graph_.nodes[id]; }
  const graph::Node& node(std::size_t id) const { return graph_.nodes[id]; }

  bool is_last(graph::Value value) const { return rank_.count(value) != 0; }
  /// The rank of the node's inputs that are channels-last; 0 if none is.
  std::int64_t input_rank(std::size_t id) const;
  /// The value of input i, if it is a parameter.
  const Parameter* constant(std::size_t id, std::size_t i) const;

  /// The value channels-last: itself, or what a transpose makes of it.
  graph::Value as_last(graph::Value value, std::int64_t rank);
  /// The value as the model has it.
  graph::Value as_first(graph::Value value);

  /// The one node that reads a value of the graph as it was before any rewriting; nullptr if several do,
  /// or none, or it is an output of the model.
  graph::Node* only_reader(graph::Value value);

  /// Lets the node read all its inputs channels-last. Precondition: all have the same shape, or rank `rank`.
  void read_last(std::size_t id, std::int64_t rank);
  /// Says that the outputs of a node are channels-last now.
  void mark_outputs_last(std::size_t id, std::int64_t rank);

 private:
  graph::Value transposed(graph::Value value, const std::vector<std::int64_t>& axes,
                          const std::string& suffix);

  graph::Graph& graph_;
  std::map<graph::Value, std::int64_t> rank_;  ///< of the values that are channels-last
  std::map<graph::Value, graph::Value> first_of_, last_of_;
  std::map<graph::Value, std::int32_t> readers_;  ///< the one reader of a value, -1 if there are others
};

}  // namespace mxinfer::ops
