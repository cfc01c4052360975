#include "kernels/linalg/lapack.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/common/openblas.h"

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kBlock =
    64;  ///< rows that LAPACK takes at once, at most; work for so many makes it fast

template <typename T>
struct Lapack;

template <>
struct Lapack<float> {
  decltype(&strmm_) trmm = openblas().strmm;
  decltype(&strsm_) trsm = openblas().strsm;
  decltype(&spotrf_) potrf = openblas().spotrf;
  decltype(&spotri_) potri = openblas().spotri;
  decltype(&sgetrf_) getrf = openblas().sgetrf;
  decltype(&sgetri_) getri = openblas().sgetri;
  decltype(&sgeqrf_) geqrf = openblas().sgeqrf;
  decltype(&sorgqr_) orgqr = openblas().sorgqr;
  decltype(&ssyevd_) syevd = openblas().ssyevd;
};

template <>
struct Lapack<double> {
  decltype(&dtrmm_) trmm = openblas().dtrmm;
  decltype(&dtrsm_) trsm = openblas().dtrsm;
  decltype(&dpotrf_) potrf = openblas().dpotrf;
  decltype(&dpotri_) potri = openblas().dpotri;
  decltype(&dgetrf_) getrf = openblas().dgetrf;
  decltype(&dgetri_) getri = openblas().dgetri;
  decltype(&dgeqrf_) geqrf = openblas().dgeqrf;
  decltype(&dorgqr_) orgqr = openblas().dorgqr;
  decltype(&dsyevd_) syevd = openblas().dsyevd;
};

/// The triangle as LAPACK sees it.
const char* seen_triangle(bool lower) {
  return lower ? "U" : "L";
}

/// Calls a column-major function, which sees the transposed arrays: B op(A) for op(A) B, and vice versa.
template <typename T, typename Function>
void call_triangular(Function function, const TriangularArgs& args, const T* a, T* b) {
  if (args.rows == 0 || args.columns == 0) return;
  const int m = static_cast<int>(args.columns), n = static_cast<int>(args.rows);
  const int& size = args.right ? m : n;
  const T alpha = static_cast<T>(args.alpha);
  const OpenBlasCall call;
  function(args.right ? "L" : "R", seen_triangle(args.lower), args.transpose ? "T" : "N", "N", &m, &n, &alpha,
           a, &size, b, &m, 1, 1, 1, 1);
}

/// Calls body(i, j) for the elements above the diagonal.
template <typename Body>
void for_each_above(std::int64_t n, const Body& body) {
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = i + 1; j < n; ++j) body(i, j);
  }
}

/// LU factors with row exchanges. Returns false if a pivot is 0.
template <typename T>
bool factor(int n, T* a, int* pivots) {
  int info = 0;
  Lapack<T>{}.getrf(&n, &n, a, &n, pivots, &info);
  return info == 0;
}

template <typename T>
bool lower_is_finite(std::int64_t n, const T* a) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (!std::all_of(a + i * n, a + i * n + i + 1, [](T x) { return std::isfinite(x); })) return false;
  }
  return true;
}

template <typename T>
void make_largest_positive(T* vector, std::int64_t n) {
  // Elements that differ only by rounding count as equal, and the first one decides.
  constexpr T kMargin = 1 + 32 * std::numeric_limits<T>::epsilon();
  const auto larger = [](T a, T b) { return std::abs(a) * kMargin < std::abs(b); };
  if (!(*std::max_element(vector, vector + n, larger) < 0)) return;
  for (std::int64_t i = 0; i < n; ++i) vector[i] = -vector[i];
}

}  // namespace

template <typename T>
void triangular_multiply(const TriangularArgs& args, const T* a, T* b) {
  call_triangular(Lapack<T>{}.trmm, args, a, b);
}

template <typename T>
void triangular_solve(const TriangularArgs& args, const T* a, T* b) {
  call_triangular(Lapack<T>{}.trsm, args, a, b);
}

template <typename T>
bool cholesky(bool lower, std::int64_t n, T* a) {
  if (n == 0) return true;
  const int size = static_cast<int>(n);
  int info = 0;
  {
    const OpenBlasCall call;
    Lapack<T>{}.potrf(seen_triangle(lower), &size, a, &size, &info, 1);
  }
  for_each_above(n, [=](std::int64_t i, std::int64_t j) { (lower ? a[i * n + j] : a[j * n + i]) = 0; });
  return info == 0;
}

