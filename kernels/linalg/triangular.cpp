#include "kernels/linalg/triangular.h"

#include <algorithm>
#include <cmath>

namespace mxinfer::kernels {
namespace {

/// Element (i, j) of op(A), and whether op(A) is a lower triangle.
struct Triangle {
  Triangle(const TriangularArgs& args, const double* a)
      : a_(a), n_(args.n()), transpose_(args.transpose), lower(args.lower != args.transpose) {}
  double operator()(std::int64_t i, std::int64_t j) const {
    return transpose_ ? a_[j * n_ + i] : a_[i * n_ + j];
  }

 private:
  const double* a_;
  std::int64_t n_;
  bool transpose_;

 public:
  bool lower;
};

void add_row(double* dst, double factor, const double* row, std::int64_t n) {
  for (std::int64_t c = 0; c < n; ++c) dst[c] += factor * row[c];
}

void scale_row(double* row, double factor, std::int64_t n) {
  for (std::int64_t c = 0; c < n; ++c) row[c] *= factor;
}

void solve_left(const Triangle& a, double* b, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t k = 0; k < rows; ++k) {
    const std::int64_t i = a.lower ? k : rows - 1 - k;
    double* row = b + i * columns;
    const std::int64_t first = a.lower ? 0 : i + 1, last = a.lower ? i : rows;
    for (std::int64_t j = first; j < last; ++j) add_row(row, -a(i, j), b + j * columns, columns);
    for (std::int64_t c = 0; c < columns; ++c) row[c] /= a(i, i);
  }
}

void solve_right(const Triangle& a, double* b, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t r = 0; r < rows; ++r) {
    double* row = b + r * columns;
    for (std::int64_t k = 0; k < columns; ++k) {
      // Column j of op(A) reaches the unknowns on its own side of the diagonal.
      const std::int64_t j = a.lower ? columns - 1 - k : k;
      const std::int64_t first = a.lower ? j + 1 : 0, last = a.lower ? columns : j;
      double sum = row[j];
      for (std::int64_t i = first; i < last; ++i) sum -= row[i] * a(i, j);
      row[j] = sum / a(j, j);
    }
  }
}

}  // namespace

void triangular_multiply(const TriangularArgs& args, const double* a, const double* b, double* dst) {
  const Triangle op(args, a);
  const std::int64_t rows = args.rows, columns = args.columns;
  std::fill_n(dst, rows * columns, 0.0);
  for (std::int64_t i = 0; i < rows; ++i) {
    double* row = dst + i * columns;
    if (args.right) {
      for (std::int64_t k = 0; k < columns; ++k) {
        const std::int64_t first = op.lower ? 0 : k, last = op.lower ? k + 1 : columns;
        for (std::int64_t j = first; j < last; ++j) row[j] += b[i * columns + k] * op(k, j);
      }
    } else {
      const std::int64_t first = op.lower ? 0 : i, last = op.lower ? i + 1 : rows;
      for (std::int64_t k = first; k < last; ++k) add_row(row, op(i, k), b + k * columns, columns);
    }
    scale_row(row, args.alpha, columns);
  }
}

void triangular_solve(const TriangularArgs& args, const double* a, double* b) {
  const Triangle op(args, a);
  scale_row(b, args.alpha, args.rows * args.columns);
  (args.right ? solve_right : solve_left)(op, b, args.rows, args.columns);
}

bool cholesky(double* a, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    double* row = a + i * n;
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = row[j];
      for (std::int64_t k = 0; k < j; ++k) sum -= row[k] * a[j * n + k];
      if (j < i) {
        row[j] = sum / a[j * n + j];
      } else {
        if (sum <= 0) return false;
        row[j] = std::sqrt(sum);
      }
    }
    std::fill(row + i + 1, row + n, 0.0);
  }
  return true;
}

bool cholesky_inverse(const double* l, double* dst, std::int64_t n, double* work) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (l[i * n + i] == 0) return false;
  }
  std::fill_n(work, n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) work[i * n + i] = 1;
  TriangularArgs args;
  args.rows = args.columns = n;
  triangular_solve(args, l, work);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (std::int64_t k = i; k < n; ++k) sum += work[k * n + i] * work[k * n + j];
      dst[i * n + j] = dst[j * n + i] = sum;
    }
  }
  return true;
}

}  // namespace mxinfer::kernels
