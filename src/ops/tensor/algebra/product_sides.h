// The matrices that are multiplied. dot and batch_dot: both sides as stacks of matrices. _linalg_gemm,
// _linalg_gemm2 and _linalg_syrk: stacks of matrices whose rows may lie along any axis but the last, their
// columns along the last.
//
//   const DotProduct product = dot_product_of("batch_dot", attrs, lhs, rhs);   // product.left.rest, ...
//   const ProductOfMatrices product = product_of(attrs, a, b);   // product.left.rest(), product.shape, ...
#pragma once

#include <algorithm>

#include "ops/op_def.h"

namespace mxinfer::ops {

/// One side of a product: `batch` matrices of `rest` x `depth`, stored transposed (depth x rest) or not.
struct DotSide {
  std::int64_t batch = 1, rest = 1, depth = 1;
  bool transposed = false;
  Shape rest_dims{};

  std::int64_t elements() const { return batch * rest * depth; }
};

/// A side of dot: all dimensions but the one that is summed over make up the rest.
inline DotSide dot_side(const Shape& shape, bool depth_first, const char* name) {
  if (shape.rank() == 0)
    fail(ErrorCode::invalid_argument, "input '", name, "' is a scalar: expected 1 dimension or more");
  DotSide side;
  side.depth = depth_first ? shape[0] : shape.back();
  if (shape.rank() == 1) return side;
  side.transposed = depth_first;
  for (std::size_t i = depth_first ? 1 : 0; i + (depth_first ? 0 : 1) < shape.rank(); ++i) {
    side.rest_dims.push_back(shape[i]);
  }
  side.rest = side.rest_dims.elements();
  return side;
}

/// A side of batch_dot: the last two dimensions are the matrix.
inline DotSide batch_side(const Shape& shape, bool depth_first, const char* name) {
  if (shape.rank() < 2) {
    fail(ErrorCode::invalid_argument, "input '", name, "' has shape ", to_string(shape),
         ": expected 2 dimensions or more");
  }
  const std::size_t last = shape.rank() - 1;
  return {.batch = shape.elements(0, last - 1),
          .rest = shape[depth_first ? last : last - 1],
          .depth = shape[depth_first ? last - 1 : last],
          .transposed = depth_first};
}

struct DotProduct {
  DotSide left, right;
  Shape output;
};

inline void expect_same_depth(const DotSide& left, const DotSide& right, const Shape& l, const Shape& r,
                              const Attrs& attrs) {
  if (left.depth == right.depth) return;
  const auto flag = [&](const char* name) { return attrs.flag(name) ? "True" : "False"; };
  fail(ErrorCode::invalid_argument, "shapes ", to_string(l), " and ", to_string(r),
       " do not multiply: ", left.depth, " elements meet ", right.depth,
       " (transpose_a=", flag("transpose_a"), ", transpose_b=", flag("transpose_b"), ")");
}

inline DotProduct dot_product(const Attrs& attrs, const Shape& l, const Shape& r) {
  DotProduct product{
      dot_side(l, attrs.flag("transpose_a"), "lhs"), dot_side(r, !attrs.flag("transpose_b"), "rhs"), {}};
  expect_same_depth(product.left, product.right, l, r, attrs);
  for (std::int64_t dim : product.left.rest_dims) product.output.push_back(dim);
  for (std::int64_t dim : product.right.rest_dims) product.output.push_back(dim);
  if (product.output.empty()) product.output = {1};
  return product;
}

inline DotProduct batch_product(const Attrs& attrs, const Shape& l, const Shape& r) {
  DotProduct product{batch_side(l, attrs.flag("transpose_a"), "lhs"),
                     batch_side(r, !attrs.flag("transpose_b"), "rhs"), l};
  for (std::size_t i = 0; i + 2 < std::max(l.rank(), r.rank()); ++i) {
    if (l.rank() != r.rank() || l[i] != r[i]) {
      fail(ErrorCode::invalid_argument, "shapes ", to_string(l), " and ", to_string(r),
           " differ in a dimension before the last two");
    }
  }
  expect_same_depth(product.left, product.right, l, r, attrs);
  product.output[l.rank() - 2] = product.left.rest;
  product.output[l.rank() - 1] = product.right.rest;
  return product;
}

inline DotProduct dot_product_of(const std::string& op, const Attrs& attrs, const Shape& l, const Shape& r) {
  if (op == "dot") return dot_product(attrs, l, r);
  return batch_product(attrs, l, r);
}

/// A stack of matrices [outer][rows][inner][columns]: matrix (o, i) has the elements (o, r, i, c).
struct Stack {
  std::int64_t outer = 1, rows = 1, inner = 1, columns = 1;

  std::int64_t matrices() const { return outer * inner; }
  std::int64_t row_step() const { return inner * columns; }
  std::int64_t offset(std::int64_t matrix) const {
    return matrix / inner * rows * inner * columns + matrix % inner * columns;
  }
};

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
