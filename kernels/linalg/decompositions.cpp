#include "kernels/linalg/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/common/openblas.h"
#include "kernels/gemm/transpose.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kBlockRows = 64;  ///< that LAPACK takes at once, at most

template <typename T>
struct Decompositions;

template <>
struct Decompositions<float> {
  decltype(&sgesvd_) gesvd = openblas().sgesvd;
  decltype(&sgeev_) geev = openblas().sgeev;
  decltype(&sgesv_) gesv = openblas().sgesv;
};

template <>
struct Decompositions<double> {
  decltype(&dgesvd_) gesvd = openblas().dgesvd;
  decltype(&dgeev_) geev = openblas().dgeev;
  decltype(&dgesv_) gesv = openblas().dgesv;
};

template <typename T>
bool is_finite(const T* a, std::int64_t count) {
  return std::all_of(a, a + count, [](T x) { return std::isfinite(x); });
}

template <typename T>
void fill_nan(T* a, std::int64_t count) {
  std::fill_n(a, count, std::numeric_limits<T>::quiet_NaN());
}

/// Of vectors whose elements differ only by rounding, the first of the largest decides.
template <typename T>
bool largest_is_negative(const T* vector, std::int64_t n) {
  constexpr T kMargin = 1 + 32 * std::numeric_limits<T>::epsilon();
  const auto larger = [](T a, T b) { return std::abs(a) * kMargin < std::abs(b); };
  return n > 0 && *std::max_element(vector, vector + n, larger) < 0;
}

template <typename T>
void make_rows_positive(std::int64_t rows, std::int64_t columns, T* u, T* v) {
  for (std::int64_t k = 0; k < rows; ++k) {
    if (!largest_is_negative(v + k * columns, columns)) continue;
    for (std::int64_t j = 0; j < columns; ++j) v[k * columns + j] = -v[k * columns + j];
    for (std::int64_t i = 0; i < rows; ++i) u[i * rows + k] = -u[i * rows + k];
  }
}

}  // namespace

std::int64_t svd_work(std::int64_t rows, std::int64_t columns) {
  return rows * rows + 5 * rows + columns + kBlockRows * (rows + columns) + 1;
}

template <typename T>
bool svd(std::int64_t rows, std::int64_t columns, T* a, T* u, T* values, T* v, T* work) {
  if (rows == 0) return true;
  if (!is_finite(a, rows * columns)) {
    fill_nan(u, rows * rows);
    fill_nan(values, rows);
    fill_nan(v, rows * columns);
    return true;
  }
  // LAPACK sees the transposes: transpose(A) = transpose(V) diag(values) transpose(U).
  const int m = static_cast<int>(columns), n = static_cast<int>(rows),
            lwork = static_cast<int>(
                std::min<std::int64_t>(svd_work(rows, columns), std::numeric_limits<int>::max()));
  int info = 0;
  {
    const OpenBlasCall call;
    Decompositions<T>{}.gesvd("S", "S", &m, &n, a, &m, values, v, &m, u, &n, work, &lwork, &info, 1, 1);
  }
  make_rows_positive(rows, columns, u, v);
  return info == 0;
}

std::int64_t general_eigen_work(std::int64_t n) {
  return (kBlockRows + 5) * n + 1;
}

