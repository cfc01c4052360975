// scatter_nd, _scatter_set_nd, _contrib_index_copy, fill_element_0index, _onehot_encode: elements written to
// places chosen by index. _ravel_multi_index, _unravel_index: positions as one number, or as an index for
// each dimension.
// _slice_assign, _slice_assign_scalar: a tensor with a box of it replaced.
#include "kernels/scatter/scatter.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/elementwise/cast.h"
#include "kernels/scatter/ravel.h"
#include "kernels/take/take.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/copy_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/indices.h"
#include "ops/tensor/kernel_args.h"

namespace mxinfer::ops {
namespace {

Step scatter_step(LowerContext& context) {
  const Scattering scattering = scattering_of(context.node().op->name);
  const kernels::ScatterArgs args = scatter_args(context, scattering);
  const IndexInput index(context, scattering.indices);
  const std::size_t bytes = bytes_of(context.output(0));
  Step step{.kernel = "scatter_rows [ref]"};
  step.reason = "moves elements only; one after another, for the last one stays";
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    require_scatter_fits(args, chosen);
    auto* dst = run.output<std::byte>(0);
    if (bytes == 0) return;
    if (scattering.base) {
      std::memcpy(dst, run.input<std::byte>(*scattering.base), bytes);
    } else {
      std::memset(dst, 0, bytes);
    }
    kernels::scatter_rows(args, chosen, run.input<std::byte>(scattering.rows), dst);
  };
  return step;
}

Shape wanted_shape(const Attrs& attrs) {
  const auto dims = attrs.tuple("shape");
  const Shape shape(Span<const std::int64_t>(dims.data(), dims.size()));
  shape.elements();
  return shape;
}

/// indices of shape (m, y...) and data of shape (y..., shape[m:]).
void require_fit(const Shape& data, const Shape& indices, const Shape& shape) {
  require_rank_at_least(indices, 1);
  if (indices[0] < 1 || indices[0] > static_cast<std::int64_t>(shape.rank())) {
    fail(ErrorCode::invalid_argument, "indices has the shape ", to_string(indices),
         ": its first dimension must be 1 to ", shape.rank(), ", the dimensions of shape=", to_string(shape));
  }
  Shape expected;
  for (std::size_t d = 1; d < indices.rank(); ++d) expected.push_back(indices[d]);
  for (auto d = static_cast<std::size_t>(indices[0]); d < shape.rank(); ++d) expected.push_back(shape[d]);
  if (data != expected) {
    fail(ErrorCode::invalid_argument, "data has the shape ", to_string(data), "; indices ",
         to_string(indices), " and shape=", to_string(shape), " ask for ", to_string(expected));
  }
}

std::vector<TensorType> infer_scatter(const InferContext& context) {
  const Shape shape = wanted_shape(context.attrs);
  require_fit(context.shape(0), context.shape(1), shape);
  return {{context.dtype(0), shape}};
}

std::vector<TensorType> infer_scatter_set(const InferContext& context) {
  const Shape shape = wanted_shape(context.attrs);
  if (context.shape(0) != shape) {
    fail(ErrorCode::invalid_argument, "lhs has the shape ", to_string(context.shape(0)),
         "; the attribute shape says ", to_string(shape));
  }
  if (context.dtype(0) != context.dtype(1)) {
    fail(ErrorCode::invalid_argument, "lhs is ", to_string(context.dtype(0)), " and rhs ",
         to_string(context.dtype(1)), ": expected the same");
  }
  require_fit(context.shape(1), context.shape(2), shape);
  return {context.inputs[0]};
}

std::vector<TensorType> infer_index_copy(const InferContext& context) {
  const TensorType &old = context.inputs[0], &fresh = context.inputs[2];
  require_rank_at_least(old.shape, 1);
  if (context.shape(1).rank() != 1) {
    fail(ErrorCode::invalid_argument, "index_vector has the shape ", to_string(context.shape(1)),
         ": expected one dimension");
  }
  TensorType expected = old;
  expected.shape[0] = context.shape(1)[0];
  if (!(fresh == expected)) {
    fail(ErrorCode::invalid_argument, "new_tensor is ", to_string(fresh), ": expected ", to_string(expected),
         ", a row for each index");
  }
  return {old};
}

std::vector<TensorType> infer_fill_element(const InferContext& context) {
  const Shape &lhs = context.shape(0), &mhs = context.shape(1), &rhs = context.shape(2);
  if (lhs.rank() != 2 || mhs != Shape{lhs[0]} || rhs != mhs) {
    fail(ErrorCode::invalid_argument, "the inputs have the shapes ", to_string(lhs), ", ", to_string(mhs),
         " and ", to_string(rhs), ": expected (n, k), (n,) and (n,)");
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (context.dtype(i) != DType::float32) {
      fail(ErrorCode::unsupported, "an input of ", to_string(context.dtype(i)), ": expected float32");
    }
  }
  return {context.inputs[0]};
}

Step lower_fill_element(LowerContext& context) {
  const IndexInput index(context, 2);
  const TensorType& out = context.output(0);
  const std::size_t count = static_cast<std::size_t>(out.shape.elements());
  const std::int64_t width = out.shape[1];
  Step step{.kernel = "fill_element [ref]", .reason = "one element a row"};
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    float* dst = run.output<float>(0);
    std::copy_n(run.input<float>(0), count, dst);
    for (std::int64_t row = 0; row < index.count(); ++row) {
      if (chosen[row] >= 0 && chosen[row] < width) dst[row * width + chosen[row]] = run.input<float>(1)[row];
    }
  };
  return step;
}

