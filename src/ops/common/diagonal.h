// Diagonals of the matrices in two dimensions of an array, and matrices around a diagonal.
//
//   const Diagonal diagonal = diagonal_at(offset, axis1, axis2, shape);
//   ... {{dtype, shape_of_diagonals(diagonal, shape)}};    // infer
//   return lower_diagonals(context, diagonal);             // lower
#pragma once

#include "ops/op_def.h"

namespace mxinfer::ops {

struct Diagonal {
  std::size_t axis1 = 0, axis2 = 1;  ///< the dimensions of rows and of columns
  std::int64_t row = 0, column = 0;  ///< of its first element
  std::int64_t length = 0;           ///< 0 if it is outside the matrices
};

/// The diagonal `offset` columns from the main one, with axes as attributes give them. Throws
/// Error(invalid_argument) unless they are two dimensions of the shape.
Diagonal diagonal_at(std::int64_t offset, std::int64_t axis1, std::int64_t axis2, const Shape& shape);

/// `shape` without the two dimensions, and with the diagonal's length behind the others.
Shape shape_of_diagonals(const Diagonal& diagonal, Shape shape);
/// Copies the diagonals of input 0.
Step lower_diagonals(LowerContext& context, const Diagonal& diagonal);

/// The shape of the square matrix that has `length` elements on diagonal k. Throws Error(invalid_argument) if
/// it would be too large.
Shape matrix_around(std::int64_t length, std::int64_t k);
/// Such a matrix, of the elements of input 0 and zeros elsewhere; k is an attribute.
Step lower_matrix_around(LowerContext& context);

}  // namespace mxinfer::ops
