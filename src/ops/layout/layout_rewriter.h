// LayoutRewriter: what the layout rule of an operator (ops/traits.h) sees of the graph. It knows which values
// are kept in another order of dimensions than the model's, and makes the other form of a value, by one
// transpose, if a reader needs it.
//
//   rewriter.read_moved(id, rewriter.input_rank(id));     // every input of the node in the new order
//   rewriter.node(id).attrs.set("dim", rewriter.moved(1, rank));
//   rewriter.mark_outputs_moved(id, rank);
//
// There are two ways: from channels-first to channels-last, which kernels are fast on, and from
// channels-last, as a model may state it, to channels-first, which all other passes know.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "graph/graph.h"

namespace mxinfer::ops {

/// The order that values are brought into: (N, spatial..., C), or (N, C, spatial...).
enum class ChannelOrder : std::uint8_t { last, first };

class LayoutRewriter {
 public:
  explicit LayoutRewriter(graph::Graph& graph, ChannelOrder to = ChannelOrder::last);

  /// The order that values are brought into. The model's is the other one.
  ChannelOrder to() const { return to_; }
  bool to_last() const { return to_ == ChannelOrder::last; }
  /// Where dimension `axis` of the model is in the new order. 0 <= axis < rank.
  std::int64_t moved(std::int64_t axis, std::int64_t rank) const;
  /// The dimension of the model that is dimension `axis` of the new order. Likewise.
  std::int64_t in_model(std::int64_t axis, std::int64_t rank) const;

  graph::Graph& graph() { return graph_; }
  graph::Node& node(std::size_t id) { return graph_.nodes[id]; }
  const graph::Node& node(std::size_t id) const { return graph_.nodes[id]; }

  bool is_moved(graph::Value value) const { return rank_.count(value) != 0; }
  /// The rank of the node's inputs that are kept in the new order; 0 if none is.
  std::int64_t input_rank(std::size_t id) const;
  const Parameter* constant(std::size_t id, std::size_t i) const;

  /// The value in the new order: itself, or what a transpose makes of it.
  graph::Value as_moved(graph::Value value, std::int64_t rank);
  /// The value as the model has it.
  graph::Value as_in_model(graph::Value value);

  /// The one node that reads a value of the graph as it was before any rewriting; nullptr if several do,
  /// or none, or it is an output of the model.
  graph::Node* only_reader(graph::Value value);

  /// Lets the node read all its inputs in the new order. Precondition: all have the same shape, or rank
  /// `rank`.
  void read_moved(std::size_t id, std::int64_t rank);
  /// Says that the outputs of a node are in the new order now.
  void mark_outputs_moved(std::size_t id, std::int64_t rank);
  /// The same of output 0 alone.
  void mark_first_output_moved(std::size_t id, std::int64_t rank);

 private:
  /// What a transpose of the model reads, if that transpose gives a value the model's order: nothing has to
  /// bring it back.
  std::optional<graph::Value> before_transpose(graph::Value value, std::int64_t rank) const;
  /// Whether a value is a parameter that becomes another one, without a transpose: passes look for
  /// parameters behind channels_first.
  bool is_reordered_at_once(graph::Value value, std::int64_t rank) const;
  graph::Value reordered(graph::Value value);
  graph::Value transposed_to_new(graph::Value value, std::int64_t rank);
  graph::Value transposed(graph::Value value, const std::vector<std::int64_t>& axes,
                          const std::string& suffix);

  graph::Graph& graph_;
  ChannelOrder to_;
  std::map<graph::Value, std::int64_t> rank_;  ///< of the values that are in the new order
  std::map<graph::Value, graph::Value> in_model_of_, moved_of_;
  std::map<graph::Value, std::int32_t> readers_;  ///< the one reader of a value, -1 if there are others
};

/// LayoutRule: one output element from the elements at the same place of inputs of one shape.
bool elementwise_layout(LayoutRewriter& rewriter, std::size_t id);

/// LayoutRule: the same of inputs that are broadcast. What is not in the new order yet must have a known
/// rank.
bool broadcast_layout(LayoutRewriter& rewriter, std::size_t id);

/// Of an operator along one dimension, which the integer attribute `attr` names.
bool along_axis(LayoutRewriter& rewriter, std::size_t id, const char* attr);

/// Where dimension `axis` of the model is in the new order; nothing if it is out of range, which lowering
/// reports.
std::optional<std::int64_t> moved_axis(const LayoutRewriter& rewriter, std::int64_t axis, std::int64_t rank);

/// One entry of `count` numbers for each dimension, moved to where the dimension is; `missing` fills up what
/// is left out at the end.
graph::IntTuple moved_entries(const LayoutRewriter& rewriter, graph::IntTuple entries, std::int64_t rank,
                              std::int64_t count, graph::OptionalInt missing);

}  // namespace mxinfer::ops
