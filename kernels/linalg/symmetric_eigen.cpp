// Jacobi's method: rotations clear one pair of elements at a time, until what is off the diagonal is
// rounding.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linalg/factor.h"

namespace mxinfer::kernels {
namespace {

constexpr int kMostSweeps = 64;  // about ten are enough

/// The largest magnitude in the matrix; NaN where one is in it.
double largest_magnitude(const double* a, std::int64_t n) {
  double largest = 0;
  for (std::int64_t i = 0; i < n * n; ++i) {
    if (!(std::abs(a[i]) <= largest)) largest = std::abs(a[i]);
    if (std::isnan(largest)) break;
  }
  return largest;
}

/// Rotates rows and columns p and q so that element (p, q) becomes 0; the same rotation takes the vectors.
void rotate(double* a, double* vectors, std::int64_t n, std::int64_t p, std::int64_t q) {
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
  const double c = 1 / std::hypot(t, 1.0), s = t * c;
  const auto turn = [c, s](double& x, double& y) {
    const double old = x;
    x = c * old - s * y;
    y = s * old + c * y;
  };
  for (std::int64_t k = 0; k < n; ++k) turn(a[k * n + p], a[k * n + q]);
  for (std::int64_t k = 0; k < n; ++k) turn(a[p * n + k], a[q * n + k]);
  for (std::int64_t k = 0; k < n; ++k) turn(vectors[p * n + k], vectors[q * n + k]);
  a[p * n + q] = a[q * n + p] = 0;
}

/// Exchanges eigenvalues, and the rows of their vectors, until they ascend; equal ones keep their order.
void sort_ascending(double* values, double* vectors, std::int64_t n) {
  for (std::int64_t i = 1; i < n; ++i) {
    for (std::int64_t k = i; k > 0 && values[k] < values[k - 1]; --k) {
      std::swap(values[k], values[k - 1]);
      std::swap_ranges(vectors + k * n, vectors + (k + 1) * n, vectors + (k - 1) * n);
    }
  }
}

void make_largest_positive(double* vector, std::int64_t n) {
  // Elements as large as one another but for rounding count as equal, and the first one decides.
  const auto larger = [](double a, double b) { return std::abs(a) * (1 + 1e-12) < std::abs(b); };
  if (!(*std::max_element(vector, vector + n, larger) < 0)) return;
  for (std::int64_t i = 0; i < n; ++i) vector[i] = -vector[i];
}

}  // namespace

void symmetric_eigen(double* a, std::int64_t n, double* vectors, double* values) {
  std::fill_n(vectors, n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) {
    vectors[i * n + i] = 1;
    for (std::int64_t j = 0; j < i; ++j) a[j * n + i] = a[i * n + j];
  }
  const double largest = largest_magnitude(a, n);
  if (!std::isfinite(largest)) {
    std::fill_n(vectors, n * n, std::numeric_limits<double>::quiet_NaN());
    std::fill_n(values, n, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  // What is smaller than this changes no eigenvalue's last bit.
  const double negligible = largest * std::numeric_limits<double>::epsilon() / 16;
  bool again = n > 1;
  for (int sweep = 0; again && sweep < kMostSweeps; ++sweep) {
    again = false;
    for (std::int64_t p = 0; p < n; ++p) {
      for (std::int64_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p * n + q]) <= negligible) continue;
        rotate(a, vectors, n, p, q);
        again = true;
      }
    }
  }
  for (std::int64_t i = 0; i < n; ++i) values[i] = a[i * n + i];
  sort_ascending(values, vectors, n);
  for (std::int64_t i = 0; i < n; ++i) make_largest_positive(vectors + i * n, n);
}

}  // namespace mxinfer::kernels