std::vector<TensorType> infer_onehot_encode(const InferContext& context) {
  const Shape &lhs = context.shape(0), &rhs = context.shape(1);
  if (lhs.rank() != 1 || rhs.rank() != 2 || rhs[0] != lhs[0]) {
    fail(ErrorCode::invalid_argument, "the inputs have the shapes ", to_string(lhs), " and ", to_string(rhs),
         ": expected (n,) and (n, k)");
  }
  if (context.dtype(0) != DType::float32 || context.dtype(1) != DType::float32) {
    fail(ErrorCode::unsupported, "inputs of ", to_string(context.dtype(0)), " and ",
         to_string(context.dtype(1)), ": expected float32");
  }
  return {context.inputs[1]};
}

Step lower_onehot_encode(LowerContext& context) {
  const IndexInput index(context, 0);
  kernels::OneHotArgs args{.depth = context.output(0).shape[1], .element_bytes = sizeof(float)};
  const float one = 1;
  std::memcpy(args.on, &one, sizeof(one));
  Step step{.kernel = "one_hot_rows [ref]", .reason = "moves elements only"};
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    kernels::one_hot_rows(args, index.read(run), run.output<std::byte>(0), 0, index.count());
  };
  return step;
}

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
  Step step{.kernel = ref_kernel(name, dtype), .reason = "whole numbers, one position at a time"};
  step.run = [=](const RunContext& at) { run(args, at.inputs[0], at.outputs[0]); };
  return step;
}

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

std::vector<TensorType> infer_assign_scalar(const InferContext& context) {
  (void)slice_ranges(context.attrs, context.shape(0));
  return {context.inputs[0]};
}

}  // namespace

Scattering scattering_of(std::string_view op) {
  if (op == "scatter_nd") return {.rows = 0, .indices = 1};
  if (op == "_scatter_set_nd") return {.rows = 1, .indices = 2, .base = 0};
  return {.rows = 2, .indices = 1, .base = 0};
}

kernels::ScatterArgs scatter_args(const OpProblem& node, const Scattering& scattering) {
  const TensorType& out = node.output(0);
  const Shape& indices = node.input(scattering.indices).shape;
  const bool by_row = node.node().op->name == "_contrib_index_copy";
  const std::size_t rank = by_row ? 1 : static_cast<std::size_t>(indices[0]);
  kernels::ScatterArgs args{.rank = static_cast<int>(rank)};
  args.count = by_row ? indices.elements() : indices.elements(1, indices.rank());
  for (std::size_t d = 0; d < rank; ++d) {
    args.size[d] = out.shape[d];
    args.stride[d] = out.shape.elements(d + 1, rank);
  }
  args.row_bytes = static_cast<std::size_t>(out.shape.elements(rank, out.shape.rank())) * size_of(out.dtype);
  return args;
}

