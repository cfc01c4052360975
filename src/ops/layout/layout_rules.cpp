#include "ops/layout/layout_rules.h"

#include <utility>

#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

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

}  // namespace

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

}  // namespace mxinfer::ops
