// Operators that repeat elements: broadcast_to, broadcast_axis, broadcast_like, tile, repeat.
// Concat and stack: several inputs side by side.
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

using ShapeFn = Shape (*)(const InferContext&);

// from[axis] -> size, which must be the same or stretch a single element.
void stretch(Shape& shape, std::size_t axis, std::int64_t size) {
  if (shape[axis] != size && shape[axis] != 1) {
    fail(ErrorCode::invalid_argument, "axis ", axis, " of shape ", to_string(shape),
         " cannot be broadcast to ", size, " elements; only axes of one can");
  }
  shape[axis] = size;
}

Shape broadcast_to_shape(const InferContext& context) {
  Shape shape = context.shape(0);
  const auto target = context.attrs.tuple("shape");
  if (target.size() != shape.rank()) {
    fail(ErrorCode::invalid_argument, "shape has ", target.size(), " entries, the input's shape is ",
         to_string(shape));
  }
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (target[d] < 0) fail(ErrorCode::malformed, "attribute shape holds ", target[d]);
    if (target[d] != 0) stretch(shape, d, target[d]);  // 0 keeps the input's
  }
  return shape;
}

// Aligned at the last dimension; -2 keeps the input's.
Shape numpy_broadcast_shape(const InferContext& context) {
  const Shape& from = context.shape(0);
  const auto target = context.attrs.tuple("shape");
  if (target.size() < from.rank()) {
    fail(ErrorCode::invalid_argument, "shape has ", target.size(), " entries, the input's shape is ",
         to_string(from));
  }
  const std::size_t added = target.size() - from.rank();
  Shape shape = from;
  for (std::size_t d = 0; d < added; ++d) shape.insert(0, 1);
  for (std::size_t d = 0; d < target.size(); ++d) {
    if (target[d] == -2 && d >= added) continue;
    if (target[d] < 0) fail(ErrorCode::malformed, "attribute shape holds ", target[d]);
    stretch(shape, d, target[d]);
  }
  return shape;
}

Shape broadcast_axis_shape(const InferContext& context) {
  Shape shape = context.shape(0);
  const auto axes = context.attrs.tuple("axis"), sizes = context.attrs.tuple("size");
  if (axes.size() != sizes.size()) {
    fail(ErrorCode::malformed, "axis and size have ", axes.size(), " and ", sizes.size(),
         " entries; they must have the same number");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (sizes[i] < 1) fail(ErrorCode::malformed, "attribute size holds ", sizes[i], "; expected at least 1");
    const std::size_t d = resolve_axis("axis", axes[i], shape.rank());
    if (shape[d] != 1) {
      fail(ErrorCode::invalid_argument, "axis ", axes[i], " of an input of shape ", to_string(shape), " has ",
           shape[d], " elements; only axes of one can be broadcast");
    }
    shape[d] = sizes[i];
  }
  return shape;
}

Shape broadcast_like_shape(const InferContext& context) {
  Shape shape = context.shape(0);
  const Shape& like = context.shape(1);
  const bool has_lhs = context.attrs.has("lhs_axes"), has_rhs = context.attrs.has("rhs_axes");
  if (has_lhs != has_rhs) fail(ErrorCode::malformed, "lhs_axes and rhs_axes must be given together");
  if (!has_lhs) {
    if (like.rank() != shape.rank()) {
      fail(ErrorCode::invalid_argument,
           "without axes both inputs need the same number of dimensions; their shapes are ", to_string(shape),
           " and ", to_string(like));
    }
    for (std::size_t d = 0; d < shape.rank(); ++d) stretch(shape, d, like[d]);
    return shape;
  }
  const auto lhs = context.attrs.tuple("lhs_axes"), rhs = context.attrs.tuple("rhs_axes");
  if (lhs.size() != rhs.size() || lhs.empty()) {
    fail(ErrorCode::malformed, "lhs_axes and rhs_axes have ", lhs.size(), " and ", rhs.size(),
         " entries; they must have the same number, and at least one");
  }
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    stretch(shape, resolve_axis("lhs_axes", lhs[i], shape.rank()),
            like[resolve_axis("rhs_axes", rhs[i], like.rank())]);
  }
  return shape;
}

InferFn infer_shape(ShapeFn shape_of) {
  return [shape_of](const InferContext& context) -> std::vector<TensorType> {
    return {{context.dtype(0), shape_of(context)}};
  };
}

Step lower_broadcast(LowerContext& context) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  Walk walk(out);
  const auto strides = row_major_strides(in);
  const std::size_t added = out.rank() - in.rank();
  for (std::size_t d = 0; d < out.rank(); ++d) {
    walk.src_strides[d] = d < added || in[d - added] == 1 ? 0 : strides[d - added];
  }
  return copy_step(context, {{0, 0, walk}});
}

/// The input's shape and the repetitions, brought to the same rank with ones in front.
std::pair<Shape, std::vector<std::int64_t>> tile_parts(const Attrs& attrs, Shape shape) {
  auto reps = attrs.tuple("reps");
  while (reps.size() < shape.rank()) reps.insert(reps.begin(), 1);
  while (shape.rank() < reps.size()) shape.insert(0, 1);
  const std::int64_t least = attrs.given(kNumpyShape) ? 0 : 1;
  for (std::int64_t rep : reps) {
    if (rep < least) fail(ErrorCode::malformed, "attribute reps holds ", rep, "; expected at least ", least);
  }
  return {shape, reps};
}

