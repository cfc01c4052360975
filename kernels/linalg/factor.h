// Factorisations of small dense matrices, row-major double: LU with row exchanges, LQ by reflections, and the
// eigenvectors of a symmetric matrix by rotations.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// The determinant as sign * exp(log_magnitude) and as a product. Of a singular matrix: 0, -infinity, 0.
struct Determinant {
  double sign = 1;
  double log_magnitude = 0;
  double value = 1;
};

/// a (n x n) is used up.
Determinant determinant(double* a, std::int64_t n);
/// dst = inverse(a), both n x n; a is used up. False where a pivot is 0; NaN passes.
bool inverse(double* a, double* dst, std::int64_t n);

/// A = L Q with L (rows x rows) a lower triangle and Q (rows x columns) of orthonormal rows, rows <= columns.
/// Signs are those of LAPACK's reflections: a diagonal element of L has the sign opposite to what it is made
/// from, unless nothing stands right of it. a (rows x columns) is used up, `work` holds `rows` numbers.
void lq(double* a, std::int64_t rows, std::int64_t columns, double* l, double* q, double* work);

/// Eigenvalues in ascending order and eigenvectors, one a row, of a symmetric matrix, of which the lower
/// triangle is read: transpose(vectors) diag(values) vectors = A. Each vector's element of largest magnitude
/// (the first of them) is positive. a (n x n) is used up.
void symmetric_eigen(double* a, std::int64_t n, double* vectors, double* values);

}  // namespace mxinfer::kernels
