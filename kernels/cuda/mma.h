// Products of fragments on tensor cores, by the element of their operands: StoredFloat16, StoredBFloat16,
// float for tf32, or StoredByte, whose sums are int.
//
//   float sums[M][N][4] = {};
//   multiply_fragments<StoredFloat16>(sums, a, b);   // a: 16 rows of 32 bytes each, b: 8 columns of as many
#pragma once

#include "kernels/cuda/byte_products.h"
#include "kernels/cuda/stored_floats.h"

namespace mxinfer::kernels::cuda {

/// sums += a b, with float sums. Operands of tf32 are floats whose lower bits count for nothing.
template <typename E, int M, int N>
__device__ __forceinline__ void multiply_fragments(float (&sums)[M][N][4], const std::uint32_t (&a)[M][4],
                                                   const std::uint32_t (&b)[N][2]) {
  if constexpr (std::is_same_v<E, StoredFloat16>) {
    simt::mma_f16(sums, a, b);
  } else if constexpr (std::is_same_v<E, StoredBFloat16>) {
    simt::mma_bf16(sums, a, b);
  } else {
    simt::mma_tf32(sums, a, b);
  }
}

/// A byte of 8-bit data; weights are signed.
template <bool SIGNED>
struct StoredByte {
  static constexpr bool is_signed = SIGNED;
  std::uint8_t bits;
};

/// The same of StoredByte.
template <typename E, int M, int N>
__device__ __forceinline__ void multiply_fragments(int (&sums)[M][N][4], const std::uint32_t (&a)[M][4],
                                                   const std::uint32_t (&b)[N][2]) {
  simt::mma_bytes<E::is_signed>(sums, a, b);
}

}  // namespace mxinfer::kernels::cuda
