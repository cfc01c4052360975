#include "ops/fused/view_program.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "ops/common/axes.h"
#include "ops/fused/move_recorder.h"
#include "ops/fused/view_digits.h"

namespace mxinfer::ops {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using OperandKind = ElementOperand::Kind;
using Kind = ViewChange::Kind;

const std::set<std::string>& moving_ops() {
  static const auto& names = *new std::set<std::string>{"Reshape",
                                                        "Flatten",
                                                        "expand_dims",
                                                        "squeeze",
                                                        "transpose",
                                                        "SwapAxis",
                                                        "stack",
                                                        "Concat",
                                                        "slice",
                                                        "slice_axis",
                                                        "SliceChannel",
                                                        "_split_v2",
                                                        "_mxinfer_upsampling_nhwc",
                                                        "broadcast_to",
                                                        "broadcast_axis",
                                                        "tile",
                                                        "repeat",
                                                        "depth_to_space",
                                                        "space_to_depth"};
  return names;
}

/// A graph with the types of its values, and what its moving operators move.
struct ViewGraph {
  const Graph& graph;
  std::vector<std::vector<TensorType>> types;  ///< by node
  std::vector<std::vector<CopyJob>> moves;     ///< by node

  const Shape& shape(Value value) const {
    return types[static_cast<std::size_t>(value.node)][static_cast<std::size_t>(value.index)].shape;
  }
};

ViewGraph typed(const Graph& graph, const std::vector<TensorType>& inputs) {
  ViewGraph result{graph, {}, {}};
  for (const Node& node : graph.nodes) {
    std::vector<TensorType> own;
    for (const Value input : node.inputs) {
      TensorType type;
      type.shape = result.shape(input);
      own.push_back(type);
    }
    std::vector<CopyJob> moves;
    if (node.is_variable()) {
      TensorType type;
      type.shape = inputs.at(static_cast<std::size_t>(node.input_index)).shape;
      result.types.push_back({type});
    } else {
      const std::size_t residual = node.post_ops.residual ? 1 : 0;
      std::vector<TensorType> operands(own.begin(), own.end() - static_cast<std::ptrdiff_t>(residual));
      result.types.push_back(node.op->infer({node.attrs, operands}));
      if (only_moves(node)) moves = recorded_moves(node, own, result.types.back());
    }
    result.moves.push_back(std::move(moves));
  }
  return result;
}

/// Sorted from the outermost on, as they are in memory.
std::vector<ViewAxis> axes_of(const Shape& shape) {
  std::vector<ViewAxis> axes;
  const auto strides = row_major_strides(shape);
  for (std::size_t d = 0; d < shape.rank(); ++d) axes.push_back({strides[d], shape[d]});
  return axes;
}

/// The dimensions of a walk by the place where they are in the output, which has so many elements.
struct WalkAxes {
  std::vector<std::size_t> dims;
  std::vector<ViewAxis> axes;  ///< as wide as the output, of which the walk may be a part
};

WalkAxes axes_of(const Walk& walk, std::int64_t elements) {
  WalkAxes result;
  result.dims.resize(walk.dims.size());
  std::iota(result.dims.begin(), result.dims.end(), std::size_t{0});
  std::stable_sort(result.dims.begin(), result.dims.end(),
                   [&](std::size_t a, std::size_t b) { return walk.dst_strides[a] > walk.dst_strides[b]; });
  std::int64_t outer = elements;
  for (const std::size_t d : result.dims) {
    const std::int64_t stride = walk.dst_strides[d];
    result.axes.push_back({stride, stride > 0 ? outer / stride : 0});
    outer = stride;
  }
  return result;
}

/// Writes the program of one segment; stops at a change that the segment needs, or at an obstacle.
class SegmentWriter {
 public:
  SegmentWriter(const ViewGraph& from, ViewSegment& segment) : from_(from), segment_(segment) {}

  /// Whether it did.
  bool write(Value output) {
    const auto result = trace(output, {segment_.dst_strides, segment_.dst_offset});
    if (!result) return false;
    const bool is_last = result->kind == OperandKind::result && result->index + 1 == segment_.program.size();
    if (!is_last) append("identity", {}, {*result});
    return true;
  }
  const ViewChange& change() const { return change_; }
  std::int32_t obstacle() const { return obstacle_; }

 private:
  using Traced = std::optional<ElementOperand>;

  Traced trace(Value value, const ViewAccess& access) {
    const auto key = std::tuple(value.node, value.index, access.strides, access.offset);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const Node& node = from_.graph.nodes[static_cast<std::size_t>(value.node)];
    Traced result;
    if (node.is_variable()) {
      segment_.loads.push_back({static_cast<std::size_t>(node.input_index), access.strides, access.offset});
      result = ElementOperand{OperandKind::input, segment_.loads.size() - 1, 0};
    } else {
      result = only_moves(node) ? trace_move(value, access) : trace_function(value, node, access);
    }
    if (result) known_.emplace(key, *result);
    return result;
  }

