// transpose, SwapAxis, reverse: the same elements in another order of dimensions.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/fail.h"
#include "ops/axes.h"
#include "ops/copy_step.h"

namespace mxinfer::ops {
namespace {

// The input's dimension that becomes each dimension of the output.
std::vector<std::size_t> transpose_order(const Attrs& attrs, const Shape& shape) {
  const std::vector<std::int64_t> axes = attrs.tuple("axes");
  std::vector<std::size_t> order(shape.rank());
  if (axes.empty()) {
    for (std::size_t d = 0; d < order.size(); ++d) order[d] = order.size() - 1 - d;
    return order;
  }
  if (axes.size() != order.size()) {
    fail(ErrorCode::invalid_argument, "axes has ", axes.size(), " entries, the input's shape is ",
         to_string(shape));
  }
  std::vector<bool> seen(order.size(), false);
  for (std::size_t d = 0; d < order.size(); ++d) {
    order[d] = resolve_axis("axes", axes[d], order.size());
    if (seen[order[d]]) fail(ErrorCode::invalid_argument, "axes names dimension ", axes[d], " twice");
    seen[order[d]] = true;
  }
  return order;
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

}  // namespace

std::vector<OpDef> transpose_ops() {
  OpDef transpose;
  transpose.name = "transpose";
  transpose.summary =
      "Dimension d of the output is dimension axes[d] of the input; without axes all are reversed.";
  transpose.attrs = {graph::tuple_attr("axes", "()")};
  transpose.infer = infer_order(transpose_order);
  transpose.lower = lower_order(transpose_order);

  OpDef swap;
  swap.name = "SwapAxis";
  swap.aliases = {"swapaxes", "_npi_swapaxes"};
  swap.summary = "Exchanges the dimensions dim1 and dim2.";
  swap.attrs = {graph::integer_attr("dim1", 0), graph::integer_attr("dim2", 0)};
  swap.infer = infer_order(swap_order);
  swap.lower = lower_order(swap_order);

  OpDef reverse;
  reverse.name = "reverse";
  reverse.aliases = {"flip"};
  reverse.summary = "Reverses the order along every axis of `axis`.";
  reverse.attrs = {graph::tuple_attr("axis")};
  reverse.infer = [](const InferContext& context) -> std::vector<TensorType> {
    reversed_axes(context.attrs, context.shape(0));
    return {context.inputs[0]};
  };
  reverse.lower = lower_reverse;

  return {transpose, swap, reverse};
}

}  // namespace mxinfer::ops
