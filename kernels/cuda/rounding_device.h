// float32 rounded to what tensor instructions multiply, on a GPU: beside the dialect's to_float16().
#pragma once

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

__device__ __forceinline__ std::uint32_t to_bfloat16(float x) {
  const std::uint32_t bits = simt::float_bits(x);
  if (x != x) return bits >> 16 | 0x40u;
  return (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

}  // namespace mxinfer::kernels::cuda
