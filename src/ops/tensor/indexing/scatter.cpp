// scatter_nd, _scatter_set_nd, _contrib_index_copy, fill_element_0index, _onehot_encode: elements written to
// places chosen by index.
#include "kernels/scatter/scatter.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "kernels/take/take.h"
#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/indices.h"

namespace mxinfer::ops {
namespace {

/// Rows of input `rows` to the places that input `indices` names in output 0, which is input `base` (zeros
/// if negative) otherwise.
Step scatter_step(kernels::ScatterArgs args, const IndexInput& index, std::size_t rows, int base,
                  const TensorType& out) {
  const std::size_t bytes = bytes_of(out);
  Step step;
  step.kernel = "scatter_rows [ref]";
  step.reason = "moves elements only; one after another, for the last one stays";
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    const std::int64_t* chosen = index.read(run);
    std::int64_t bad = 0;
    if (!kernels::scatter_fits(args, chosen, &bad)) {
      fail(ErrorCode::invalid_argument, "index ", chosen[bad], " at position ", bad % args.count, " of row ",
           bad / args.count, " is outside the ", args.size[bad / args.count], " elements of that axis");
    }
    auto* dst = run.output<std::byte>(0);
    if (bytes == 0) return;
    if (base < 0) {
      std::memset(dst, 0, bytes);
    } else {
      std::memcpy(dst, run.input<std::byte>(static_cast<std::size_t>(base)), bytes);
    }
    kernels::scatter_rows(args, chosen, run.input<std::byte>(rows), dst);
  };
  return step;
}

kernels::ScatterArgs scatter_args(const TensorType& out, std::size_t rank, std::int64_t count) {
  kernels::ScatterArgs args;
  args.rank = static_cast<int>(rank);
  args.count = count;
  for (std::size_t d = 0; d < rank; ++d) {
    args.size[d] = out.shape[d];
    args.stride[d] = out.shape.elements(d + 1, rank);
  }
  args.row_bytes = static_cast<std::size_t>(out.shape.elements(rank, out.shape.rank())) * size_of(out.dtype);
  return args;
}

// scatter_nd and _scatter_set_nd

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

Step lower_scatter(LowerContext& context, std::size_t rows, int base) {
  const Shape& indices = context.input(rows + 1).shape;
  const TensorType& out = context.output(0);
  const auto args =
      scatter_args(out, static_cast<std::size_t>(indices[0]), indices.elements(1, indices.rank()));
  return scatter_step(args, IndexInput(context, rows + 1), rows, base, out);
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

// _contrib_index_copy

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

Step lower_index_copy(LowerContext& context) {
  const IndexInput index(context, 1);
  const TensorType& out = context.output(0);
  return scatter_step(scatter_args(out, 1, index.count()), index, 2, 0, out);
}

// fill_element_0index

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
  Step step;
  step.kernel = "fill_element [ref]";
  step.reason = "one element a row";
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

// _onehot_encode

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
  kernels::OneHotArgs args;
  args.depth = context.output(0).shape[1];
  args.element_bytes = sizeof(float);
  const float one = 1;
  std::memcpy(args.on, &one, sizeof(one));
  Step step;
  step.kernel = "one_hot_rows [ref]";
  step.reason = "moves elements only";
  step.scratch_bytes = index.scratch_bytes();
  step.run = [=](const RunContext& run) {
    kernels::one_hot_rows(args, index.read(run), run.output<std::byte>(0), 0, index.count());
  };
  return step;
}

OpDef scatter_op() {
  OpDef op;
  op.name = "scatter_nd";
  op.summary =
      "Zeros of a shape with data[k] at [indices[0, k], indices[1, k], ...]; if several have the same "
      "indices, the last one wins. An index out of range is an error (MXNet writes outside the array).";
  op.attrs = {graph::tuple_attr("shape")};
  op.inputs = [](const Attrs&) { return PortNames{{"data", "indices"}}; };
  op.infer = infer_scatter;
  op.lower = [](LowerContext& context) { return lower_scatter(context, 0, -1); };
  return op;
}

OpDef scatter_set_op() {
  OpDef op;
  op.name = "_scatter_set_nd";
  op.aliases = {"_npi_scatter_set_nd"};
  op.summary = "lhs with rhs[k] at [indices[0, k], indices[1, k], ...]; an index out of range is an error.";
  op.attrs = {graph::tuple_attr("shape")};
  op.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs", "indices"}}; };
  op.infer = infer_scatter_set;
  op.lower = [](LowerContext& context) { return lower_scatter(context, 1, 0); };
  return op;
}

OpDef index_copy_op() {
  OpDef op;
  op.name = "_contrib_index_copy";
  op.summary =
      "old_tensor with row k of new_tensor in row index_vector[k]; an index out of range is an error (MXNet "
      "aborts).";
  op.inputs = [](const Attrs&) { return PortNames{{"old_tensor", "index_vector", "new_tensor"}}; };
  op.infer = infer_index_copy;
  op.lower = lower_index_copy;
  return op;
}

OpDef fill_element_op() {
  OpDef op;
  op.name = "fill_element_0index";
  op.summary = "lhs with element rhs[n] of row n replaced by mhs[n]; an index out of range changes nothing.";
  op.inputs = [](const Attrs&) { return PortNames{{"lhs", "mhs", "rhs"}}; };
  op.infer = infer_fill_element;
  op.lower = lower_fill_element;
  return op;
}

OpDef onehot_encode_op() {
  OpDef op;
  op.name = "_onehot_encode";
  op.summary = "A matrix of rhs's shape: in row n a 1 at lhs[n], 0 elsewhere.";
  op.inputs = [](const Attrs&) { return PortNames{{"lhs", "rhs"}}; };
  op.infer = infer_onehot_encode;
  op.lower = lower_onehot_encode;
  return op;
}

}  // namespace

std::vector<OpDef> scatter_ops() {
  return {scatter_op(), scatter_set_op(), index_copy_op(), fill_element_op(), onehot_encode_op()};
}

}  // namespace mxinfer::ops
