// What epilogues do to several float32 values in registers.
#pragma once

#include "kernels/cuda/post_ops_device.h"

namespace mxinfer::kernels::cuda {

/// The floats from there on, 16-byte aligned; COUNT is a multiple of 4.
template <int COUNT>
__device__ __forceinline__ void load_floats(const float* from, float (&x)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; i += 4) {
    const float4 v = simt::load4(from + i);
    x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
  }
}
/// x += the same.
template <int COUNT>
__device__ __forceinline__ void add_floats(const float* from, float (&x)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; i += 4) {
    const float4 v = simt::load4(from + i);
    x[i] += v.x, x[i + 1] += v.y, x[i + 2] += v.z, x[i + 3] += v.w;
  }
}

/// Calls body with the function of activate_linear(), unless it is none: one decision for many values.
template <typename Body>
__device__ __forceinline__ void with_linear_activation(const PostOps& post_ops, const Body& body) {
  switch (post_ops.activation) {
    case Activation::relu:
      return body([&](float x) { return activate<Activation::relu>(post_ops, x); });
    case Activation::clip:
      return body([&](float x) { return activate<Activation::clip>(post_ops, x); });
    case Activation::leaky:
      return body([&](float x) { return activate<Activation::leaky>(post_ops, x); });
    default:
      return;
  }
}

/// activate_linear() of each value.
template <int COUNT>
__device__ __forceinline__ void activate_linear(const PostOps& post_ops, float (&values)[COUNT]) {
  with_linear_activation(post_ops, [&](const auto& function) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) values[i] = function(values[i]);
  });
}
template <int VECTORS, int COUNT>
__device__ __forceinline__ void activate_linear(const PostOps& post_ops, float (&values)[VECTORS][COUNT]) {
  with_linear_activation(post_ops, [&](const auto& function) {
#pragma unroll
    for (int i = 0; i < VECTORS * COUNT; ++i)
      values[i / COUNT][i % COUNT] = function(values[i / COUNT][i % COUNT]);
  });
}

/// Applies the activation to each value unless activate_linear() has done so. A loop that is not unrolled,
/// since the code of an activation is long; values move round, so that none is found by a variable index,
/// which would put them into memory.
template <int COUNT>
__device__ __forceinline__ void activate_curved(const PostOps& post_ops, float (&values)[COUNT]) {
  if (is_piecewise_linear(post_ops.activation)) return;
#pragma unroll 1
  for (int i = 0; i < COUNT; ++i) {
    const float y = activate(post_ops, values[0]);
#pragma unroll
    for (int j = 0; j + 1 < COUNT; ++j) values[j] = values[j + 1];
    values[COUNT - 1] = y;
  }
}

/// The error function to 2e-7, by few instructions (Abramowitz and Stegun, 7.1.26).
__device__ __forceinline__ float nearly_erf(float x) {
  const float a = fabsf(x), t = simt::nearly_reciprocal(fmaf(0.3275911f, a, 1.0f));
  float p = fmaf(1.061405429f, t, -1.453152027f);
  p = fmaf(p, t, 1.421413741f);
  p = fmaf(p, t, -0.284496736f);
  p = fmaf(p, t, 0.254829592f);
  const float y = fmaf(-p * t, simt::nearly_exp(-a * a), 1.0f);
  return x < 0.0f ? -y : y;
}

/// activate_curved() of sums of rounded products, which a faster formula keeps as exact as they are.
template <int COUNT>
__device__ __forceinline__ void activate_rounded(const PostOps& post_ops, float (&values)[COUNT]) {
  if (post_ops.activation != Activation::gelu_erf) return activate_curved(post_ops, values);
#pragma unroll
  for (int i = 0; i < COUNT; ++i)
    values[i] *= 0.5f * (1.0f + nearly_erf(values[i] * 0.70710678118654752440f));
}

/// The same of several vectors.
template <int VECTORS, int COUNT>
__device__ __forceinline__ void activate_curved(const PostOps& post_ops, float (&values)[VECTORS][COUNT]) {
  if (is_piecewise_linear(post_ops.activation)) return;
  constexpr int kLast = VECTORS * COUNT - 1;
#pragma unroll 1
  for (int i = 0; i <= kLast; ++i) {
    const float y = activate(post_ops, values[0][0]);
#pragma unroll
    for (int j = 0; j < kLast; ++j) values[j / COUNT][j % COUNT] = values[(j + 1) / COUNT][(j + 1) % COUNT];
    values[VECTORS - 1][COUNT - 1] = y;
  }
}

}  // namespace mxinfer::kernels::cuda
