#include <algorithm>
#include <cmath>

#include "kernels/linalg/factor.h"

namespace mxinfer::kernels {
namespace {

/// Turns x (n elements) into (beta, v[1], v[2], ...) with (I - tau v transpose(v)) x = (beta, 0, ...), where
/// v[0] = 1. Returns tau.
double make_reflection(double* x, std::int64_t n) {
  double tail = 0;
  for (std::int64_t i = 1; i < n; ++i) tail = std::hypot(tail, x[i]);
  if (tail == 0) return 0;
  const double beta = -std::copysign(std::hypot(x[0], tail), x[0]);
  const double tau = (beta - x[0]) / beta;
  for (std::int64_t i = 1; i < n; ++i) x[i] /= x[0] - beta;
  x[0] = beta;
  return tau;
}

/// row -= tau (row . v) v, v[0] = 1.
void reflect(double* row, const double* v, double tau, std::int64_t n) {
  double dot = row[0];
  for (std::int64_t i = 1; i < n; ++i) dot += row[i] * v[i];
  dot *= tau;
  row[0] -= dot;
  for (std::int64_t i = 1; i < n; ++i) row[i] -= dot * v[i];
}

}  // namespace

void lq(double* a, std::int64_t rows, std::int64_t columns, double* l, double* q, double* work) {
  for (std::int64_t k = 0; k < rows; ++k) {
    double* v = a + k * columns + k;
    work[k] = make_reflection(v, columns - k);
    if (work[k] == 0) continue;
    for (std::int64_t i = k + 1; i < rows; ++i) reflect(a + i * columns + k, v, work[k], columns - k);
  }
  std::fill_n(l, rows * rows, 0.0);
  std::fill_n(q, rows * columns, 0.0);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(a + i * columns, i + 1, l + i * rows);
    q[i * columns + i] = 1;
  }
  // The reflections, last one first, turn the first rows of the identity into Q.
  for (std::int64_t k = rows - 1; k >= 0; --k) {
    if (work[k] == 0) continue;
    for (std::int64_t i = k; i < rows; ++i)
      reflect(q + i * columns + k, a + k * columns + k, work[k], columns - k);
  }
}

}  // namespace mxinfer::kernels
