// _ravel_multi_index, _unravel_index: positions as one number, or as an index for each dimension.
#include "kernels/scatter/ravel.h"

#include "base/fail.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

Shape shape_attr(const Attrs& attrs) {
  Shape shape;
  if (attrs.has("shape")) {
    const auto dims = attrs.tuple("shape");
    shape = Shape(Span<const std::int64_t>(dims.data(), dims.size()));
  }
  if (shape.empty()) fail(ErrorCode::malformed, "attribute shape is empty: expected at least one dimension");
  return shape;
}

std::vector<TensorType> infer_ravel(const InferContext& context) {
  const Shape shape = shape_attr(context.attrs), &data = context.shape(0);
  if (data.rank() != 2 || data[0] != static_cast<std::int64_t>(shape.rank())) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data), ": expected (", shape.rank(),
         ", n), a row of indices for each dimension of shape=", to_string(shape));
  }
  return {{context.dtype(0), Shape{data[1]}}};
}

std::vector<TensorType> infer_unravel(const InferContext& context) {
  const Shape shape = shape_attr(context.attrs), &data = context.shape(0);
  if (data.rank() != 1) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data), ": expected one dimension");
  }
  for (std::size_t d = 1; d < shape.rank(); ++d) {
    if (shape[d] == 0) fail(ErrorCode::invalid_argument, "shape=", to_string(shape), " has no places");
  }
  return {{context.dtype(0), Shape{static_cast<std::int64_t>(shape.rank()), data[0]}}};
}

Step lower_ravel(LowerContext& context, kernels::RavelFn (*select)(kernels::ElementType), const char* name) {
  const Shape shape = shape_attr(context.attrs());
  const DType dtype = context.input(0).dtype;
  const kernels::RavelFn run = select(element_type(dtype));
  if (run == nullptr) fail(ErrorCode::unsupported, "an input of ", to_string(dtype), ": expected numbers");
  kernels::RavelArgs args;
  args.rank = static_cast<int>(shape.rank());
  for (std::size_t d = 0; d < shape.rank(); ++d) args.sizes[d] = shape[d];
  args.count = context.input(0).shape.back();
  Step step;
  step.kernel = concat(name, "_ref_", to_string(dtype), " [ref]");
  step.reason = "whole numbers, one position at a time";
  step.run = [=](const RunContext& at) { run(args, at.inputs[0], at.outputs[0]); };
  return step;
}

}  // namespace

std::vector<OpDef> ravel_ops() {
  OpDef ravel;
  ravel.name = "_ravel_multi_index";
  ravel.aliases = {"ravel_multi_index"};
  ravel.summary =
      "The position in an array of `shape` of each column of indices; indices are not checked against shape.";
  ravel.attrs = {graph::tuple_attr("shape", "None")};
  ravel.infer = infer_ravel;
  ravel.lower = [](LowerContext& context) { return lower_ravel(context, kernels::select_ravel, "ravel"); };

  OpDef unravel;
  unravel.name = "_unravel_index";
  unravel.aliases = {"unravel_index"};
  unravel.summary =
      "A column of indices into an array of `shape` for each position; data has one dimension (MXNet accepts "
      "more, and computes only some).";
  unravel.attrs = {graph::tuple_attr("shape", "None")};
  unravel.infer = infer_unravel;
  unravel.lower = [](LowerContext& context) {
    return lower_ravel(context, kernels::select_unravel, "unravel");
  };
  return {ravel, unravel};
}

}  // namespace mxinfer::ops
