// What becomes of a sum of a convolution on a GPU: bias, residual and activation, and where it is stored. `m`
// is the filter, of all groups; `at` its place in dst and residual. T is the element of both.
#pragma once

#include "kernels/conv/device_conv.h"
#include "kernels/cuda/float_vectors.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {

/// Where filter 0 of a position is in dst and residual.
__device__ __forceinline__ std::int64_t dst_offset(const ConvEpilogue& e, std::int64_t position) {
  if (e.is_channels_last()) return position * e.dst_position;
  const std::int64_t image = position / e.positions;
  return image * e.dst_image + (position - image * e.positions) * e.dst_position;
}

template <typename T>
__device__ __forceinline__ T* dst_of(const ConvEpilogue& e) {
  return static_cast<T*>(e.dst);
}
template <typename T>
__device__ __forceinline__ const T* residual_of(const ConvEpilogue& e) {
  return static_cast<const T*>(e.residual);
}

/// A sum of filter m (of all groups) with bias, residual and those activations; `at` is its place in dst.
template <typename T>
__device__ __forceinline__ float finish_linear(const ConvEpilogue& e, float sum, std::int64_t m,
                                               std::int64_t at) {
  if (e.bias != nullptr) sum += e.bias[m];
  const float residual = e.residual != nullptr ? to_float(residual_of<T>(e)[at]) : 0.0f;
  if (!e.adds_last && e.residual != nullptr) sum += residual;
  if (e.slopes != nullptr) {
    sum = sum > 0.0f ? sum : sum * e.slopes[m];
  } else {
    sum = activate_linear(e.post_ops, sum);
  }
  return e.adds_last ? sum + residual : sum;
}

/// The same with every activation.
template <typename T>
__device__ __forceinline__ float finish(const ConvEpilogue& e, float sum, std::int64_t m, std::int64_t at) {
  const float x = finish_linear<T>(e, sum, m, at);
  return is_piecewise_linear(e.post_ops.activation) ? x : activate(e.post_ops, x);
}

/// What is added to sums at a place in dst: 16 bytes.
template <typename T>
__device__ __forceinline__ RawVector load_residual(const ConvEpilogue& e, std::int64_t at) {
  return e.residual != nullptr ? load_raw(residual_of<T>(e) + at) : RawVector{};
}

template <typename T>
__device__ __forceinline__ void add_residual(const RawVector& residual, float (&x)[kVector<T>]) {
  float added[kVector<T>];
  to_floats<T>(residual, added);
#pragma unroll
  for (int i = 0; i < kVector<T>; ++i) x[i] += added[i];
}

/// finish_linear() of consecutive filters: all of them are there, and 16 bytes aligned.
template <typename T>
__device__ __forceinline__ void finish_linear_vector(const ConvEpilogue& e, float (&x)[kVector<T>],
                                                     const RawVector& residual, std::int64_t m) {
  if (e.bias != nullptr) add_floats(e.bias + m, x);
  if (e.residual != nullptr && !e.adds_last) add_residual<T>(residual, x);
  if (e.slopes != nullptr) {
    float slopes[kVector<T>];
    load_floats(e.slopes + m, slopes);
#pragma unroll
    for (int i = 0; i < kVector<T>; ++i) x[i] = x[i] > 0.0f ? x[i] : x[i] * slopes[i];
  } else {
    activate_linear(e.post_ops, x);
  }
  if (e.adds_last) add_residual<T>(residual, x);
}

/// As many sums of consecutive filters as are 16 bytes of dst, with every activation, stored at once.
template <typename T>
__device__ __forceinline__ void store_finished_vector(const ConvEpilogue& e, float (&sums)[kVector<T>],
                                                      const RawVector& residual, std::int64_t m,
                                                      std::int64_t at) {
  finish_linear_vector<T>(e, sums, residual, m);
  activate_rounded(e.post_ops, sums);
  store_vector(dst_of<T>(e) + at, sums);
}

/// Four sums of consecutive filters of float32, of which there are `count`. `whole` says that they are a
/// vector.
__device__ __forceinline__ void store_linear(const ConvEpilogue& e, const float (&sums)[4], std::int64_t m,
                                             int count, std::int64_t at, bool whole) {
  if (whole) {
    float x[4] = {sums[0], sums[1], sums[2], sums[3]};
    finish_linear_vector<float>(e, x, load_residual<float>(e, at), m);
    return store_vector(dst_of<float>(e) + at, x);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < count) {
      const std::int64_t here = at + i * e.dst_filter;
      dst_of<float>(e)[here] = finish_linear<float>(e, sums[i], m + i, here);
    }
  }
}

}  // namespace mxinfer::kernels::cuda
