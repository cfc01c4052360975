// How each operator goes on channels-last. A rule knows only attributes and which inputs are channels-last:
// no pass knows shapes.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ops/fused/channels_last.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/optimise/channels_last.h"

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
bool fits_broadcast(const Parameter* parameter, std::int64_t rank) {
  return parameter != nullptr &&
         (parameter->shape().elements() == 1 || static_cast<std::int64_t>(parameter->shape().rank()) == rank);
}

// The number of dimensions that a Reshape gives; nothing where its codes leave that open.
std::optional<std::int64_t> reshaped_rank(const Node& node) {
  const graph::IntTuple& shape = node.attrs.optional_tuple("shape");
  const bool counts = !shape.empty() && std::all_of(shape.begin(), shape.end(), [](const auto& size) {
    return size && *size >= -1;  // the other codes stand for several dimensions, or none
  });
  if (!counts) return std::nullopt;
  return static_cast<std::int64_t>(shape.size());
}

// The rank of a value in the model's order, where the operators before it say so, as those between the
// squeeze and the excitation of a block do.
std::optional<std::int64_t> known_rank(const LayoutRewriter& rewriter, Value value) {
  static const std::set<std::string>& kKeepRank =
      *new std::set<std::string>{"Activation", "SliceChannel", "_mul_scalar", "_div_scalar", "_plus_scalar",
                                 "clip",       "hard_sigmoid", "relu",        "sigmoid"};
  std::int64_t added = 0;
  for (;;) {
    const Node& node = rewriter.node(static_cast<std::size_t>(value.node));
    if (node.op == nullptr) return std::nullopt;
    const std::string& name = node.op->name;
    if (name == "Flatten" || (name == "FullyConnected" && node.attrs.flag("flatten"))) return 2 + added;
    if (name == "Reshape") {
      const auto rank = reshaped_rank(node);
      return rank ? std::optional(*rank + added) : std::nullopt;
    }
    const bool keeps =
        kKeepRank.count(name) != 0 && (name != "SliceChannel" || !node.attrs.flag("squeeze_axis"));
    if (name != "expand_dims" && !keeps) return std::nullopt;
    added += name == "expand_dims" ? 1 : 0;
    value = node.inputs[0];
    if (rewriter.is_last(value)) return std::nullopt;
  }
}

