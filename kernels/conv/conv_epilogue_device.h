// What becomes of a sum of a convolution on a GPU: bias, residual and activation, and where it is stored. `m`
// is the filter, of all groups; `at` its place in dst and residual.
#pragma once

#include "kernels/conv/device_conv.h"
#include "kernels/cuda/dialect.h"
#include "kernels/cuda/post_ops_device.h"

namespace mxinfer::kernels::cuda {

/// Where filter 0 of a position is in dst and residual.
__device__ __forceinline__ std::int64_t dst_offset(const ConvEpilogue& e, std::int64_t position) {
  if (e.is_channels_last()) return position * e.dst_position;
  const std::int64_t image = position / e.positions;
  return image * e.dst_image + (position - image * e.positions) * e.dst_position;
}

/// A sum of filter m (of all groups) with bias, residual and those activations; `at` is its place in dst.
__device__ __forceinline__ float finish_linear(const ConvEpilogue& e, float sum, std::int64_t m,
                                               std::int64_t at) {
  if (e.bias != nullptr) sum += e.bias[m];
  if (e.residual != nullptr) sum += e.residual[at];
  if (e.slopes != nullptr) return sum > 0.0f ? sum : sum * e.slopes[m];
  return activate_linear(e.post_ops, sum);
}

/// The same with every activation.
__device__ __forceinline__ float finish(const ConvEpilogue& e, float sum, std::int64_t m, std::int64_t at) {
  const float x = finish_linear(e, sum, m, at);
  return is_piecewise_linear(e.post_ops.activation) ? x : activate(e.post_ops, x);
}

/// Four sums of consecutive filters, stored at once: all of them are there, and 16 bytes aligned.
__device__ __forceinline__ void store_linear_vector(const ConvEpilogue& e, const float (&sums)[4],
                                                    std::int64_t m, std::int64_t at) {
  float x[4] = {sums[0], sums[1], sums[2], sums[3]};
  if (e.bias != nullptr) {
    const float4 b = simt::load4(e.bias + m);
    x[0] += b.x, x[1] += b.y, x[2] += b.z, x[3] += b.w;
  }
  if (e.residual != nullptr) {
    const float4 r = simt::load4(e.residual + at);
    x[0] += r.x, x[1] += r.y, x[2] += r.z, x[3] += r.w;
  }
  if (e.slopes != nullptr) {
    const float4 s = simt::load4(e.slopes + m);
    const float slopes[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = x[i] > 0.0f ? x[i] : x[i] * slopes[i];
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) x[i] = activate_linear(e.post_ops, x[i]);
  }
  simt::store4(e.dst + at, make_float4(x[0], x[1], x[2], x[3]));
}

/// The same with every activation; those that are no comparison in a loop over what was stored, since their
/// code is long.
__device__ __forceinline__ void store_vector(const ConvEpilogue& e, const float (&sums)[4], std::int64_t m,
                                             std::int64_t at) {
  store_linear_vector(e, sums, m, at);
  if (is_piecewise_linear(e.post_ops.activation)) return;
#pragma unroll 1
  for (int i = 0; i < 4; ++i) e.dst[at + i] = activate(e.post_ops, e.dst[at + i]);
}

/// Four sums of consecutive filters, of which there are `count`. `whole` says that they are a vector.
__device__ __forceinline__ void store_linear(const ConvEpilogue& e, const float (&sums)[4], std::int64_t m,
                                             int count, std::int64_t at, bool whole) {
  if (whole) return store_linear_vector(e, sums, m, at);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i < count) {
      const std::int64_t here = at + i * e.dst_filter;
      e.dst[here] = finish_linear(e, sums[i], m + i, here);
    }
  }
}

}  // namespace mxinfer::kernels::cuda
