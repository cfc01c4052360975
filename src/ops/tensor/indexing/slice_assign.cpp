// _slice_assign, _slice_assign_scalar: a tensor with a box of it replaced.
#include <algorithm>
#include <array>

#include "base/fail.h"
#include "kernels/elementwise/cast.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/slice_range.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {
namespace {

Shape shape_of(const std::vector<Range>& ranges) {
  Shape shape;
  for (const Range& range : ranges) shape.push_back(range.count);
  return shape;
}

/// From something of the box's shape, row-major, to the box inside an array of `shape`.
Walk into_box(const std::vector<Range>& ranges, const Shape& shape) {
  const auto strides = row_major_strides(shape);
  Walk walk(shape_of(ranges));
  for (std::size_t d = 0; d < ranges.size(); ++d) {
    walk.dst_offset += ranges[d].begin * strides[d];
    if (ranges[d].count > 1) walk.dst_strides[d] = ranges[d].step * strides[d];
  }
  return walk;
}

std::vector<TensorType> infer_assign(const InferContext& context) {
  const TensorType expected{context.dtype(0), shape_of(slice_ranges(context.attrs, context.shape(0)))};
  if (!(context.inputs[1] == expected)) {
    fail(ErrorCode::invalid_argument, "rhs is ", to_string(context.inputs[1]), "; the slice of lhs is ",
         to_string(expected));
  }
  return {context.inputs[0]};
}

Step lower_assign(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  const Walk box = into_box(slice_ranges(context.attrs(), shape), shape);
  return copy_step(context, {{0, 0, Walk(shape)}, {1, 0, box}});
}

Step lower_assign_scalar(LowerContext& context) {
  const TensorType& out = context.output(0);
  Walk box = into_box(slice_ranges(context.attrs(), out.shape), out.shape);
  std::fill(box.src_strides.begin(), box.src_strides.end(), 0);
  const double scalar = context.attrs().number("scalar");
  std::array<std::byte, 8> element{};
  const auto cast = kernels::select_cast(kernels::ElementType::float64, element_type(out.dtype));
  if (cast == nullptr) fail(ErrorCode::unsupported, "an input of ", to_string(out.dtype));
  cast(&scalar, element.data(), 1);
  return copy_step(context, {{0, 0, Walk(out.shape)}, {0, 0, box, element}});
}

std::vector<AttrSpec> slice_attrs() {
  return {graph::tuple_attr("begin"), graph::tuple_attr("end"), graph::tuple_attr("step", "()")};
}

}  // namespace

std::vector<OpDef> slice_assign_ops() {
  OpDef assign;
  assign.name = "_slice_assign";
  assign.aliases = {"_crop_assign", "_npi_slice_assign"};
  assign.summary = "lhs with lhs[begin:end:step, ...] replaced by rhs.";
  assign.attrs = slice_attrs();
  assign.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs"}}; };
  assign.infer = infer_assign;
  assign.lower = lower_assign;

  OpDef scalar;
  scalar.name = "_slice_assign_scalar";
  scalar.aliases = {"_crop_assign_scalar", "_npi_slice_assign_scalar"};
  scalar.summary = "data with every element of data[begin:end:step, ...] replaced by a number.";
  scalar.attrs = slice_attrs();
  scalar.attrs.push_back(graph::number_attr("scalar", 0));
  scalar.infer = [](const InferContext& context) -> std::vector<TensorType> {
    (void)slice_ranges(context.attrs, context.shape(0));
    return {context.inputs[0]};
  };
  scalar.lower = lower_assign_scalar;
  return {assign, scalar};
}

}  // namespace mxinfer::ops