bool broadcast(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const std::size_t count = rewriter.node(id).inputs.size();
  // A residual has the shape of the output.
  const std::size_t operands = count - (rewriter.node(id).epilogue.residual ? 1 : 0);
  for (std::size_t i = 0; i < operands; ++i) {
    const Value input = rewriter.node(id).inputs[i];
    if (!rewriter.is_last(input) && !fits_broadcast(rewriter.constant(id, i), rank) &&
        known_rank(rewriter, input) != rank)
      return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Parameter* parameter = rewriter.constant(id, i);
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

bool concatenation(LayoutRewriter& rewriter, std::size_t id) {
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

// One entry of `count` numbers for each dimension, moved to where the dimension is.
graph::IntTuple moved_entries(graph::IntTuple entries, std::int64_t rank, std::int64_t count,
                              graph::OptionalInt missing) {
  entries.resize(static_cast<std::size_t>(rank * count), missing);
  graph::IntTuple moved;
  for (std::int64_t d = 0; d < rank; ++d) {
    const auto from = entries.begin() + ops::channels_first_axis(d, rank) * count;
    moved.insert(moved.end(), from, from + count);
  }
  return moved;
}

bool slice(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  const graph::IntTuple begin = node.attrs.optional_tuple("begin"), end = node.attrs.optional_tuple("end"),
                        step = node.attrs.optional_tuple("step");
  const bool fits = static_cast<std::int64_t>(begin.size()) <= rank && end.size() == begin.size() &&
                    (step.empty() || step.size() == begin.size());
  if (!fits) return false;
  node.attrs.set("begin", moved_entries(begin, rank, 1, std::nullopt));
  node.attrs.set("end", moved_entries(end, rank, 1, std::nullopt));
  if (!step.empty()) node.attrs.set("step", moved_entries(step, rank, 1, std::nullopt));
  rewriter.mark_outputs_last(id, rank);
  return true;
}

// As many elements as another value has, which is not brought into order for that alone; a parameter is,
// once.
bool slice_like(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  const Value data = rewriter.node(id).inputs[0];
  const Parameter* parameter = rewriter.constant(id, 0);
  const bool ordered = parameter != nullptr && static_cast<std::int64_t>(parameter->shape().rank()) == rank;
  if (!(rewriter.is_last(data) || ordered) || !rewriter.is_last(rewriter.node(id).inputs[1])) return false;
  const Value last = rewriter.as_last(data, rank);
  Node& node = rewriter.node(id);
  node.inputs[0] = last;
  graph::IntTuple axes;
  for (std::int64_t axis : node.attrs.tuple("axes")) {
    const auto moved = moved_axis(axis, rank);
    if (!moved) return false;
    axes.push_back(*moved);
  }
  node.attrs.set("axes", std::move(axes));
  rewriter.mark_outputs_last(id, rank);
  return true;
}

bool pad(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  const graph::IntTuple widths = node.attrs.optional_tuple("pad_width");
  if (static_cast<std::int64_t>(widths.size()) != 2 * rank) return false;
  node.attrs.set("pad_width", moved_entries(widths, rank, 2, 0));
  rewriter.mark_outputs_last(id, rank);
  return true;
}

bool upsampling(LayoutRewriter& rewriter, std::size_t id) {
  Node& node = rewriter.node(id);
  const std::int64_t rank = rewriter.input_rank(id);
  if (rank != 4 || node.attrs.choice("sample_type") != "nearest" || node.inputs.size() != 1) return false;
  node.op = ops::find_op("_mxinfer_upsampling_nhwc");
  rewriter.mark_outputs_last(id, rank);
  return true;
}

// Elements in a row, along one dimension. Along the height what has been along the width is upsampling.
bool repeat(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& node = rewriter.node(id);
  const auto axis = node.attrs.has("axis") ? moved_axis(node.attrs.integer("axis"), rank) : std::nullopt;
  if (!axis) return false;
  node.attrs.set("axis", *axis);
  rewriter.mark_outputs_last(id, rank);
  const Node& before = rewriter.node(static_cast<std::size_t>(node.inputs[0].node));
  const std::int64_t scale = node.attrs.integer("repeats");
  const bool both = rank == 4 && scale >= 1 && scale <= 1000 && *axis == 1 && before.op == node.op &&
                    before.attrs.integer("axis") == 2 && before.attrs.integer("repeats") == scale &&
                    rewriter.only_reader(node.inputs[0]) == &node;
  if (!both) return true;
  node.inputs = before.inputs;
  node.op = ops::find_op("_mxinfer_upsampling_nhwc");
  node.attrs = graph::parse_attrs(node.op->attrs, {{"scale", std::to_string(scale)}});
  return true;
}

bool is_reshape_to(const Node& node, const graph::IntTuple& shape) {
  return node.op != nullptr && node.op->name == "Reshape" && !node.attrs.flag("reverse") &&
         node.attrs.optional_tuple("shape") == shape;
}

// Channels are shuffled by Reshape (0, -4, groups, -1, -2), SwapAxis(1, 2) and Reshape (0, -3, -2). The same
// on the last dimension.
bool channel_shuffle(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  Node& split = rewriter.node(id);
  const graph::IntTuple shape = split.attrs.optional_tuple("shape");
  if (shape.size() != 5 || !shape[2] || *shape[2] < 1) return false;
  const auto groups = shape[2];
  if (!is_reshape_to(split, {0, -4, groups, -1, -2})) return false;
  Node* swap = rewriter.only_reader({static_cast<std::int32_t>(id), 0});
  if (swap == nullptr || swap->op == nullptr || swap->op->name != "SwapAxis") return false;
  if (swap->attrs.integer("dim1") + swap->attrs.integer("dim2") != 3 || swap->attrs.integer("dim1") < 1 ||
      swap->attrs.integer("dim2") < 1)
    return false;
  const auto swap_id = static_cast<std::int32_t>(swap - rewriter.graph().nodes.data());
  Node* join = rewriter.only_reader({swap_id, 0});
  if (join == nullptr || !is_reshape_to(*join, {0, -3, -2})) return false;
  graph::IntTuple front(static_cast<std::size_t>(rank - 1), 0), back = front;
  front.insert(front.end(), {-4, groups, -1});
  back.push_back(-3);
  split.attrs.set("shape", std::move(front));
  swap->attrs.set("dim1", rank - 1);
  swap->attrs.set("dim2", rank);
  join->attrs.set("shape", std::move(back));
  rewriter.mark_outputs_last(static_cast<std::size_t>(join - rewriter.graph().nodes.data()), rank);
  return true;
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
  static const std::map<std::string, LayoutRule>& table = *[] {
    auto& rules = *new std::map<std::string, LayoutRule>{
        {"BatchNorm", batch_norm},
        {"Concat", concatenation},
        {"LeakyReLU", leaky_relu},
        {"Pad", pad},
        {"Pooling", pooling},
        {"Reshape", channel_shuffle},
        {"SliceChannel", split},
        {"_split_v2", split},
        {"repeat", repeat},
        {"UpSampling", upsampling},
        {"slice", slice},
        {"slice_axis", slice_axis},
        {"slice_like", slice_like},
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
                             "ones_like",
                             "zeros_like",
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
    return &rules;
  }();
  return table;
}

}  // namespace

LayoutRule find_layout_rule(const std::string& op_name) {
  const auto found = rules().find(op_name);
  return found == rules().end() ? nullptr : found->second;
}

}  // namespace mxinfer::passes
