// The language of the .cu files: CUDA C++ without its headers, so that a kernel compiles with nvcc for GPUs
// and with any C++ compiler for the emulator of the tests. Nothing else knows which of the two it is.
//
//   struct Smem { float sums[8]; };
//   __global__ void kernel(const float* src, float* dst, std::int64_t count) {
//     Smem& smem = simt::shared_memory<Smem>();
//     ...
//   }
//   return simt::launch(kernel, simt::grid_for(count, 256), 256, sizeof(Smem), stream, src, dst, count);
//
// What both sides have, by CUDA's names: threadIdx, blockIdx, blockDim, gridDim, dim3, float2, float4, int2,
// int4, uint4, __syncthreads, __syncwarp, __shfl_*_sync, __ballot_sync, __any_sync, __all_sync, __popc,
// __ffs, atomicAdd, atomicMax, atomicMin, atomicCAS, __launch_bounds__, #pragma unroll, and C's functions of
// floats (expf, tanhf, erff, log1pf, fmaxf, fmaf, ...). simt::add_rn, sub_rn, mul_rn and div_rn are never
// fused with others, for results that must be the CPU's bit by bit. Shared memory is one struct of a kernel,
// with arrays of the sizes that are meant: no __shared__ variables.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/cuda/stream.h"

#ifdef __CUDACC__
#include "kernels/cuda/dialect_nvcc.h"
#else
#include "simt/host/emulator.h"
#endif

namespace mxinfer::simt {

/// The number of threads of a warp.
inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffu;

/// Blocks of `block` threads for `count` elements in a loop over the whole grid (first_index, grid_step): no
/// more blocks than keep a large GPU busy.
inline dim3 grid_for(std::int64_t count, int block) {
  constexpr std::int64_t kMost = 8192;
  const std::int64_t blocks = (count + block - 1) / block;
  return dim3(static_cast<unsigned>(blocks < 1 ? 1 : blocks > kMost ? kMost : blocks));
}

/// for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
__device__ __forceinline__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ std::int64_t grid_step() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

/// Of all lanes of a warp; each lane gets the result. The order of the additions is fixed.
__device__ __forceinline__ float warp_sum(float x) {
  for (int step = kWarp / 2; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
  return x;
}
/// NaN if any lane has one.
__device__ __forceinline__ float warp_max(float x) {
  for (int step = kWarp / 2; step > 0; step /= 2) {
    const float y = __shfl_xor_sync(kAllLanes, x, step);
    x = x > y || x != x ? x : y;
  }
  return x;
}

}  // namespace mxinfer::simt
