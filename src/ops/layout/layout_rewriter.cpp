#include "ops/layout/layout_rewriter.h"

#include "kernels/gemm/transpose.h"
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

using graph::Node;
using graph::Value;

// A parameter of one element, or of the rank of the data so that its dimensions are known: broadcast as
// before.
bool fits_broadcast(const Parameter* parameter, std::int64_t rank) {
  return parameter != nullptr &&
         (parameter->shape().elements() == 1 || static_cast<std::int64_t>(parameter->shape().rank()) == rank);
}

// The rank of a value in the model's order, if the operators before it say so, as those between the squeeze
// and the excitation of a block do.
std::optional<std::int64_t> known_rank(const LayoutRewriter& rewriter, Value value) {
  std::int64_t added = 0;
  for (;;) {
    const Node& node = rewriter.node(static_cast<std::size_t>(value.node));
    if (node.op == nullptr) return std::nullopt;
    const std::optional<OutputRank> rank = output_rank(node.op->traits, node.attrs);
    if (!rank) return std::nullopt;
    if (!rank->follows_input) return rank->rank + added;
    added += rank->rank;
    value = node.inputs[0];
    if (rewriter.is_moved(value)) return std::nullopt;
  }
}

template <typename Word>
void transpose_each(const Tensor& source, void* dst) {
  const Shape& shape = source.shape();
  const std::int64_t channels = shape.back(), positions = shape.elements(1, shape.rank() - 1);
  const auto* src = static_cast<const Word*>(source.raw());
  auto* out = static_cast<Word*>(dst);
  for (std::int64_t m = 0; m < shape[0]; ++m) {
    const std::int64_t at = m * channels * positions;
    kernels::transpose(src + at, channels, out + at, positions, channels);
  }
}

void write_channels_first(const Tensor& source, void* dst) {
  switch (size_of(source.dtype())) {
    case 1:
      return transpose_each<std::uint8_t>(source, dst);
    case 2:
      return transpose_each<std::uint16_t>(source, dst);
    case 4:
      return transpose_each<std::uint32_t>(source, dst);
    default:
      return transpose_each<std::uint64_t>(source, dst);
  }
}

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

void LayoutRewriter::mark_first_output_moved(std::size_t id, std::int64_t rank) {
  rank_.emplace(Value{static_cast<std::int32_t>(id), 0}, rank);
}

bool elementwise_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  rewriter.read_moved(id, rank);
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

bool broadcast_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const std::size_t count = rewriter.node(id).inputs.size();
  // A residual has the shape of the output.
  const std::size_t operands = count - (rewriter.node(id).post_ops.residual ? 1 : 0);
  for (std::size_t i = 0; i < operands; ++i) {
    const Value input = rewriter.node(id).inputs[i];
    if (!rewriter.is_moved(input) && !fits_broadcast(rewriter.constant(id, i), rank) &&
        known_rank(rewriter, input) != rank)
      return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter* parameter = rewriter.constant(id, i);
    if (parameter != nullptr && parameter->shape().elements() == 1 &&
        static_cast<std::int64_t>(parameter->shape().rank()) <= rank)
      continue;
    const Value last = rewriter.as_moved(rewriter.node(id).inputs[i], rank);
    rewriter.node(id).inputs[i] = last;
  }
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

std::optional<std::int64_t> moved_axis(const LayoutRewriter& rewriter, std::int64_t axis, std::int64_t rank) {
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  return rewriter.moved(axis, rank);
}

bool along_axis(LayoutRewriter& rewriter, std::size_t id, const char* attr) {
  const std::int64_t rank = rewriter.input_rank(id);
  const auto axis = moved_axis(rewriter, rewriter.node(id).attrs.integer(attr), rank);
  if (!axis) return false;
  rewriter.read_moved(id, rank);
  rewriter.node(id).attrs.set(attr, *axis);
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

graph::IntTuple moved_entries(const LayoutRewriter& rewriter, graph::IntTuple entries, std::int64_t rank,
                              std::int64_t count, graph::OptionalInt missing) {
  entries.resize(static_cast<std::size_t>(rank * count), missing);
  graph::IntTuple moved;
  for (std::int64_t d = 0; d < rank; ++d) {
    const auto from = entries.begin() + rewriter.in_model(d, rank) * count;
    moved.insert(moved.end(), from, from + count);
  }
  return moved;
}

std::shared_ptr<const Parameter> as_channels_first(const std::shared_ptr<const Parameter>& source) {
  return std::make_shared<const Parameter>(
      source->dtype(), to_channels_first(source->shape()),
      [source](void* dst) { write_channels_first(*source->value(), dst); },
      [source] { return source->is_at_hand(); });
}

}  // namespace mxinfer::ops