  Traced trace_function(Value value, const Node& node, const ViewAccess& access) {
    if (node.op->name == "where") return trace_where(value, node, access);
    const ElementFunction function = *element_function(node);
    using Form = ElementFunction::Kind;
    const ElementOperand number{OperandKind::number, 0, function.scalar};
    std::vector<ElementOperand> operands;
    if (function.name == "zeros_like" || function.name == "ones_like") {
      operands = {{OperandKind::number, 0, 0}};  // what they read does not matter
    } else {
      if (function.kind == Form::of_scalar) operands.push_back(number);
      const std::size_t own = function.kind == Form::binary ? 2 : 1;
      for (std::size_t i = 0; i < own; ++i) {
        const Traced operand = trace_operand(value, node.inputs[i], access);
        if (!operand) return std::nullopt;
        operands.push_back(*operand);
      }
      if (function.kind == Form::scalar) operands.push_back(number);
    }
    ElementOperand last = append(function.name, function.params, std::move(operands));
    if (node.post_ops.residual) {
      const Traced residual = trace_operand(value, node.inputs.back(), access);
      if (!residual) return std::nullopt;
      last = append("add", {}, {last, *residual});
    }
    if (node.post_ops.activation != graph::Activation::none) {
      const ElementFunction activation = activation_function(node.post_ops);
      last = append(activation.name, activation.params, {last});
    }
    return last;
  }

  /// A condition of as many elements.
  Traced trace_where(Value value, const Node& node, const ViewAccess& access) {
    std::vector<ElementOperand> operands;
    for (const Value input : node.inputs) {
      if (from_.shape(input) != from_.shape(value)) return stop_at(value.node);
      const Traced operand = trace(input, access);
      if (!operand) return std::nullopt;
      operands.push_back(*operand);
    }
    append("identity", {}, {operands[0]});
    return append("select", {}, {operands[1], operands[2]});
  }

  /// An input that broadcasts to the value.
  Traced trace_operand(Value value, Value input, const ViewAccess& access) {
    const Shape &out = from_.shape(value), &in = from_.shape(input);
    if (in == out) return trace(input, access);
    const ViewDigits digits = view_digits(segment_.sizes, access, axes_of(out));
    if (digits.change.kind != Kind::none) return change(digits.change, value.node);
    const auto strides = row_major_strides(in);
    std::vector<std::int64_t> own(out.rank(), 0);
    for (std::size_t d = 0; d < in.rank(); ++d) {
      if (in[in.rank() - 1 - d] > 1) own[out.rank() - 1 - d] = strides[in.rank() - 1 - d];
    }
    ViewAccess moved{std::vector<std::int64_t>(segment_.sizes.size(), 0), 0};
    for (std::size_t a = 0; a < own.size(); ++a) moved.offset += digits.first[a] * own[a];
    for (std::size_t d = 0; d < segment_.sizes.size(); ++d) {
      if (digits.axis[d] != ViewDigits::kNoAxis) moved.strides[d] = digits.step[d] * own[digits.axis[d]];
    }
    return trace(input, moved);
  }

  Traced trace_move(Value value, const ViewAccess& access) {
    const Node& node = from_.graph.nodes[static_cast<std::size_t>(value.node)];
    for (const CopyJob& job : from_.moves[static_cast<std::size_t>(value.node)]) {
      if (job.output != static_cast<std::size_t>(value.index)) continue;
      const WalkAxes walk = axes_of(job.walk, from_.shape(value).elements());
      const ViewDigits digits = view_digits(segment_.sizes, access, walk.axes);
      if (digits.change.kind != Kind::none) return change(digits.change, value.node);
      bool is_beside = false;
      ViewAccess moved{std::vector<std::int64_t>(segment_.sizes.size(), 0), job.walk.src_offset};
      std::int64_t begin = job.walk.dst_offset;
      for (std::size_t a = 0; a < walk.axes.size() && !is_beside; ++a) {
        const std::size_t dim = walk.dims[a];
        const std::int64_t low = begin / walk.axes[a].stride, high = low + job.walk.dims[dim];
        begin %= walk.axes[a].stride;
        const std::int64_t first = digits.first[a], last = digits.last(a, segment_.sizes);
        is_beside = last < low || first >= high;
        if (is_beside) continue;
        if (first < low) return change(cut_at_border(segment_.sizes, digits, a, low), value.node);
        if (last >= high) return change(cut_at_border(segment_.sizes, digits, a, high), value.node);
        moved.offset += (first - low) * job.walk.src_strides[dim];
        for (std::size_t d = 0; d < segment_.sizes.size(); ++d) {
          if (digits.axis[d] == a) moved.strides[d] = digits.step[d] * job.walk.src_strides[dim];
        }
      }
      if (is_beside) continue;
      if (job.element) return stop_at(value.node);
      return trace(node.inputs[job.input], moved);
    }
    return stop_at(value.node);
  }

