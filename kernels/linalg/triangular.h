// Triangular matrices: products and equations with one, and Cholesky's. All matrices are row-major double; of
// a triangular one only its triangle is read.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// How op(A) meets B: op(A) is A or its transpose, A (n x n) a triangle.
struct TriangularArgs {
  std::int64_t rows = 0;  ///< of B
  std::int64_t columns = 0;
  bool right = false;  ///< B op(A) rather than op(A) B
  bool transpose = false;
  bool lower = true;  ///< which triangle of A is there
  double alpha = 1;

  std::int64_t n() const { return right ? columns : rows; }
};

/// dst = alpha op(A) B, or alpha B op(A). dst is neither a nor b.
void triangular_multiply(const TriangularArgs& args, const double* a, const double* b, double* dst);
/// b becomes the X of op(A) X = alpha B, or X op(A) = alpha B. A zero on the diagonal gives infinities.
void triangular_solve(const TriangularArgs& args, const double* a, double* b);

/// The lower triangle L with L transpose(L) = A takes the place of A (n x n), of which the lower triangle is
/// read; the upper one becomes 0. False where a pivot is not positive, which A then is not either; NaN
/// passes.
bool cholesky(double* a, std::int64_t n);
/// dst = inverse(L transpose(L)), L (n x n) a lower triangle; `work` holds n * n numbers. False where L has a
/// zero on its diagonal.
bool cholesky_inverse(const double* l, double* dst, std::int64_t n, double* work);

}  // namespace mxinfer::kernels
