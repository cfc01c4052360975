// transpose, SwapAxis, reverse, diag: the same elements walked in another way. depth_to_space and
// space_to_depth: blocks of pixels become channels and back.
#include <algorithm>
#include <numeric>

#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/diagonal.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

// The input's dimension that becomes each dimension of the output.
std::vector<std::size_t> transpose_order(const Attrs& attrs, const Shape& shape) {
  const std::vector<std::int64_t> axes =
      attrs.has("axes") ? attrs.tuple("axes") : std::vector<std::int64_t>{};
  std::vector<std::size_t> order(shape.rank());
  if (axes.empty()) {
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = order.size() - 1 - d;
    return order;
  }
  if (axes.size() != order.size()) {
    fail(ErrorCode::invalid_argument, "axes has ", axes.size(), " entries, the input's shape is ",
         to_string(shape));
  }
  return resolve_axes("axes", axes, order.size());
}

std::vector<std::size_t> swap_order(const Attrs& attrs, const Shape& shape) {
  std::vector<std::size_t> order(shape.rank());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::swap(order[resolve_axis("dim1", attrs.integer("dim1"), shape.rank())],
            order[resolve_axis("dim2", attrs.integer("dim2"), shape.rank())]);
  return order;
}

using OrderFn = std::vector<std::size_t> (*)(const Attrs&, const Shape&);

InferFn infer_order(OrderFn order_of) {
  return [order_of](const InferContext& context) -> std::vector<TensorType> {
    Shape shape;
    for (std::size_t d : order_of(context.attrs, context.shape(0))) shape.push_back(context.shape(0)[d]);
    return {{context.dtype(0), shape}};
  };
}

LowerFn lower_order(OrderFn order_of) {
  return [order_of](LowerContext& context) {
    const Shape& in = context.input(0).shape;
    const auto strides = row_major_strides(in);
    Walk walk(context.output(0).shape);
    const auto order = order_of(context.attrs(), in);
    for (std::size_t d = 0; d < order.size(); ++d) walk.src_strides[d] = strides[order[d]];
    return copy_step(context, {{0, 0, walk}});
  };
}

std::vector<bool> reversed_axes(const Attrs& attrs, const Shape& shape) {
  std::vector<bool> reversed(shape.rank(), false);
  if (!attrs.has("axis")) {
    reversed.assign(shape.rank(), true);
    return reversed;
  }
  for (std::int64_t axis : attrs.tuple("axis")) reversed[resolve_axis("axis", axis, shape.rank())] = true;
  return reversed;
}

Step lower_reverse(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  Walk walk(shape);
  const auto reversed = reversed_axes(context.attrs(), shape);
  for (std::size_t d = 0; d < shape.rank(); ++d) {
    if (!reversed[d]) continue;
    walk.src_offset += (shape[d] - 1) * walk.src_strides[d];
    walk.src_strides[d] = -walk.src_strides[d];
  }
  return copy_step(context, {{0, 0, walk}});
}

Diagonal diagonal_of(const Attrs& attrs, const Shape& shape) {
  const std::int64_t k = attrs.integer("k");
  const Diagonal diagonal = diagonal_at(k, attrs.integer("axis1"), attrs.integer("axis2"), shape);
  const std::int64_t rows = shape[diagonal.axis1], columns = shape[diagonal.axis2];
  if (k <= -rows || k >= columns) {
    fail(ErrorCode::invalid_argument, "k=", k, " is not a diagonal of ", rows, " rows and ", columns,
         " columns");
  }
  return diagonal;
}

std::vector<TensorType> infer_diag(const InferContext& context) {
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 1);
  if (shape.rank() == 1) return {{context.dtype(0), matrix_around(shape[0], context.attrs.integer("k"))}};
  return {{context.dtype(0), shape_of_diagonals(diagonal_of(context.attrs, shape), shape)}};
}

Step lower_diag(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  if (shape.rank() == 1) return lower_matrix_around(context);
  return lower_diagonals(context, diagonal_of(context.attrs(), shape));
}

// Axes that do not fit are refused by the inference.
template <typename OrderFn>
UnifyFn unify_order(OrderFn order_of) {
  return [order_of](const Attrs& attrs, PartialShapes& inputs, PartialShapes& outputs) {
    const PartialShape& known = inputs[0] ? inputs[0] : outputs[0];
    if (!known) return;
    try {
      unify_permuted(order_of(attrs, *known), inputs[0], outputs[0]);
    } catch (const Error&) {
    }
  };
}

// The model's own transpose takes up ours; if it asks for channels-last, as detectors do before they
// flatten, nothing is left to do.
bool transpose_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const std::vector<std::int64_t> axes = node.attrs.tuple("axes");
  if (static_cast<std::int64_t>(axes.size()) != rank) return false;
  graph::IntTuple moved;
  for (std::int64_t axis : axes) {
    const auto at = moved_axis(rewriter, axis, rank);
    if (!at) return false;
    moved.push_back(*at);
  }
  node.attrs.set("axes", std::move(moved));
  return true;
}

void become_transpose(graph::Node& node) {
  if (!node.attrs.has("axes")) node.attrs.set("axes", graph::IntTuple{});
  node.op = find_op("transpose");
}

bool transpose_per_sample(const Attrs& attrs, std::size_t) {
  const std::vector<std::int64_t> axes = attrs.tuple("axes");
  return !axes.empty() && axes[0] == 0;
}

std::vector<TensorType> infer_reverse_op(const InferContext& context) {
  reversed_axes(context.attrs, context.shape(0));
  return {context.inputs[0]};
}

std::int64_t block_of(const Attrs& attrs, const Shape& shape) {
  if (shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected (n, c, h, w)");
  }
  return attrs.integer("block_size");
}

