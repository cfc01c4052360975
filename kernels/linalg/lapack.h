// Dense linear algebra on one row-major matrix, by OpenBLAS's LAPACK, on the calling thread. T: float,
// double; all arithmetic is in T.
//
// Functions work in place; some take a work array. They transpose nothing: LAPACK is column-major, so they
// solve the transposed problem (the upper triangle for the lower one, QR for LQ).
//
// Preconditions: matrices are dense, their sizes 0 or more and at most kMostLapackRows (kMostEigenRows). NaN
// is not an error: it passes into the result, after pivoting usually into all of it.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// LAPACK counts rows, columns and the elements of work arrays in 32 bits.
inline constexpr std::int64_t kMostLapackRows = (std::int64_t{1} << 25) - 1;
inline constexpr std::int64_t kMostEigenRows = 32766;

/// The sides of a product of op(A) and B: op(A) is A or its transpose, A (n x n) a triangle.
struct TriangularArgs {
  std::int64_t rows = 0;  ///< of B
  std::int64_t columns = 0;
  bool right = false;  ///< B op(A) rather than op(A) B
  bool transpose = false;
  bool lower = true;  ///< which triangle of A is read
  double alpha = 1;
};

/// b = alpha op(A) B, or alpha B op(A).
template <typename T>
void triangular_multiply(const TriangularArgs& args, const T* a, T* b);
/// b becomes the X of op(A) X = alpha B, or X op(A) = alpha B. A zero on the diagonal gives infinities.
template <typename T>
void triangular_solve(const TriangularArgs& args, const T* a, T* b);

/// Replaces A (n x n), of which it reads the lower triangle, by the lower triangle L with L transpose(L) = A;
/// or from the upper one by U with transpose(U) U = A. The other triangle becomes 0. Returns false if a
/// pivot, and so A, is not positive.
template <typename T>
bool cholesky(bool lower, std::int64_t n, T* a);
/// Replaces the triangle (n x n) by the inverse of L transpose(L), or of transpose(U) U. Returns false if the
/// triangle has a zero on its diagonal.
template <typename T>
bool cholesky_inverse(bool lower, std::int64_t n, T* a);

/// The determinant as sign * exp(log_magnitude) and as a product. Of a singular matrix: 0, -infinity, 0.
struct Determinant {
  double sign = 1;
  double log_magnitude = 0;
  double value = 1;
};

/// Overwrites a (n x n); `pivots` holds n integers.
template <typename T>
Determinant determinant(std::int64_t n, T* a, int* pivots);

/// Replaces a (n x n) by its inverse; `pivots` holds n integers, `work` inverse_work(n) numbers. Returns
/// false if a pivot is 0.
template <typename T>
bool inverse(std::int64_t n, T* a, int* pivots, T* work);
std::int64_t inverse_work(std::int64_t n);

/// A = L Q with L (rows x rows) a lower triangle and Q (rows x columns) of orthonormal rows, rows <= columns.
/// Q replaces A; `work` holds lq_work(rows) numbers. Signs are those of LAPACK's reflections: a diagonal
/// element of L has the opposite sign of the element that its reflection starts from, unless all elements
/// right of it are 0.
template <typename T>
void lq(std::int64_t rows, std::int64_t columns, T* a, T* l, T* work);
std::int64_t lq_work(std::int64_t rows);

/// Eigenvalues in ascending order and eigenvectors, one a row, of a symmetric matrix, of which the lower
/// triangle is read: transpose(vectors) diag(values) vectors = A. Each vector's element of largest magnitude
/// (the first of them) is positive. The vectors replace a (n x n); `work` holds eigen_work(n) numbers,
/// `integers` eigen_integers(n). All results are NaN if an element of A is not finite. Returns false if the
/// iteration does not converge.
template <typename T>
bool symmetric_eigen(std::int64_t n, T* a, T* values, T* work, int* integers);
std::int64_t eigen_work(std::int64_t n);
std::int64_t eigen_integers(std::int64_t n);

}  // namespace mxinfer::kernels
