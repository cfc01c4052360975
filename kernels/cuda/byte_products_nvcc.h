// The side of kernels/cuda/byte_products.h that nvcc compiles. Included by it alone.
#pragma once

namespace mxinfer::simt {

/// sums + the products of four bytes each: s8, or u8 without SIGNED, times s8.
template <bool SIGNED>
__device__ __forceinline__ int dot4(std::uint32_t a, std::uint32_t b, int sum) {
  int d;
  if constexpr (SIGNED) {
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
  } else {
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
  }
  return d;
}

#define MXINFER_MMA_BYTES(shape, type, sums, operands) \
  "mma.sync.aligned." shape ".row.col.s32." type ".s8.s32 " sums ", " operands ", " sums ";\n"

/// One tile of mma_bytes().
template <bool SIGNED>
__device__ __forceinline__ void mma_bytes_tile(int (&d)[4], const std::uint32_t (&a)[4],
                                               const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
#define MXINFER_MMA_BYTES_TILE(type)                                                          \
  asm volatile(MXINFER_MMA_BYTES("m16n8k32", type, "{%0,%1,%2,%3}", "{%4,%5,%6,%7}, {%8,%9}") \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                               \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]))
  if constexpr (SIGNED) {
    MXINFER_MMA_BYTES_TILE("s8");
  } else {
    MXINFER_MMA_BYTES_TILE("u8");
  }
#else
#define MXINFER_MMA_BYTES_TILE(type)                                       \
  asm volatile(MXINFER_MMA_BYTES("m8n8k16", type, "{%0,%1}", "{%2}, {%3}") \
               : "+r"(d[2 * (i % 2)]), "+r"(d[2 * (i % 2) + 1])            \
               : "r"(a[i]), "r"(b[i / 2]))
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if constexpr (SIGNED) {
      MXINFER_MMA_BYTES_TILE("s8");
    } else {
      MXINFER_MMA_BYTES_TILE("u8");
    }
  }
#endif
#undef MXINFER_MMA_BYTES_TILE
}
#undef MXINFER_MMA_BYTES

/// d += a b for M x N tiles of 16 x 8, depth 32, of bytes: a is s8, or u8 without SIGNED, and b s8. a[r] is
/// row g + 8 (r % 2), depth 4t + 16 (r / 2) + {0..3}; b[r] column g, depth 4t + 16r + {0..3}; the lowest
/// depth is in the lowest byte. Before sm_80 as four products of 8 x 8 and depth 16.
template <bool SIGNED, int M, int N>
__device__ __forceinline__ void mma_bytes(int (&d)[M][N][4], const std::uint32_t (&a)[M][4],
                                          const std::uint32_t (&b)[N][2]) {
#pragma unroll
  for (int m = 0; m < M; ++m) {
#pragma unroll
    for (int n = 0; n < N; ++n) mma_bytes_tile<SIGNED>(d[m][n], a[m], b[n]);
  }
}

}  // namespace mxinfer::simt
