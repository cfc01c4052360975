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
