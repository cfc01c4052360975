// Discrete Fourier transforms of rows, and the sketch of vectors that compact bilinear pooling multiplies in
// their space. Complex numbers are pairs: real, imaginary.
//
//   forward:  dst[k] = sum over j of src[j] * exp(-2 pi i j k / n), src real
//   inverse:  dst[j] = real part of the sum over k of src[k] * exp(2 pi i j k / n), not divided by n
//   sketch:   dst[h[i]] += s[i] * src[i]
#pragma once

#include <complex>
#include <cstdint>

namespace mxinfer::kernels {

/// Complex doubles of scratch for one call.
inline std::int64_t fourier_scratch_elements(std::int64_t n) {
  return 4 * n;
}

/// Rows [begin, end) of n numbers into n pairs. T: float, double.
template <typename T>
void fourier_forward(const T* src, T* dst, std::int64_t n, std::complex<double>* scratch, std::int64_t begin,
                     std::int64_t end);

/// Rows [begin, end) of n pairs into n numbers.
template <typename T>
void fourier_inverse(const T* src, T* dst, std::int64_t n, std::complex<double>* scratch, std::int64_t begin,
                     std::int64_t end);

/// Rows [begin, end) of n numbers into m. Precondition: h in [0, m).
template <typename T>
void count_sketch(const T* src, const std::int64_t* h, const T* s, T* dst, std::int64_t n, std::int64_t m,
                  std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
