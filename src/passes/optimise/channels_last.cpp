#include "passes/optimise/channels_last.h"

#include <algorithm>

#include "kernels/conv_nhwc/conv_nhwc.h"
#include "ops/fused/channels_last.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

graph::IntTuple to_int_tuple(const std::vector<std::int64_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

bool all_ones(const std::vector<std::int64_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n == 1; });
}

// A convolution of float32 parameters: others have no channels-last kernel, or would be packed at every run.
bool is_eligible(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  if (node.op == nullptr || (node.op->name != "Convolution" && node.op->name != "Convolution_v1"))
    return false;
  const Parameter* weight = rewriter.constant(id, 1);
  const std::size_t rank = node.attrs.tuple("kernel").size() + 2;
  return weight != nullptr && weight->dtype() == DType::float32 && weight->shape().rank() == rank &&
         rank >= 3 && rank <= 5 && node.attrs.integer("num_group") > 0;
}

// Whether its kernel can read a picture's planes, so that no transpose is needed.
bool can_read_planes(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  const std::vector<std::int64_t> dilate = node.attrs.tuple("dilate");
  kernels::ConvShape shape;
  shape.channels = rewriter.constant(id, 1)->shape()[1];
  shape.groups = node.attrs.integer("num_group");
  return node.attrs.tuple("kernel").size() < 3 && all_ones(dilate) && kernels::reads_planes(shape);
}

void rewrite_convolution(LayoutRewriter& rewriter, std::size_t id) {
  const auto rank = static_cast<std::int64_t>(rewriter.node(id).attrs.tuple("kernel").size()) + 2;
  const Value data = rewriter.node(id).inputs[0];
  const bool planes = !rewriter.is_last(data) && can_read_planes(rewriter, rewriter.node(id), id);
  const Value read = planes ? data : rewriter.as_last(data, rank);
  rewriter.node(id).inputs[0] = read;
  if (rewriter.node(id).epilogue.residual) {
    const Value residual = rewriter.as_last(rewriter.node(id).inputs.back(), rank);
    rewriter.node(id).inputs.back() = residual;
  }
  Node& node = rewriter.node(id);
  node.op = ops::find_op("_mxinfer_convolution_nhwc");
  node.attrs.set("planes", planes);
  for (const char* flag : {"border", "slopes"}) node.attrs.set(flag, false, false);
  node.attrs.set("activation", std::int64_t{0}, false);
  rewriter.mark_outputs_last(id, rank);
}

void read_as_in_model(LayoutRewriter& rewriter, std::size_t id) {
  for (std::size_t i = 0; i < rewriter.node(id).inputs.size(); ++i) {
    const Value input = rewriter.node(id).inputs[i];
    if (!rewriter.is_last(input)) continue;
    const Value first = rewriter.as_first(input);
    rewriter.node(id).inputs[i] = first;
  }
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
  Node node;
  node.name = graph_.nodes[static_cast<std::size_t>(value.node)].name + suffix;
  node.op = ops::find_op("transpose");
  node.op_name = node.op->name;
  node.attrs = graph::parse_attrs(node.op->attrs, {});
  node.attrs.set("axes", to_int_tuple(axes));
  node.inputs = {value};
  return {graph::append(graph_, std::move(node)), 0};
}

Value LayoutRewriter::as_last(Value value, std::int64_t rank) {
  if (is_last(value)) return value;
  if (const auto found = last_of_.find(value); found != last_of_.end()) return found->second;
  std::vector<std::int64_t> axes;
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(ops::channels_first_axis(d, rank));
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
  for (std::int64_t d = 0; d < rank; ++d) axes.push_back(ops::channels_last_axis(d, rank));
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

void channels_last(graph::Graph& graph) {
  LayoutRewriter rewriter(graph);
  const std::size_t count = graph.nodes.size();
  for (std::size_t id = 0; id < count; ++id) {
    if (is_eligible(rewriter, graph.nodes[id], id)) {
      rewrite_convolution(rewriter, id);
      continue;
    }
    if (rewriter.input_rank(id) == 0) continue;
    const LayoutRule rule = find_layout_rule(graph.nodes[id].op->name);
    if (rule == nullptr || !rule(rewriter, id)) read_as_in_model(rewriter, id);
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