template <typename T>
EigenResult general_eigen(std::int64_t n, T* a, T* values, T* vectors, T* work) {
  if (n == 0) return EigenResult::real;
  if (!is_finite(a, n * n)) {
    fill_nan(values, n);
    if (vectors != nullptr) fill_nan(vectors, n * n);
    return EigenResult::real;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = i + 1; j < n; ++j) std::swap(a[i * n + j], a[j * n + i]);
  }
  const int size = static_cast<int>(n), lwork = static_cast<int>((kBlockRows + 4) * n);
  T* imaginary = work + (kBlockRows + 4) * n;
  T none = 0;
  const int one = 1;
  int info = 0;
  {
    const OpenBlasCall call;
    Decompositions<T>{}.geev("N", vectors != nullptr ? "V" : "N", &size, a, &size, values, imaginary, &none,
                             &one, vectors != nullptr ? vectors : &none, vectors != nullptr ? &size : &one,
                             work, &lwork, &info, 1, 1);
  }
  if (info != 0) return EigenResult::not_converged;
  if (std::any_of(imaginary, imaginary + n, [](T x) { return std::abs(x) > T(1e-15); }))
    return EigenResult::complex;
  for (std::int64_t i = 0; vectors != nullptr && i < n; ++i) {
    for (std::int64_t j = i + 1; j < n; ++j) std::swap(vectors[i * n + j], vectors[j * n + i]);
  }
  return EigenResult::real;
}

std::int64_t solve_work(std::int64_t n, std::int64_t columns) {
  return n * n + n * columns;
}

template <typename T>
bool solve(std::int64_t n, std::int64_t columns, const T* a, const T* b, T* x, int* pivots, T* work) {
  if (n == 0 || columns == 0) return true;
  T* right = work + n * n;
  transpose(a, n, work, n, n);
  transpose(b, columns, right, n, columns);
  const int size = static_cast<int>(n), count = static_cast<int>(columns);
  int info = 0;
  {
    const OpenBlasCall call;
    Decompositions<T>{}.gesv(&size, &count, work, &size, pivots, right, &size, &info);
  }
  transpose(right, n, x, columns, n);
  return info == 0;
}

std::int64_t pseudoinverse_work(std::int64_t rows, std::int64_t columns) {
  const std::int64_t few = std::min(rows, columns), many = std::max(rows, columns);
  return 2 * few * many + few * few + few + svd_work(few, many);
}

template <typename T>
bool pseudoinverse(std::int64_t rows, std::int64_t columns, const T* a, T rcond, T* x, T* work) {
  const std::int64_t few = std::min(rows, columns), many = std::max(rows, columns);
  if (few == 0) return true;
  T* matrix = work;
  T* v = matrix + few * many;
  T* u = v + few * many;
  T* values = u + few * few;
  if (rows <= columns) {
    std::copy_n(a, rows * columns, matrix);
  } else {
    transpose(a, columns, matrix, rows, columns);
  }
  if (!svd(few, many, matrix, u, values, v, values + few)) return false;
  const T least = rcond * *std::max_element(values, values + few);
  for (std::int64_t k = 0; k < few; ++k)
    values[k] = values[k] > least || values[k] != values[k] ? 1 / values[k] : 0;
  // transpose(V) diag(values) transpose(U), or its transpose.
  const std::int64_t of_many = rows <= columns ? few : 1, of_few = rows <= columns ? 1 : many;
  for (std::int64_t i = 0; i < many; ++i) {
    for (std::int64_t j = 0; j < few; ++j) {
      T sum = 0;
      for (std::int64_t k = 0; k < few; ++k) sum += v[k * many + i] * values[k] * u[j * few + k];
      x[i * of_many + j * of_few] = sum;
    }
  }
  return true;
}

template bool svd(std::int64_t, std::int64_t, float*, float*, float*, float*, float*);
template EigenResult general_eigen(std::int64_t, float*, float*, float*, float*);
template bool solve(std::int64_t, std::int64_t, const float*, const float*, float*, int*, float*);
template bool pseudoinverse(std::int64_t, std::int64_t, const float*, float, float*, float*);

template bool svd(std::int64_t, std::int64_t, double*, double*, double*, double*, double*);
template EigenResult general_eigen(std::int64_t, double*, double*, double*, double*);
template bool solve(std::int64_t, std::int64_t, const double*, const double*, double*, int*, double*);
template bool pseudoinverse(std::int64_t, std::int64_t, const double*, double, double*, double*);

}  // namespace mxinfer::kernels
