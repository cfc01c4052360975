// What _linalg_gemm, _linalg_gemm2 and _linalg_syrk multiply: stacks of matrices whose rows may lie along any
// axis but the last, their columns along the last.
//
//   const ProductOfMatrices product = product_of(attrs, a, b);   // product.left.rest(), product.shape, ...
#pragma once

#include <cstdint>

#include "base/fail.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// A stack of matrices [outer][rows][inner][columns]: matrix (o, i) has the elements (o, r, i, c).
struct Stack {
  std::int64_t outer = 1, rows = 1, inner = 1, columns = 1;

  std::int64_t matrices() const { return outer * inner; }
  std::int64_t row_step() const { return inner * columns; }
  std::int64_t offset(std::int64_t matrix) const {
    return matrix / inner * rows * inner * columns + matrix % inner * columns;
  }
};

/// The axis that the rows lie along.
inline std::size_t row_axis(const Attrs& attrs, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  const std::int64_t axis = attrs.integer("axis"), from_front = axis < 0 ? axis + size : axis;
  if (rank < 2 || from_front < 0 || from_front >= size - 1) {
    fail(ErrorCode::invalid_argument, "axis=", axis, " is not a row axis of an input of ", rank,
         " dimensions");
  }
  return static_cast<std::size_t>(from_front);
}

inline Stack matrices_of(const Shape& shape, std::size_t axis) {
  return {shape.elements(0, axis), shape[axis], shape.elements(axis + 1, shape.rank() - 1), shape.back()};
}

/// One side of a product as the kernel wants it, its sum dimension innermost: as it is stored, or transposed.
struct Matrices {
  std::size_t input = 0;
  Stack stack;
  bool transpose = false;  ///< the sum is over the rows

  std::int64_t rest() const { return transpose ? stack.columns : stack.rows; }
  std::int64_t depth() const { return transpose ? stack.rows : stack.columns; }
  std::int64_t elements() const { return stack.matrices() * rest() * depth(); }
};

struct ProductOfMatrices {
  std::size_t axis = 0;
  Matrices left, right;
  Shape shape;
};

inline void expect_stacks(const Shape& a, const Shape& b, std::size_t axis) {
  bool same = a.rank() == b.rank();
  for (std::size_t d = 0; same && d + 1 < a.rank(); ++d) same = d == axis || a[d] == b[d];
  if (same) return;
  fail(ErrorCode::invalid_argument, "shapes ", to_string(a), " and ", to_string(b),
       " differ in a dimension other than their rows and columns");
}

inline ProductOfMatrices product_of(const Attrs& attrs, const Shape& a, const Shape& b) {
  ProductOfMatrices product;
  product.axis = row_axis(attrs, a.rank());
  expect_stacks(a, b, product.axis);
  product.left = {0, matrices_of(a, product.axis), attrs.flag("transpose_a")};
  product.right = {1, matrices_of(b, product.axis), !attrs.flag("transpose_b")};
  if (product.left.depth() != product.right.depth()) {
    fail(ErrorCode::invalid_argument, "shapes ", to_string(a), " and ", to_string(b),
         " do not multiply: ", product.left.depth(), " elements meet ", product.right.depth());
  }
  product.shape = a;
  product.shape[product.axis] = product.left.rest();
  product.shape[a.rank() - 1] = product.right.rest();
  return product;
}

/// A transpose(A), or transpose(A) A.
inline ProductOfMatrices square_of(const Attrs& attrs, const Shape& a) {
  if (a.rank() < 2)
    fail(ErrorCode::invalid_argument, "A has the shape ", to_string(a), ": expected matrices");
  ProductOfMatrices product;
  product.axis = a.rank() - 2;
  product.left = product.right = {0, matrices_of(a, product.axis), attrs.flag("transpose")};
  product.shape = a;
  product.shape[product.axis] = product.shape[a.rank() - 1] = product.left.rest();
  return product;
}

}  // namespace mxinfer::ops