[[noreturn]] void fail_block(std::int64_t block, const Shape& shape) {
  fail(ErrorCode::invalid_argument, "block_size=", block, " does not divide an input of shape ",
       to_string(shape));
}

std::vector<TensorType> infer_depth_to_space(const InferContext& context) {
  Shape shape = context.shape(0);
  const std::int64_t block = block_of(context.attrs, shape);
  const auto square = checked_mul(block, block);
  if (!square || shape[1] % *square != 0 || !checked_mul(shape[2], block) || !checked_mul(shape[3], block)) {
    fail_block(block, shape);
  }
  return {{context.dtype(0), Shape{shape[0], shape[1] / *square, shape[2] * block, shape[3] * block}}};
}

// Channel (by * block + bx) * c_out + c of pixel (y, x) becomes channel c of pixel (y * block + by, x * block
// + bx).
Step lower_depth_to_space(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const std::int64_t block = context.attrs().integer("block_size");
  const auto src = row_major_strides(in), dst = row_major_strides(out);
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(out[1], src[1], dst[1]);
  walk.add(in[2], src[2], block * dst[2]);
  walk.add(block, block * out[1] * src[1], dst[2]);
  walk.add(in[3], src[3], block * dst[3]);
  walk.add(block, out[1] * src[1], dst[3]);
  return copy_step(context, {{0, 0, walk}});
}

std::vector<TensorType> infer_space_to_depth(const InferContext& context) {
  Shape shape = context.shape(0);
  const std::int64_t block = block_of(context.attrs, shape);
  const auto square = checked_mul(block, block);
  if (!square || shape[2] % block != 0 || shape[3] % block != 0 || !checked_mul(shape[1], *square)) {
    fail_block(block, shape);
  }
  return {{context.dtype(0), Shape{shape[0], shape[1] * *square, shape[2] / block, shape[3] / block}}};
}

Step lower_space_to_depth(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const Shape& out = context.output(0).shape;
  const std::int64_t block = context.attrs().integer("block_size");
  const auto src = row_major_strides(in), dst = row_major_strides(out);
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(block, src[2], block * in[1] * dst[1]);
  walk.add(block, src[3], in[1] * dst[1]);
  walk.add(in[1], src[1], dst[1]);
  walk.add(out[2], block * src[2], dst[2]);
  walk.add(out[3], block * src[3], dst[3]);
  return copy_step(context, {{0, 0, walk}});
}

}  // namespace

std::vector<OpDef> transpose_ops() {
  AttrSpec axis_or_none = tuple_attr("axis");
  axis_or_none.nullable = true;
  return {
      {.name = "transpose",
       .summary = "Dimension d of the output is dimension axes[d] of the input; without axes, all dimensions "
                  "are reversed.",
       .attrs = {tuple_attr("axes", "()")},
       .traits = {.output_rank = always_same_rank,
                  .per_sample = transpose_per_sample,
                  .channels_last = transpose_layout,
                  .follows_bfloat16 = always_follows},
       .infer = infer_order(transpose_order),
       .lower = lower_order(transpose_order),
       .unify = unify_order(transpose_order)},
      {.name = "_np_transpose",
       .summary = "transpose; axes=None reverses all dimensions.",
       .attrs = {tuple_attr("axes", "None")},
       .inputs = named_ports({"a"}),
       .traits = {.output_rank = always_same_rank,
                  .per_sample =
                      [](const Attrs& attrs, std::size_t rank) {
                        return attrs.has("axes") && transpose_per_sample(attrs, rank);
                      },
                  .channels_last =
                      [](LayoutRewriter& rewriter, std::size_t id) {
                        return rewriter.node(id).attrs.has("axes") && transpose_layout(rewriter, id);
                      },
                  .follows_bfloat16 = always_follows},
       .infer = infer_order(transpose_order),
       .lower = lower_order(transpose_order),
       .canonicalise = become_transpose,
       .unify = unify_order(transpose_order)},
      {.name = "SwapAxis",
       .aliases = {"swapaxes", "_npi_swapaxes"},
       .summary = "Exchanges the dimensions dim1 and dim2.",
       .attrs = {integer_attr("dim1", 0), integer_attr("dim2", 0)},
       .traits = {.output_rank = always_same_rank},
       .infer = infer_order(swap_order),
       .lower = lower_order(swap_order),
       .unify = unify_order(swap_order)},
      {.name = "reverse",
       .aliases = {"flip", "_npi_flip"},
       .summary = "Reverses the order along every axis in `axis`; None: along all.",
       .attrs = {axis_or_none},
       .infer = infer_reverse_op,
       .lower = lower_reverse},
      {.name = "diag",
       .summary = "The k-th diagonal of the matrices in axis1 and axis2; for a vector, the matrix with that "
                  "diagonal.",
       .attrs = {integer_attr("k", 0), integer_attr("axis1", 0), integer_attr("axis2", 1)},
       .infer = infer_diag,
       .lower = lower_diag},
      {.name = "depth_to_space",
       .summary = "(n, b * b * c, h, w) becomes (n, c, h * b, w * b) for b = block_size.",
       .attrs = {integer_attr("block_size").at_least(1)},
       .infer = infer_depth_to_space,
       .lower = lower_depth_to_space},
      {.name = "space_to_depth",
       .summary = "(n, c, h * b, w * b) becomes (n, b * b * c, h, w) for b = block_size.",
       .attrs = {integer_attr("block_size").at_least(1)},
       .infer = infer_space_to_depth,
       .lower = lower_space_to_depth},
  };
}

}  // namespace mxinfer::ops