template <typename T>
bool cholesky_inverse(bool lower, std::int64_t n, T* a) {
  if (n == 0) return true;
  const int size = static_cast<int>(n);
  int info = 0;
  {
    const OpenBlasCall call;
    Lapack<T>{}.potri(seen_triangle(lower), &size, a, &size, &info, 1);
  }
  for_each_above(n, [=](std::int64_t i, std::int64_t j) {
    T &above = a[i * n + j], &below = a[j * n + i];
    (lower ? above : below) = lower ? below : above;
  });
  return info == 0;
}

template <typename T>
Determinant determinant(std::int64_t n, T* a, int* pivots) {
  Determinant result;
  if (n == 0) return result;
  {
    const OpenBlasCall call;
    if (!factor(static_cast<int>(n), a, pivots)) return {0, -std::numeric_limits<double>::infinity(), 0};
  }
  for (std::int64_t k = 0; k < n; ++k) {
    const double pivot = a[k * n + k];
    if ((pivot < 0) != (pivots[k] != k + 1)) result.sign = -result.sign;
    result.log_magnitude += std::log(std::abs(pivot));
    result.value *= std::abs(pivot);
  }
  if (std::isnan(result.value)) result.sign = result.value;
  result.value *= result.sign;
  return result;
}

std::int64_t inverse_work(std::int64_t n) {
  return kBlock * n;
}

template <typename T>
bool inverse(std::int64_t n, T* a, int* pivots, T* work) {
  if (n == 0) return true;
  const int size = static_cast<int>(n), lwork = static_cast<int>(inverse_work(n));
  const OpenBlasCall call;
  if (!factor(size, a, pivots)) return false;
  int info = 0;
  Lapack<T>{}.getri(&size, a, &size, pivots, work, &lwork, &info);
  return info == 0;
}

std::int64_t lq_work(std::int64_t rows) {
  return (kBlock + 1) * rows;
}

template <typename T>
void lq(std::int64_t rows, std::int64_t columns, T* a, T* l, T* work) {
  if (rows == 0) return;
  const int m = static_cast<int>(columns), n = static_cast<int>(rows),
            lwork = static_cast<int>(kBlock * rows);
  T* tau = work + kBlock * rows;
  int info = 0;
  const OpenBlasCall call;
  Lapack<T>{}.geqrf(&m, &n, a, &m, tau, work, &lwork, &info);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::copy_n(a + i * columns, i + 1, l + i * rows);
    std::fill(l + i * rows + i + 1, l + (i + 1) * rows, T(0));
  }
  Lapack<T>{}.orgqr(&m, &n, &n, a, &m, tau, work, &lwork, &info);
}

std::int64_t eigen_work(std::int64_t n) {
  return 1 + 6 * n + 2 * n * n;
}

std::int64_t eigen_integers(std::int64_t n) {
  return 3 + 5 * n;
}

template <typename T>
bool symmetric_eigen(std::int64_t n, T* a, T* values, T* work, int* integers) {
  if (n == 0) return true;
  if (!lower_is_finite(n, a)) {  // the iteration might not end
    std::fill_n(a, n * n, std::numeric_limits<T>::quiet_NaN());
    std::fill_n(values, n, std::numeric_limits<T>::quiet_NaN());
    return true;
  }
  const int size = static_cast<int>(n), lwork = static_cast<int>(eigen_work(n)),
            liwork = static_cast<int>(eigen_integers(n));
  int info = 0;
  {
    const OpenBlasCall call;
    Lapack<T>{}.syevd("V", seen_triangle(true), &size, a, &size, values, work, &lwork, integers, &liwork,
                      &info, 1, 1);
  }
  for (std::int64_t i = 0; i < n; ++i) make_largest_positive(a + i * n, n);
  return info == 0;
}

template void triangular_multiply(const TriangularArgs&, const float*, float*);
template void triangular_solve(const TriangularArgs&, const float*, float*);
template bool cholesky(bool, std::int64_t, float*);
template bool cholesky_inverse(bool, std::int64_t, float*);
template Determinant determinant(std::int64_t, float*, int*);
template bool inverse(std::int64_t, float*, int*, float*);
template void lq(std::int64_t, std::int64_t, float*, float*, float*);
template bool symmetric_eigen(std::int64_t, float*, float*, float*, int*);

template void triangular_multiply(const TriangularArgs&, const double*, double*);
template void triangular_solve(const TriangularArgs&, const double*, double*);
template bool cholesky(bool, std::int64_t, double*);
template bool cholesky_inverse(bool, std::int64_t, double*);
template Determinant determinant(std::int64_t, double*, int*);
template bool inverse(std::int64_t, double*, int*, double*);
template void lq(std::int64_t, std::int64_t, double*, double*, double*);
template bool symmetric_eigen(std::int64_t, double*, double*, double*, int*);

}  // namespace mxinfer::kernels
