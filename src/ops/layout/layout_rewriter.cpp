#include "ops/layout/layout_rewriter.h"

#include <utility>
#include <vector>

#include "ops/layout/channels_last.h"
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

LayoutRewriter::LayoutRewriter(graph::Graph& graph) : graph_(graph) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    for (Value input : graph.nodes[id].inputs) {
      const auto [known, is_first] = readers_.emplace(input, static_cast<std::int32_t>(id));
      if (!is_first) known->second = kNoOneReader;
    }
  }
  for (Value head : graph.heads) readers_[head] = kNoOneReader;
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

Value LayoutRewriter::transposed(Value value, const std::vector<std::int64_t>& axes,
                                 const std::string& suffix) {
  const std::string& source = graph_.nodes[static_cast<std::size_t>(value.node)].name;
  Node node = make_node(source + suffix, "transpose", {}, {value});
  node.attrs.set("axes", to_int_tuple(axes));
  return {graph::append(graph_, std::move(node)), 0};
}

Value LayoutRewriter::as_last(Value value, std::int64_t rank) {
  if (is_last(value)) return value;
  if (const auto found = last_of_.find(value); found != last_of_.end()) return found->second;
  std::vector<std::int64_t> axes;
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(channels_first_axis(d, rank));
  const Value last = transposed(value, axes, "_channels_last");
  last_of_.emplace(value, last);
  rank_.emplace(last, rank);
  first_of_.emplace(last, value);
  return last;
}

Value LayoutRewriter::as_first(Value value) {
  if (const auto found = first_of_.find(value); found != first_of_.end()) return found->second;
  const std::int64_t rank = rank_.at(value);
  std::vector<std::int64_t> axes;
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(channels_last_axis(d, rank));
  const Value first = transposed(value, axes, "_channels_first");
  first_of_.emplace(value, first);
  return first;
}

void LayoutRewriter::read_last(std::size_t id, std::int64_t rank) {
  for (std::size_t i = 0; i < node(id).inputs.size(); ++i) {
    const Value last = as_last(node(id).inputs[i], rank);
    node(id).inputs[i] = last;
  }
}

void LayoutRewriter::mark_outputs_last(std::size_t id, std::int64_t rank) {
  for (std::int32_t o = 0; o < node(id).num_outputs; ++o)
    rank_.emplace(Value{static_cast<std::int32_t>(id), o}, rank);
}

}  // namespace mxinfer::ops