void require_scatter_fits(const kernels::ScatterArgs& args, const std::int64_t* indices) {
  std::int64_t bad = 0;
  if (kernels::scatter_fits(args, indices, &bad)) return;
  fail(ErrorCode::invalid_argument, "index ", indices[bad], " at position ", bad % args.count, " of row ",
       bad / args.count, " is outside the ", args.size[bad / args.count], " elements of that axis");
}

std::vector<OpDef> scatter_ops() {
  return {
      {.name = "scatter_nd",
       .summary =
           "Zeros of a shape with data[k] at [indices[0, k], indices[1, k], ...]; if several have the same "
           "indices, the last one wins. An index out of range is an error (MXNet writes outside the array).",
       .attrs = {tuple_attr("shape")},
       .inputs = named_ports({"data", "indices"}),
       .infer = infer_scatter,
       .lower = scatter_step},
      {.name = "_scatter_set_nd",
       .aliases = {"_npi_scatter_set_nd"},
       .summary =
           "lhs with rhs[k] at [indices[0, k], indices[1, k], ...]; an index out of range is an error.",
       .attrs = {tuple_attr("shape")},
       .inputs = named_ports({"lhs", "rhs", "indices"}),
       .infer = infer_scatter_set,
       .lower = scatter_step},
      {.name = "_contrib_index_copy",
       .summary = "old_tensor with row k of new_tensor in row index_vector[k]; an index out of range is an "
                  "error (MXNet aborts).",
       .inputs = named_ports({"old_tensor", "index_vector", "new_tensor"}),
       .infer = infer_index_copy,
       .lower = scatter_step},
      {.name = "fill_element_0index",
       .summary =
           "lhs with element rhs[n] of row n replaced by mhs[n]; an index out of range changes nothing.",
       .inputs = named_ports({"lhs", "mhs", "rhs"}),
       .infer = infer_fill_element,
       .lower = lower_fill_element},
      {.name = "_onehot_encode",
       .summary = "A matrix of rhs's shape: in row n a 1 at lhs[n], 0 elsewhere.",
       .inputs = named_ports({"lhs", "rhs"}),
       .infer = infer_onehot_encode,
       .lower = lower_onehot_encode},
  };
}

std::vector<OpDef> ravel_ops() {
  OpDef ravel{.name = "_ravel_multi_index", .aliases = {"ravel_multi_index"}};
  ravel.summary =
      "The position in an array of `shape` of each column of indices; indices are not checked against shape.";
  ravel.attrs = {tuple_attr("shape", "None")};
  ravel.infer = infer_ravel;
  ravel.lower = [](LowerContext& context) { return lower_ravel(context, kernels::select_ravel, "ravel"); };

  OpDef unravel{.name = "_unravel_index", .aliases = {"unravel_index"}};
  unravel.summary =
      "A column of indices into an array of `shape` for each position; data has one dimension (MXNet accepts "
      "more, and computes only some).";
  unravel.attrs = {tuple_attr("shape", "None")};
  unravel.infer = infer_unravel;
  unravel.lower = [](LowerContext& context) {
    return lower_ravel(context, kernels::select_unravel, "unravel");
  };
  return {ravel, unravel};
}

std::vector<OpDef> slice_assign_ops() {
  return {
      {.name = "_slice_assign",
       .aliases = {"_crop_assign", "_npi_slice_assign"},
       .summary = "lhs with lhs[begin:end:step, ...] replaced by rhs.",
       .attrs = {tuple_attr("begin"), tuple_attr("end"), tuple_attr("step", "()")},
       .inputs = named_ports({"lhs", "rhs"}),
       .infer = infer_assign,
       .lower = lower_assign},
      {.name = "_slice_assign_scalar",
       .aliases = {"_crop_assign_scalar", "_npi_slice_assign_scalar"},
       .summary = "data with every element of data[begin:end:step, ...] replaced by a number.",
       .attrs = {tuple_attr("begin"), tuple_attr("end"), tuple_attr("step", "()"), number_attr("scalar", 0)},
       .infer = infer_assign_scalar,
       .lower = lower_assign_scalar},
  };
}

}  // namespace mxinfer::ops