std::int64_t times(std::int64_t size, std::int64_t repeats) {
  const auto product = checked_mul(size, repeats);
  if (!product)
    fail(ErrorCode::invalid_argument, size, " elements repeated ", repeats, " times are too many");
  return *product;
}

std::vector<TensorType> infer_tile(const InferContext& context) {
  auto [shape, reps] = tile_parts(context.attrs, context.shape(0));
  for (std::size_t d = 0; d < shape.rank(); ++d) shape[d] = times(shape[d], reps[d]);
  return {{context.dtype(0), shape}};
}

Step lower_tile(LowerContext& context) {
  const auto [shape, reps] = tile_parts(context.attrs(), context.input(0).shape);
  const auto in = row_major_strides(shape), out = row_major_strides(context.output(0).shape);
  Walk walk;
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    walk.add(reps[d], 0, shape[d] * out[d]);
    walk.add(shape[d], in[d], out[d]);
  }
  return copy_step(context, {{0, 0, walk}});
}

std::vector<TensorType> infer_repeat(const InferContext& context) {
  const std::int64_t repeats = context.attrs.integer("repeats");
  Shape shape = context.shape(0);
  if (!context.attrs.has("axis")) return {{context.dtype(0), Shape{times(shape.elements(), repeats)}}};
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), shape.rank());
  if (repeats == 0) return {{context.dtype(0), Shape{0}}};  // as MXNet has it, whatever the axis
  shape[axis] = times(shape[axis], repeats);
  return {{context.dtype(0), shape}};
}

Step lower_repeat(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const std::int64_t repeats = context.attrs().integer("repeats");
  Walk walk;
  if (!context.attrs().has("axis")) {
    walk.add(shape.elements(), 1, repeats);
    walk.add(repeats, 0, 1);
    return copy_step(context, {{0, 0, walk}});
  }
  const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), shape.rank());
  const std::int64_t inner = shape.elements(axis + 1, shape.rank());
  walk.add(shape.elements(0, axis + 1), inner, inner * repeats);
  walk.add(repeats, 0, inner);
  walk.add(inner, 1, 1);
  return copy_step(context, {{0, 0, walk}});
}

// Elements in a row, along one dimension. Along the height what has been along the width is upsampling.
bool repeat_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const auto axis =
      node.attrs.has("axis") ? moved_axis(rewriter, node.attrs.integer("axis"), rank) : std::nullopt;
  if (!axis) return false;
  node.attrs.set("axis", *axis);
  rewriter.mark_outputs_moved(id, rank);
  const graph::Node& before = rewriter.node(static_cast<std::size_t>(node.inputs[0].node));
  const std::int64_t scale = node.attrs.integer("repeats");
  const bool both = rewriter.to_last() && rank == 4 && scale >= 1 && scale <= 1000 && *axis == 1 &&
                    before.op == node.op && before.attrs.integer("axis") == 2 &&
                    before.attrs.integer("repeats") == scale && rewriter.only_reader(node.inputs[0]) == &node;
  if (!both) return true;
  node.inputs = before.inputs;
  node.op = find_op("_mxinfer_upsampling_nhwc");
  node.attrs = graph::parse_attrs(node.op->attrs, {{"scale", std::to_string(scale)}});
  return true;
}

void require_inputs(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "at least one input is expected, none was given");
}

[[noreturn]] void fail_input(const InferContext& context, std::size_t i) {
  fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.inputs[i]), ", input 0 is ",
       to_string(context.inputs[0]), "; they cannot be concatenated");
}

std::vector<TensorType> infer_concat(const InferContext& context) {
  require_inputs(context);
  Shape shape = context.shape(0);
  const std::size_t axis = resolve_axis("dim", context.attrs.integer("dim"), shape.rank());
  for (std::size_t i = 1; i < context.count(); ++i) {
    const Shape& other = context.shape(i);
    if (other.rank() != shape.rank() || context.dtype(i) != context.dtype(0)) fail_input(context, i);
    for (std::size_t d = 0; d < shape.rank(); ++d) {
      if (d != axis && other[d] != shape[d]) fail_input(context, i);
    }
    const auto sum = checked_add(shape[axis], other[axis]);
    if (!sum) fail_input(context, i);
    shape[axis] = *sum;
  }
  return {{context.dtype(0), shape}};
}

std::vector<TensorType> infer_stack(const InferContext& context) {
  require_inputs(context);
  for (std::size_t i = 1; i < context.count(); ++i) {
    if (!(context.inputs[i] == context.inputs[0])) fail_input(context, i);
  }
  Shape shape = context.shape(0);
  shape.insert(resolve_axis("axis", context.attrs.integer("axis"), shape.rank() + 1),
               static_cast<std::int64_t>(context.count()));
  return {{context.dtype(0), shape}};
}

