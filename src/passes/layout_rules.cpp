// How each operator goes on channels-last. A rule knows only attributes and which inputs are channels-last:
// no pass knows shapes.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ops/channels_last.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/channels_last.h"

namespace mxinfer::passes {
namespace {

using graph::Node;
using graph::Value;

// One output element from the elements at the same place.
bool elementwise(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  rewriter.read_last(id, rank);
  rewriter.mark_outputs_last(id, rank);
  return true;
}

// A parameter of one element, or of the rank of the data so that its dimensions are known: broadcast as
// before.
bool fits_broadcast(const Tensor* parameter, std::int64_t rank) {
  return parameter != nullptr &&
         (parameter->shape().elements() == 1 || static_cast<std::int64_t>(parameter->shape().rank()) == rank);
}

bool broadcast(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const std::size_t count = rewriter.node(id).inputs.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!rewriter.is_last(rewriter.node(id).inputs[i]) && !fits_broadcast(rewriter.constant(id, i), rank))
      return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor* parameter = rewriter.constant(id, i);
    if (parameter != nullptr && parameter->shape().elements() == 1 &&
        static_cast<std::int64_t>(parameter->shape().rank()) <= rank)
      continue;
    const Value last = rewriter.as_last(rewriter.node(id).inputs[i], rank);
    rewriter.node(id).inputs[i] = last;
  }
  rewriter.mark_outputs_last(id, rank);
  return true;
}

// Dimension `axis` of the model, channels-last; nothing where it is out of range, which lowering reports.
std::optional<std::int64_t> moved_axis(std::int64_t axis, std::int64_t rank) {
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return std::nullopt;
  return ops::channels_last_axis(axis, rank);
}

// An operator along one dimension, named by `attr`.
bool along_axis(LayoutRewriter& rewriter, std::size_t id, const char* attr) {
  const std::int64_t rank = rewriter.input_rank(id);
  const auto axis = moved_axis(rewriter.node(id).attrs.integer(attr), rank);
  if (!axis) return false;
  rewriter.read_last(id, rank);
  rewriter.node(id).attrs.set(attr, *axis);
  rewriter.mark_outputs_last(id, rank);
  return true;
}

bool concat(LayoutRewriter& rewriter, std::size_t id) {
  return along_axis(rewriter, id, "dim");
}

bool softmax(LayoutRewriter& rewriter, std::size_t id) {
  return rewriter.node(id).inputs.size() == 1 && along_axis(rewriter, id, "axis");
}

bool slice_axis(LayoutRewriter& rewriter, std::size_t id) {
  return along_axis(rewriter, id, "axis");
}

bool split(LayoutRewriter& rewriter, std::size_t id) {
  return !rewriter.node(id).attrs.flag("squeeze_axis") && along_axis(rewriter, id, "axis");
}

bool batch_norm(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  const auto axis = moved_axis(node.attrs.integer("axis"), rank);
  if (!rewriter.is_last(node.inputs[0]) || !axis || node.num_outputs != 1) return false;
  node.attrs.set("axis", *axis);
  rewriter.mark_outputs_last(id, rank);
  return true;
}

bool leaky_relu(LayoutRewriter& rewriter, std::size_t id) {
  if (rewriter.node(id).attrs.choice("act_type") != "prelu") return elementwise(rewriter, id);
  Node& node = rewriter.node(id);
  const std::int64_t rank = rewriter.input_rank(id);
  if (!rewriter.is_last(node.inputs[0]) || rewriter.constant(id, 1) == nullptr) return false;
  node.op = ops::find_op("_mxinfer_prelu_nhwc");
  rewriter.mark_outputs_last(id, rank);
  return true;
}

bool pooling(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  if (node.attrs.has("layout") && node.attrs.choice("layout").back() == 'C') return false;
  const char* layouts[] = {"NWC", "NHWC", "NDHWC"};
  node.attrs.set("layout", std::string(layouts[rank - 3]));
  rewriter.mark_outputs_last(id, rank);
  return true;
}

