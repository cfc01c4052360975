// Triangles and diagonals: _npi_tril, _np_diag, _np_diagflat, _np_diagonal, _npi_diag_indices_from.
#include <algorithm>
#include <cstring>

#include "ops/common/axes.h"
#include "ops/common/constant_step.h"
#include "ops/common/diagonal.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_tril(const InferContext& context) {
  Shape shape = context.shape(0);
  require_rank_at_least(shape, 1);
  if (shape.rank() == 1) shape.push_back(shape[0]);
  return {{context.dtype(0), shape}};
}

/// Of a vector, each row of the matrix is the vector.
Step lower_tril(LowerContext& context) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  const std::int64_t k = context.attrs().integer("k");
  const std::int64_t rows = out[out.rank() - 2], columns = out.back();
  const std::int64_t all_rows = columns == 0 ? 0 : out.elements(0, out.rank() - 1);
  const std::size_t bytes = size_of(context.input(0).dtype);
  const std::int64_t from_step = in.rank() == 1 ? 0 : columns;
  Step step{.kernel = "tril_rows [ref]", .reason = "moves elements only"};
  step.run = [=](const RunContext& run) {
    parallel_for(all_rows, piece_grain(1 << 14, columns), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t edge = std::clamp<std::int64_t>(k, -rows, columns) + row % rows + 1;
        const auto kept = static_cast<std::size_t>(std::clamp<std::int64_t>(edge, 0, columns)) * bytes;
        std::byte* dst = run.output<std::byte>(0) + static_cast<std::size_t>(row * columns) * bytes;
        const std::byte* src = run.input<std::byte>(0) + static_cast<std::size_t>(row * from_step) * bytes;
        if (kept > 0) std::memcpy(dst, src, kept);
        std::memset(dst + kept, 0, static_cast<std::size_t>(columns) * bytes - kept);
      }
    });
  };
  return step;
}

Diagonal diagonal_of(const Attrs& attrs, const Shape& shape, const char* offset) {
  const bool has_axes = offset == std::string_view("offset");
  return diagonal_at(attrs.integer(offset), has_axes ? attrs.integer("axis1") : 0,
                     has_axes ? attrs.integer("axis2") : 1, shape);
}

std::vector<TensorType> infer_numpy_diag(const InferContext& context) {
  const Shape& shape = context.shape(0);
  if (shape.rank() != 1 && shape.rank() != 2) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected a vector or a matrix");
  }
  if (shape.rank() == 1) return {{context.dtype(0), matrix_around(shape[0], context.attrs.integer("k"))}};
  return {{context.dtype(0), shape_of_diagonals(diagonal_of(context.attrs, shape, "k"), shape)}};
}

Step lower_numpy_diag(LowerContext& context) {
  const Shape& shape = context.input(0).shape;
  if (shape.rank() == 1) return lower_matrix_around(context);
  return lower_diagonals(context, diagonal_of(context.attrs(), shape, "k"));
}

std::vector<TensorType> infer_diagflat(const InferContext& context) {
  return {{context.dtype(0), matrix_around(context.shape(0).elements(), context.attrs.integer("k"))}};
}

std::vector<TensorType> infer_diagonal(const InferContext& context) {
  const Shape& shape = context.shape(0);
  return {{context.dtype(0), shape_of_diagonals(diagonal_of(context.attrs, shape, "offset"), shape)}};
}

Step lower_diagonal(LowerContext& context) {
  return lower_diagonals(context, diagonal_of(context.attrs(), context.input(0).shape, "offset"));
}

std::vector<TensorType> infer_diag_indices(const InferContext& context) {
  const Shape& shape = context.shape(0);
  require_rank_at_least(shape, 2);
  for (const std::int64_t size : shape) {
    if (size != shape[0]) {
      fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
           " was given; expected dimensions of one size");
    }
  }
  return {{DType::int64, Shape{static_cast<std::int64_t>(shape.rank()), shape[0]}}};
}

Step lower_diag_indices(LowerContext& context) {
  Tensor value(DType::int64, context.output(0).shape);
  const std::int64_t length = value.shape()[1];
  for (std::int64_t i = 0; i < value.elements(); ++i) value.data<std::int64_t>()[i] = i % length;
  return constant_step(std::move(value));
}

}  // namespace

std::vector<OpDef> numpy_diagonal_ops() {
  return {
      {.name = "_npi_tril",
       .summary = "The matrices with zeros above diagonal k; a vector is each row of its matrix.",
       .attrs = {integer_attr("k", 0)},
       .infer = infer_tril,
       .lower = lower_tril},
      {.name = "_np_diag",
       .summary = "Diagonal k of a matrix; for a vector, the matrix with that diagonal.",
       .attrs = {integer_attr("k", 0)},
       .infer = infer_numpy_diag,
       .lower = lower_numpy_diag},
      {.name = "_np_diagflat",
       .summary = "The matrix that has the input's elements on diagonal k.",
       .attrs = {integer_attr("k", 0)},
       .infer = infer_diagflat,
       .lower = lower_matrix_around},
      {.name = "_np_diagonal",
       .summary = "Diagonal `offset` of each matrix in the dimensions axis1 and axis2.",
       .attrs = {integer_attr("offset", 0), integer_attr("axis1", 0), integer_attr("axis2", 1)},
       .infer = infer_diagonal,
       .lower = lower_diagonal},
      {.name = "_npi_diag_indices_from",
       .summary = "The indices of the main diagonal of an array of data's shape, as int64.",
       .infer = infer_diag_indices,
       .lower = lower_diag_indices},
  };
}

}  // namespace mxinfer::ops
