// shape_array and size_array: the shape of a tensor, or its number of elements, as a tensor.
#include "ops/constant_step.h"

namespace mxinfer::ops {

std::vector<OpDef> shape_of_ops() {
  OpDef shape;
  shape.name = "shape_array";
  shape.aliases = {"_npx_shape_array"};
  shape.summary = "The sizes of data's dimensions, as int64.";
  shape.infer = [](const InferContext& context) -> std::vector<TensorType> {
    return {{DType::int64, Shape{static_cast<std::int64_t>(context.shape(0).rank())}}};
  };
  shape.lower = [](LowerContext& context) {
    const Shape& of = context.input(0).shape;
    Tensor value(DType::int64, context.output(0).shape);
    for (std::size_t d = 0; d < of.rank(); ++d) value.data<std::int64_t>()[d] = of[d];
    return constant_step(std::move(value));
  };

  OpDef size;
  size.name = "size_array";
  size.summary = "The number of data's elements, as int64.";
  size.infer = [](const InferContext&) -> std::vector<TensorType> { return {{DType::int64, Shape{1}}}; };
  size.lower = [](LowerContext& context) {
    Tensor value(DType::int64, Shape{1});
    value.data<std::int64_t>()[0] = context.input(0).shape.elements();
    return constant_step(std::move(value));
  };

  return {shape, size};
}

}  // namespace mxinfer::ops
