#include <algorithm>
#include <cmath>

#include "kernels/fourier/fourier.h"

namespace mxinfer::kernels {
namespace {

using Complex = std::complex<double>;

std::int64_t smallest_factor(std::int64_t n) {
  for (std::int64_t p = 2; p * p <= n; ++p) {
    if (n % p == 0) return p;
  }
  return n;
}

/// The parts of a transform of `full` numbers.
struct Transform {
  std::int64_t full;
  const Complex* root;  ///< exp(sign * 2 pi i k / full)
  Complex* column;      ///< `full` of them, to work in

  /// dst[k] = sum over j < n of src[j * stride] * root[j * k * full / n]. n is split by its smallest factor
  /// p: p transforms of every p-th number, then sums of p terms.
  void run(const Complex* src, std::int64_t stride, Complex* dst, std::int64_t n) const {
    if (n == 1) {
      *dst = *src;
      return;
    }
    const std::int64_t p = smallest_factor(n), m = n / p, step = full / n;
    for (std::int64_t r = 0; r < p; ++r) run(src + r * stride, stride * p, dst + r * m, m);
    for (std::int64_t k = 0; k < m; ++k) {
      for (std::int64_t r = 0; r < p; ++r) column[r] = dst[r * m + k];
      for (std::int64_t q = 0; q < p; ++q) {
        const std::int64_t at = q * m + k;
        Complex sum = 0;
        for (std::int64_t r = 0; r < p; ++r) sum += column[r] * root[r * at % n * step];
        dst[at] = sum;
      }
    }
  }
};

/// Computes the roots in scratch, and calls body(transform, n numbers for its input, n for its output).
template <typename Body>
void with_transform(std::int64_t n, double sign, Complex* scratch, const Body& body) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  for (std::int64_t k = 0; k < n; ++k) {
    scratch[k] = std::polar(1.0, sign * kTurn * static_cast<double>(k) / static_cast<double>(n));
  }
  body(Transform{n, scratch, scratch + n}, scratch + 2 * n, scratch + 3 * n);
}

}  // namespace

template <typename T>
void fourier_forward(const T* src, T* dst, std::int64_t n, Complex* scratch, std::int64_t begin,
                     std::int64_t end) {
  with_transform(n, -1, scratch, [&](const Transform& transform, Complex* before, Complex* after) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t j = 0; j < n; ++j) before[j] = static_cast<double>(src[row * n + j]);
      transform.run(before, 1, after, n);
      for (std::int64_t k = 0; k < n; ++k) {
        dst[2 * (row * n + k)] = static_cast<T>(after[k].real());
        dst[2 * (row * n + k) + 1] = static_cast<T>(after[k].imag());
      }
    }
  });
}

template <typename T>
void fourier_inverse(const T* src, T* dst, std::int64_t n, Complex* scratch, std::int64_t begin,
                     std::int64_t end) {
  with_transform(n, 1, scratch, [&](const Transform& transform, Complex* before, Complex* after) {
    for (std::int64_t row = begin; row < end; ++row) {
      for (std::int64_t k = 0; k < n; ++k) {
        const T* pair = src + 2 * (row * n + k);
        before[k] = Complex(static_cast<double>(pair[0]), static_cast<double>(pair[1]));
      }
      transform.run(before, 1, after, n);
      for (std::int64_t j = 0; j < n; ++j) dst[row * n + j] = static_cast<T>(after[j].real());
    }
  });
}

template <typename T>
void count_sketch(const T* src, const std::int64_t* h, const T* s, T* dst, std::int64_t n, std::int64_t m,
                  std::int64_t begin, std::int64_t end) {
  for (std::int64_t row = begin; row < end; ++row) {
    T* out = dst + row * m;
    std::fill_n(out, m, T(0));
    for (std::int64_t i = 0; i < n; ++i) out[h[i]] += s[i] * src[row * n + i];
  }
}

template void fourier_forward(const float*, float*, std::int64_t, Complex*, std::int64_t, std::int64_t);
template void fourier_forward(const double*, double*, std::int64_t, Complex*, std::int64_t, std::int64_t);
template void fourier_inverse(const float*, float*, std::int64_t, Complex*, std::int64_t, std::int64_t);
template void fourier_inverse(const double*, double*, std::int64_t, Complex*, std::int64_t, std::int64_t);
template void count_sketch(const float*, const std::int64_t*, const float*, float*, std::int64_t,
                           std::int64_t, std::int64_t, std::int64_t);
template void count_sketch(const double*, const std::int64_t*, const double*, double*, std::int64_t,
                           std::int64_t, std::int64_t, std::int64_t);

}  // namespace mxinfer::kernels