// To one output a channel: the mean of the plane.
bool adaptive_average(LayoutRewriter& rewriter, std::size_t id) {
  const std::vector<std::int64_t> size = rewriter.node(id).attrs.tuple("output_size");
  if (rewriter.input_rank(id) != 4 || std::any_of(size.begin(), size.end(), [](auto n) { return n != 1; }))
    return false;
  Node& node = rewriter.node(id);
  node.op = ops::find_op("Pooling");
  node.attrs = graph::parse_attrs(node.op->attrs, {{"global_pool", "True"}, {"pool_type", "avg"}});
  return pooling(rewriter, id);
}

// Sums over dimensions. Without keepdims the rest must come out in the model's order.
bool reduce(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  if (!node.attrs.has("axis") || node.attrs.flag("exclude")) return false;
  std::set<std::int64_t> reduced;
  for (std::int64_t axis : node.attrs.tuple("axis")) {
    const auto moved = moved_axis(axis, rank);
    if (!moved) return false;
    reduced.insert(*moved);
  }
  const bool keeps = node.attrs.flag("keepdims");
  const bool channels_go = reduced.count(rank - 1) != 0;
  bool plane_goes = true;
  for (std::int64_t d = 1; d + 1 < rank; ++d) plane_goes = plane_goes && reduced.count(d) != 0;
  if (reduced.empty() || (!keeps && !channels_go && !plane_goes)) return false;
  node.attrs.set("axis", graph::IntTuple(reduced.begin(), reduced.end()));
  if (keeps) rewriter.mark_outputs_last(id, rank);
  return true;
}

// The model's own transpose takes up ours; where it asks for channels-last, as detectors do before they
// flatten, nothing is left to do.
bool transpose(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  const std::vector<std::int64_t> axes = node.attrs.tuple("axes");
  if (static_cast<std::int64_t>(axes.size()) != rank) return false;
  graph::IntTuple moved;
  for (std::int64_t axis : axes) {
    const auto at = moved_axis(axis, rank);
    if (!at) return false;
    moved.push_back(*at);
  }
  node.attrs.set("axes", std::move(moved));
  return true;
}

const std::map<std::string, LayoutRule>& rules() {
  static const std::map<std::string, LayoutRule> table = [] {
    std::map<std::string, LayoutRule> rules{
        {"BatchNorm", batch_norm},
        {"Concat", concat},
        {"LeakyReLU", leaky_relu},
        {"Pooling", pooling},
        {"SliceChannel", split},
        {"_split_v2", split},
        {"slice_axis", slice_axis},
        {"softmax", softmax},
        {"log_softmax", softmax},
        {"transpose", transpose},
        {"_contrib_AdaptiveAvgPooling2D", adaptive_average},
    };
    for (const char* name : {"mean", "sum", "max", "min", "prod"}) rules.emplace(name, reduce);
    for (const char* name : {"Activation",
                             "relu",
                             "sigmoid",
                             "hard_sigmoid",
                             "softsign",
                             "tanh",
                             "exp",
                             "log",
                             "sqrt",
                             "rsqrt",
                             "square",
                             "abs",
                             "negative",
                             "erf",
                             "clip",
                             "Cast",
                             "amp_cast",
                             "_plus_scalar",
                             "_minus_scalar",
                             "_rminus_scalar",
                             "_mul_scalar",
                             "_div_scalar",
                             "_rdiv_scalar",
                             "_power_scalar",
                             "_maximum_scalar",
                             "_minimum_scalar",
                             "elemwise_add",
                             "elemwise_sub",
                             "elemwise_mul",
                             "elemwise_div",
                             "add_n"})
      rules.emplace(name, elementwise);
    for (const char* name : {"broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_div",
                             "broadcast_maximum", "broadcast_minimum", "broadcast_power"})
      rules.emplace(name, broadcast);
    return rules;
  }();
  return table;
}

}  // namespace

LayoutRule find_layout_rule(const std::string& op_name) {
  const auto found = rules().find(op_name);
  return found == rules().end() ? nullptr : found->second;
}

}  // namespace mxinfer::passes
