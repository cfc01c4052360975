// Kernels of lines: a line is `length` elements that lie `inner` apart, and `Threads` threads of a block of
// kLineBlock share one: a block, a warp, or one thread.
//
//   template <int Threads>
//   __global__ void kernel(const float* src, float* dst, std::int64_t lines, std::int64_t length, ...) {
//     LineSmem& smem = simt::shared_memory<LineSmem>();
//     for (std::int64_t k = first_line<Threads>(); k < lines; k += line_step<Threads>()) {
//       float sum = 0;
//       for (std::int64_t i = line_lane<Threads>(); i < length; i += Threads) sum += ...;
//       sum = line_sum<Threads>(smem, sum);   // every thread of the line gets it
//
// For .cu files.
#pragma once

#include <type_traits>

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

inline constexpr int kLineBlock = 256;

struct LineSmem {
  float parts[kLineBlock / simt::kWarp];
};

/// The number of threads to a line that keeps a GPU busy and reads neighbours: 1, 32 or 256.
inline int line_threads(std::int64_t length, std::int64_t inner) {
  if (length < 8 || (inner >= simt::kWarp && length < 4096)) return 1;
  return length <= 1024 ? simt::kWarp : kLineBlock;
}

template <int Threads>
__device__ __forceinline__ std::int64_t first_line() {
  return static_cast<std::int64_t>(blockIdx.x) * (kLineBlock / Threads) + threadIdx.x / Threads;
}
template <int Threads>
__device__ __forceinline__ std::int64_t line_step() {
  return static_cast<std::int64_t>(gridDim.x) * (kLineBlock / Threads);
}
template <int Threads>
__device__ __forceinline__ int line_lane() {
  return static_cast<int>(threadIdx.x) % Threads;
}

/// Of all threads of a line. The threads of a line come here together; of others, none need to.
template <int Threads>
__device__ __forceinline__ float line_sum(LineSmem& smem, float x) {
  if constexpr (Threads >= simt::kWarp) x = simt::warp_sum(x);
  if constexpr (Threads > simt::kWarp) {
    if (threadIdx.x % simt::kWarp == 0) smem.parts[threadIdx.x / simt::kWarp] = x;
    __syncthreads();
    x = 0;
#pragma unroll
    for (int w = 0; w < Threads / simt::kWarp; ++w) x += smem.parts[w];
    __syncthreads();
  }
  return x;
}

/// The largest; NaN does not count.
template <int Threads>
__device__ __forceinline__ float line_max(LineSmem& smem, float x) {
  if constexpr (Threads >= simt::kWarp) {
    for (int step = simt::kWarp / 2; step > 0; step /= 2)
      x = fmaxf(x, __shfl_xor_sync(simt::kAllLanes, x, step));
  }
  if constexpr (Threads > simt::kWarp) {
    if (threadIdx.x % simt::kWarp == 0) smem.parts[threadIdx.x / simt::kWarp] = x;
    __syncthreads();
    x = smem.parts[0];
#pragma unroll
    for (int w = 1; w < Threads / simt::kWarp; ++w) x = fmaxf(x, smem.parts[w]);
    __syncthreads();
  }
  return x;
}

/// Calls launch with the number of threads as std::integral_constant.
template <typename Launch>
Status with_line_threads(std::int64_t length, std::int64_t inner, const Launch& launch) {
  switch (line_threads(length, inner)) {
    case 1:
      return launch(std::integral_constant<int, 1>());
    case simt::kWarp:
      return launch(std::integral_constant<int, simt::kWarp>());
    default:
      return launch(std::integral_constant<int, kLineBlock>());
  }
}

}  // namespace mxinfer::kernels::cuda
