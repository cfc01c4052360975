// Dense linear algebra on one row-major matrix, by OpenBLAS's LAPACK, on the calling thread. T: float,
// double; numbers are computed in T.
//
// Functions work in place, and need memory to work in where they say so. Nothing is transposed: LAPACK reads
// columns, so it is asked for the answer to the transposed question (the upper triangle for the lower one, QR
// for LQ).
//
// Preconditions: matrices are dense, their sizes 0 or more and at most kMostLapackRows (kMostEigenRows). NaN
// is no error: it passes into the result, of which pivots make the whole.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// LAPACK counts in 32 bits: rows, columns, and the elements of what it works in.
inline constexpr std::int64_t kMostLapackRows = (std::int64_t{1} << 25) - 1;
inline constexpr std::int64_t kMostEigenRows = 32766;

/// How op(A) meets B: op(A) is A or its transpose, A (n x n) a triangle.
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

/// The lower triangle L with L transpose(L) = A takes the place of A (n x n), of which the lower triangle is
/// read; or the upper one U with transpose(U) U = A. The other triangle becomes 0. False where a pivot is not
/// positive, which A then is not either.
template <typename T>
bool cholesky(bool lower, std::int64_t n, T* a);
/// The inverse of L transpose(L), or of transpose(U) U, takes the place of the triangle (n x n). False where
/// the triangle has a zero on its diagonal.
template <typename T>
bool cholesky_inverse(bool lower, std::int64_t n, T* a);

/// The determinant as sign * exp(log_magnitude) and as a product. Of a singular matrix: 0, -infinity, 0.
struct Determinant {
  double sign = 1;
  double log_magnitude = 0;
  double value = 1;
};

/// a (n x n) is used up; `pivots` holds n integers.
template <typename T>
Determinant determinant(std::int64_t n, T* a, int* pivots);

/// The inverse takes the place of a (n x n); `pivots` holds n integers, `work` inverse_work(n) numbers. False
/// where a pivot is 0.
template <typename T>
bool inverse(std::int64_t n, T* a, int* pivots, T* work);
std::int64_t inverse_work(std::int64_t n);

/// A = L Q with L (rows x rows) a lower triangle and Q (rows x columns) of orthonormal rows, rows <= columns.
/// Q takes the place of A; `work` holds lq_work(rows) numbers. Signs are those of LAPACK's reflections: a
/// diagonal element of L has the sign opposite to what it is made from, unless nothing stands right of it.
template <typename T>
void lq(std::int64_t rows, std::int64_t columns, T* a, T* l, T* work);
std::int64_t lq_work(std::int64_t rows);

/// Eigenvalues in ascending order and eigenvectors, one a row, of a symmetric matrix, of which the lower
/// triangle is read: transpose(vectors) diag(values) vectors = A. Each vector's element of largest magnitude
/// (the first of them) is positive. The vectors take the place of a (n x n); `work` holds eigen_work(n)
/// numbers, `integers` eigen_integers(n). All is NaN where A has an element that is not finite. False where
/// the iteration does not converge.
template <typename T>
bool symmetric_eigen(std::int64_t n, T* a, T* values, T* work, int* integers);
std::int64_t eigen_work(std::int64_t n);
std::int64_t eigen_integers(std::int64_t n);

}  // namespace mxinfer::kernels
