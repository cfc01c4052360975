// Keys that are sorted as numbers. For kernels.
#pragma once

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// In the order of the numbers, -0 and 0 the same; nothing has the largest one but a NaN.
__device__ __forceinline__ std::uint32_t ordered_bits(float x) {
  if (x != x) return 0xffffffffu;
  const std::uint32_t bits = x == 0 ? 0u : simt::float_bits(x);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

/// The key of element `index`, the largest number first, NaN last.
__device__ __forceinline__ std::uint64_t descending_key(float x, std::int64_t index) {
  const std::uint32_t bits = x != x ? 0xffffffffu : ~ordered_bits(x);
  return static_cast<std::uint64_t>(bits) << 32 | static_cast<std::uint64_t>(index);
}

__device__ __forceinline__ std::int64_t index_of_key(std::uint64_t key) {
  return static_cast<std::int64_t>(key & 0xffffffffu);
}

}  // namespace mxinfer::kernels::cuda