Step lower_concat(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const auto out_strides = strides_of(context.output(0));
  const std::size_t axis = resolve_axis("dim", context.attrs().integer("dim"), out.rank());
  std::vector<CopyJob> jobs;
  std::int64_t position = 0;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const Shape& in = context.input(i).shape;
    Walk walk(in);
    walk.dst_strides = out_strides;
    walk.dst_offset = position * out_strides[axis];
    position += in[axis];
    jobs.push_back({i, 0, walk});
  }
  return copy_step(context, jobs);
}

Step lower_stack(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const std::size_t axis = resolve_axis("axis", context.attrs().integer("axis"), out.rank());
  auto dst_strides = row_major_strides(out);
  const std::int64_t step = dst_strides[axis];
  dst_strides.erase(dst_strides.begin() + static_cast<std::ptrdiff_t>(axis));
  std::vector<CopyJob> jobs;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    Walk walk(context.input(i).shape);
    walk.dst_strides = dst_strides;
    walk.dst_offset = static_cast<std::int64_t>(i) * step;
    jobs.push_back({i, 0, walk});
  }
  return copy_step(context, jobs);
}

}  // namespace

std::vector<OpDef> broadcast_ops() {
  return {
      {.name = "broadcast_to",
       .summary = "Repeats axes of one element to the sizes of shape; 0 keeps an axis.",
       .attrs = {tuple_attr("shape", "()")},
       .infer = infer_shape(broadcast_to_shape),
       .lower = lower_broadcast},
      {.name = "_npi_broadcast_to",
       .summary =
           "Repeats axes of one element, and new ones in front, to the sizes of shape; -2 keeps an axis.",
       .attrs = {tuple_attr("shape", "()")},
       .inputs = named_ports({"array"}),
       .infer = infer_shape(numpy_broadcast_shape),
       .lower = lower_broadcast},
      {.name = "broadcast_axis",
       .aliases = {"broadcast_axes"},
       .summary = "Repeats each axis in `axis`, which must have one element, to the size given in `size`.",
       .attrs = {tuple_attr("axis", "()"), tuple_attr("size", "()")},
       .infer = infer_shape(broadcast_axis_shape),
       .lower = lower_broadcast},
      {.name = "broadcast_like",
       .summary = "Repeats axes of one element of lhs to the sizes of rhs, all axes or those listed.",
       .attrs = {tuple_attr("lhs_axes", "None"), tuple_attr("rhs_axes", "None")},
       .inputs = named_ports({"lhs", "rhs"}),
       .traits = {.reads_only_shape_of_second = true},
       .infer = infer_shape(broadcast_like_shape),
       .lower = lower_broadcast},
      {.name = "tile",
       .aliases = {"_npi_tile"},
       .summary = "The whole input reps[d] times along each axis.",
       .attrs = {tuple_attr("reps")},
       .infer = infer_tile,
       .lower = lower_tile},
      {.name = "repeat",
       .aliases = {"_np_repeat"},
       .summary = "Each element `repeats` times along axis, or of the flattened input.",
       .attrs = {integer_attr("repeats").at_least(0), integer_attr("axis").optional_none()},
       .traits = {.channels_last = repeat_layout},
       .infer = infer_repeat,
       .lower = lower_repeat},
  };
}

std::vector<OpDef> concat_ops() {
  OpDef concat_op{.name = "Concat", .aliases = {"concat", "_sparse_concat"}};
  concat_op.summary = "The inputs one after another along dim.";
  concat_op.attrs = {integer_attr("num_args").at_least(1), integer_attr("dim", 1)};
  concat_op.inputs = counted_ports("num_args");
  concat_op.traits.per_sample = [](const Attrs& attrs, std::size_t rank) {
    return attrs.integer("dim") != 0 && attrs.integer("dim") > -static_cast<std::int64_t>(rank);
  };
  concat_op.traits.batched_inputs = true;
  concat_op.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
    return along_axis(rewriter, id, "dim");
  };
  concat_op.traits.follows_bfloat16 = always_follows;
  concat_op.infer = infer_concat;
  concat_op.lower = lower_concat;
  concat_op.traits.strided_output = [](const graph::Node&, DType dtype, std::size_t) {
    return dtype == DType::float32 || dtype == DType::bfloat16;
  };
  concat_op.traits.concatenates_rows = [](const Attrs& attrs, std::size_t rank) {
    return resolve_axis("dim", attrs.integer("dim"), rank) + 1 == rank;
  };
  concat_op.unify = [](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    unify_except(attrs.integer("dim"), inputs, outputs);
  };

  OpDef rnn_param_concat = concat_op;
  rnn_param_concat.name = "_rnn_param_concat";
  rnn_param_concat.aliases = {"_npi_rnn_param_concat"};

  return {
      concat_op,
      rnn_param_concat,
      {.name = "stack",
       .aliases = {"_npi_stack"},
       .summary = "The inputs stacked along a new dimension at axis.",
       .attrs = {integer_attr("num_args").at_least(1), integer_attr("axis", 0)},
       .inputs = counted_ports("num_args"),
       .infer = infer_stack,
       .lower = lower_stack},
  };
}

}  // namespace mxinfer::ops
