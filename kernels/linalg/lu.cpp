#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/linalg/factor.h"

namespace mxinfer::kernels {
namespace {

/// The row from `k` on whose element in column k is largest; NaN counts as larger than anything.
std::int64_t pivot_row(const double* a, std::int64_t n, std::int64_t k) {
  std::int64_t best = k;
  for (std::int64_t i = k; i < n; ++i) {
    if (std::isnan(a[i * n + k])) return i;
    if (std::abs(a[i * n + k]) > std::abs(a[best * n + k])) best = i;
  }
  return best;
}

/// Clears column k below the diagonal. `other` (n x n), where there is one, takes part in what the rows do.
/// Returns the pivot.
double eliminate(double* a, double* other, std::int64_t n, std::int64_t k, double* sign) {
  const std::int64_t p = pivot_row(a, n, k);
  if (p != k) {
    std::swap_ranges(a + k * n, a + (k + 1) * n, a + p * n);
    if (other != nullptr) std::swap_ranges(other + k * n, other + (k + 1) * n, other + p * n);
    *sign = -*sign;
  }
  const double pivot = a[k * n + k];
  if (pivot == 0) return pivot;
  for (std::int64_t i = k + 1; i < n; ++i) {
    const double factor = a[i * n + k] / pivot;
    if (factor == 0) continue;
    for (std::int64_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
    for (std::int64_t j = 0; other != nullptr && j < n; ++j) other[i * n + j] -= factor * other[k * n + j];
  }
  return pivot;
}

}  // namespace

Determinant determinant(double* a, std::int64_t n) {
  Determinant result;
  for (std::int64_t k = 0; k < n; ++k) {
    const double pivot = eliminate(a, nullptr, n, k, &result.sign);
    if (pivot == 0) return {0, -std::numeric_limits<double>::infinity(), 0};
    if (pivot < 0) result.sign = -result.sign;
    result.log_magnitude += std::log(std::abs(pivot));
    result.value *= std::abs(pivot);
  }
  if (std::isnan(result.value)) result.sign = result.value;
  result.value *= result.sign;
  return result;
}

bool inverse(double* a, double* dst, std::int64_t n) {
  std::fill_n(dst, n * n, 0.0);
  for (std::int64_t i = 0; i < n; ++i) dst[i * n + i] = 1;
  double sign = 1;
  for (std::int64_t k = 0; k < n; ++k) {
    if (eliminate(a, dst, n, k, &sign) == 0) return false;
  }
  for (std::int64_t i = n - 1; i >= 0; --i) {
    for (std::int64_t k = i + 1; k < n; ++k) {
      for (std::int64_t j = 0; j < n; ++j) dst[i * n + j] -= a[i * n + k] * dst[k * n + j];
    }
    for (std::int64_t j = 0; j < n; ++j) dst[i * n + j] /= a[i * n + i];
  }
  return true;
}

}  // namespace mxinfer::kernels
