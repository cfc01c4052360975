// What dot and batch_dot multiply: both sides as stacks of matrices.
//
//   const DotProduct product = dot_product_of("batch_dot", attrs, lhs, rhs);   // product.left.rest, ...
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/fail.h"
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
  DotSide side;
  side.batch = shape.elements(0, last - 1);
  side.depth = shape[depth_first ? last - 1 : last];
  side.rest = shape[depth_first ? last : last - 1];
  side.transposed = depth_first;
  return side;
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

}  // namespace mxinfer::ops
