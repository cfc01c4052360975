#include "ops/layout/layout_rewriter.h"

#include <utility>
#include <vector>

#include "ops/layout/channels_last.h"
#include "ops/layout/reorder_parameter.h"
#include "ops/op_def.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

using graph::Node;
using graph::Value;

graph::IntTuple to_int_tuple(const std::vector<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

constexpr std::int32_t kNoOneReader = -1;

}  // namespace

LayoutRewriter::LayoutRewriter(graph::Graph& graph, ChannelOrder to) : graph_(graph), to_(to) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    for (Value input : graph.nodes[id].inputs) {
      const auto [known, is_first] = readers_.emplace(input, static_cast<std::int32_t>(id));
      if (!is_first) known->second = kNoOneReader;
    }
  }
  for (Value head : graph.heads) readers_[head] = kNoOneReader;
}

std::int64_t LayoutRewriter::moved(std::int64_t axis, std::int64_t rank) const {
  return to_last() ? channels_last_axis(axis, rank) : channels_first_axis(axis, rank);
}

std::int64_t LayoutRewriter::in_model(std::int64_t axis, std::int64_t rank) const {
  return to_last() ? channels_first_axis(axis, rank) : channels_last_axis(axis, rank);
}

Node* LayoutRewriter::only_reader(Value value) {
  const auto found = readers_.find(value);
  if (found == readers_.end() || found->second == kNoOneReader) return nullptr;
  return &graph_.nodes[static_cast<std::size_t>(found->second)];
}

std::int64_t LayoutRewriter::input_rank(std::size_t id) const {
  for (Value input : graph_.nodes[id].inputs) {
    if (const auto found = rank_.find(input); found != rank_.end()) return found->second;
  }
  return 0;
}

const Parameter* LayoutRewriter::constant(std::size_t id, std::size_t i) const {
  const Node& node = graph_.nodes[id];
  if (i >= node.inputs.size()) return nullptr;
  return graph_.nodes[static_cast<std::size_t>(node.inputs[i].node)].constant.get();
}

std::optional<Value> LayoutRewriter::before_transpose(Value value, std::int64_t rank) const {
  const Node& node = graph_.nodes[static_cast<std::size_t>(value.node)];
  if (node.op == nullptr || node.op->name != "transpose") return std::nullopt;
  const std::vector<std::int64_t> axes = node.attrs.tuple("axes");
  if (static_cast<std::int64_t>(axes.size()) != rank || is_moved(node.inputs[0])) return std::nullopt;
  for (std::int64_t d = 0; d < rank; ++d) {
    if (axes[static_cast<std::size_t>(d)] != moved(d, rank)) return std::nullopt;
  }
  return node.inputs[0];
}

Value LayoutRewriter::transposed(Value value, const std::vector<std::int64_t>& axes,
                                 const std::string& suffix) {
  const std::string& source = graph_.nodes[static_cast<std::size_t>(value.node)].name;
  Node node = make_node(source + suffix, "transpose", {}, {value});
  node.attrs.set("axes", to_int_tuple(axes));
  return {graph::append(graph_, std::move(node)), 0};
}

bool LayoutRewriter::is_reordered_at_once(Value value, std::int64_t rank) const {
  const auto& parameter = graph_.nodes[static_cast<std::size_t>(value.node)].constant;
  return !to_last() && parameter && static_cast<std::int64_t>(parameter->shape().rank()) == rank;
}

Value LayoutRewriter::reordered(Value value) {
  const Node& from = graph_.nodes[static_cast<std::size_t>(value.node)];
  Node variable;
  variable.name = from.name + "_channels_first";
  variable.constant = as_channels_first(from.constant);
  return {graph::append(graph_, std::move(variable)), 0};
}

Value LayoutRewriter::transposed_to_new(Value value, std::int64_t rank) {
  std::vector<std::int64_t> axes;
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(in_model(d, rank));
  return transposed(value, axes, to_last() ? "_channels_last" : "_channels_first");
}

Value LayoutRewriter::as_moved(Value value, std::int64_t rank) {
  if (is_moved(value)) return value;
  if (const auto found = moved_of_.find(value); found != moved_of_.end()) return found->second;
  if (const auto before = before_transpose(value, rank)) return *before;
  const Value moved = is_reordered_at_once(value, rank) ? reordered(value) : transposed_to_new(value, rank);
  moved_of_.emplace(value, moved);
  rank_.emplace(moved, rank);
  in_model_of_.emplace(moved, value);
  return moved;
}

Value LayoutRewriter::as_in_model(Value value) {
  if (const auto found = in_model_of_.find(value); found != in_model_of_.end()) return found->second;
  const std::int64_t rank = rank_.at(value);
  std::vector<std::int64_t> axes;
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(moved(d, rank));
  const Value first = transposed(value, axes, to_last() ? "_channels_first" : "_channels_last");
  in_model_of_.emplace(value, first);
  return first;
}

void LayoutRewriter::read_moved(std::size_t id, std::int64_t rank) {
  for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
    const Value moved = as_moved(node(id).inputs[i], rank);
    node(id).inputs[i] = moved;
  }
}

void LayoutRewriter::mark_outputs_moved(std::size_t id, std::int64_t rank) {
  for (std::int32_t o = 0; o < node(id).num_outputs; ++o)
    rank_.emplace(Value{static_cast<std::int32_t>(id), o}, rank);
}

}  // namespace mxinfer::ops
