// Tensors that follow from the shape of another: shape_array, size_array, _contrib_arange_like,
// _contrib_index_array.
#include "base/fail.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/number_sequence.h"

namespace mxinfer::ops {
namespace {

OpDef shape_array_op() {
  OpDef op;
  op.name = "shape_array";
  op.aliases = {"_npx_shape_array"};
  op.summary = "The sizes of data's dimensions, as int64.";
  op.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{DType::int64, Shape{static_cast<std::int64_t>(context.shape(0).rank())}}};
  };
  op.lower = [](LowerContext& context) {
    const Shape& of = context.input(0).shape;
    Tensor value(DType::int64, context.output(0).shape);
    for (std::size_t d = 0; d < of.rank(); ++d) value.data<std::int64_t>()[d] = of[d];
    return constant_step(std::move(value));
  };
  return op;
}

OpDef size_array_op() {
  OpDef op;
  op.name = "size_array";
  op.summary = "The number of data's elements, as int64.";
  op.infer = [](const InferContext&) -> std::vector<TensorType> { return {{DType::int64, Shape{1}}}; };
  op.lower = [](LowerContext& context) {
    Tensor value(DType::int64, Shape{1});
    value.data<std::int64_t>()[0] = context.input(0).shape.elements();
    return constant_step(std::move(value));
  };
  return op;
}

std::vector<TensorType> infer_arange_like(const InferContext& context) {
  const TensorType& data = context.inputs[0];
  if (!context.attrs.has("axis")) return {data};
  const std::size_t axis = resolve_axis("axis", context.attrs.integer("axis"), data.shape.rank());
  return {{data.dtype, Shape{data.shape[axis]}}};
}

Step lower_arange_like(LowerContext& context) {
  Tensor value(context.output(0).dtype, context.output(0).shape);
  fill_sequence(value, {value.elements(), context.attrs().number("start"), context.attrs().number("step"),
                        context.attrs().integer("repeat")});
  return constant_step(std::move(value));
}

OpDef arange_like_op() {
  OpDef op;
  op.name = "_contrib_arange_like";
  op.aliases = {"_npx_arange_like"};
  op.summary =
      "start, start + step, ..., each `repeat` times: as many numbers as data has along axis; without axis, "
      "in data's shape.";
  op.attrs = {graph::number_attr("start", 0), graph::number_attr("step", 1),
              graph::integer_attr("repeat", 1).at_least(1), graph::text_attr("ctx", "").without_effect(),
              graph::integer_attr("axis").optional_none()};
  op.infer = infer_arange_like;
  op.lower = lower_arange_like;
  return op;
}

/// The dimensions whose indices are wanted.
std::vector<std::size_t> index_axes(const Attrs& attrs, const Shape& shape) {
  std::vector<std::size_t> axes;
  if (!attrs.has("axes")) {
    for (std::size_t d = 0; d < shape.rank(); ++d) axes.push_back(d);
  } else {
    for (std::int64_t axis : attrs.tuple("axes")) axes.push_back(resolve_axis("axes", axis, shape.rank()));
  }
  return axes;
}

std::vector<TensorType> infer_index_array(const InferContext& context) {
  Shape out = context.shape(0);
  out.push_back(static_cast<std::int64_t>(index_axes(context.attrs, out).size()));
  return {{DType::int64, out}};
}

Step lower_index_array(LowerContext& context) {
  const Shape& of = context.input(0).shape;
  const auto axes = index_axes(context.attrs(), of);
  const auto strides = row_major_strides(of);
  Tensor value(DType::int64, context.output(0).shape);
  std::int64_t* out = value.data<std::int64_t>();
  const std::int64_t places = of.elements();
  for (std::int64_t place = 0; place < places; ++place) {
    for (std::size_t axis : axes) *out++ = place / strides[axis] % of[axis];
  }
  return constant_step(std::move(value));
}

OpDef index_array_op() {
  OpDef op;
  op.name = "_contrib_index_array";
  op.summary = "The indices of each element of data along axes (all by default), as int64.";
  op.attrs = {graph::tuple_attr("axes", "None")};
  op.infer = infer_index_array;
  op.lower = lower_index_array;
  return op;
}

}  // namespace

std::vector<OpDef> shape_of_ops() {
  return {shape_array_op(), size_array_op(), arange_like_op(), index_array_op()};
}

}  // namespace mxinfer::ops