  Traced change(const ViewChange& change, std::int32_t node) {
    if (change.kind == Kind::impossible) return stop_at(node);
    change_ = change;
    return std::nullopt;
  }
  Traced stop_at(std::int32_t node) {
    obstacle_ = node;
    return std::nullopt;
  }

  ElementOperand append(std::string function, kernels::UnaryParams params,
                        std::vector<ElementOperand> operands) {
    segment_.program.push_back({std::move(function), params, std::move(operands), {}});
    return {OperandKind::result, segment_.program.size() - 1, 0};
  }

  const ViewGraph& from_;
  ViewSegment& segment_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::vector<std::int64_t>, std::int64_t>, ElementOperand>
      known_;
  ViewChange change_{};
  std::int32_t obstacle_ = -1;
};

/// The parts of a segment without program, which has one dimension more then, or is two.
std::vector<ViewSegment> changed(const ViewSegment& segment, const ViewChange& change) {
  const std::size_t d = change.dim;
  ViewSegment first;
  first.sizes = segment.sizes;
  first.dst_strides = segment.dst_strides;
  first.dst_offset = segment.dst_offset;
  if (change.kind == Kind::split) {
    const auto at = static_cast<std::ptrdiff_t>(d);
    first.sizes[d] /= change.at;
    first.sizes.insert(first.sizes.begin() + at + 1, change.at);
    first.dst_strides.insert(first.dst_strides.begin() + at, segment.dst_strides[d] * change.at);
    return {first};
  }
  ViewSegment second = first;
  first.sizes[d] = change.at;
  second.sizes[d] -= change.at;
  second.dst_offset += change.at * second.dst_strides[d];
  return {first, second};
}

/// Drops dimensions of one place, and joins those that all walk as one.
void simplify(ViewSegment& segment) {
  ViewSegment simple;
  simple.loads = segment.loads;
  for (ViewLoad& load : simple.loads) load.strides.clear();
  for (std::size_t d = 0; d < segment.sizes.size(); ++d) {
    const std::int64_t size = segment.sizes[d];
    if (size == 1) continue;
    bool joins = !simple.sizes.empty() && simple.dst_strides.back() == segment.dst_strides[d] * size;
    for (std::size_t i = 0; joins && i < segment.loads.size(); ++i)
      joins = simple.loads[i].strides.back() == segment.loads[i].strides[d] * size;
    if (joins) {
      simple.sizes.back() *= size;
      simple.dst_strides.back() = segment.dst_strides[d];
    } else {
      simple.sizes.push_back(size);
      simple.dst_strides.push_back(segment.dst_strides[d]);
    }
    for (std::size_t i = 0; i < segment.loads.size(); ++i) {
      std::vector<std::int64_t>& strides = simple.loads[i].strides;
      if (joins) strides.pop_back();
      strides.push_back(segment.loads[i].strides[d]);
    }
  }
  segment.sizes = std::move(simple.sizes);
  segment.dst_strides = std::move(simple.dst_strides);
  segment.loads = std::move(simple.loads);
}

}  // namespace

std::int64_t ViewSegment::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) product *= size;
  return product;
}

bool only_moves(const Node& node) {
  return node.op != nullptr && node.post_ops.empty() && moving_ops().count(node.op->name) > 0;
}

bool has_view_program(const Node& node) {
  if (node.op == nullptr || !node.control_deps.empty()) return false;
  return only_moves(node) || element_function(node) || (node.op->name == "where" && node.post_ops.empty());
}

ViewProgramOrObstacle view_program(const Graph& graph, const std::vector<TensorType>& inputs) {
  const ViewGraph from = typed(graph, inputs);
  const Value output = graph.heads.at(0);
  ViewSegment whole;
  whole.sizes = {from.shape(output).elements()};
  whole.dst_strides = {1};
  std::deque<ViewSegment> open{whole};
  ViewProgramOrObstacle result;
  while (!open.empty()) {
    ViewSegment segment = std::move(open.front());
    open.pop_front();
    SegmentWriter writer(from, segment);
    if (writer.write(output)) {
      simplify(segment);
      result.program.push_back(std::move(segment));
      continue;
    }
    if (writer.obstacle() >= 0) return {{}, writer.obstacle()};
    for (ViewSegment& part : changed(segment, writer.change())) open.push_front(std::move(part));
    if (open.size() + result.program.size() > kMostViewSegments) return {{}, output.node};
  }
  return result;
}

}  // namespace mxinfer::ops
