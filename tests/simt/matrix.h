// ldmatrix and mma, by the names and the layouts of kernels/cuda/dialect_nvcc.h. All lanes of a warp take
// part. A whole tile of fragments is one operation.
#pragma once

#include <cstdint>

#include "simt/thread.h"

namespace mxinfer::simt {

enum class MmaType { float16, bfloat16, tf32 };

/// The fragments of a lane: a[m][4], b[n][2], d[m][n][4].
struct Fragments {
  const std::uint32_t* a;
  const std::uint32_t* b;
  float* d;
  int m, n;
};

/// An observer is told that `code` loads; null: it is not told.
void ldmatrix_by(const void* code, std::uint32_t* registers, const void* row, bool transposed,
                 const Place& place);
void ldmatrix(std::uint32_t* registers, const void* row, bool transposed, const Place& place);
void mma(const Fragments& fragments, MmaType type, const Place& place);

inline void ldmatrix_x4(std::uint32_t (&r)[4], const void* row, const char* file = __builtin_FILE(),
                        unsigned line = __builtin_LINE()) {
  ldmatrix(r, row, false, {"ldmatrix_x4()", file, line});
}
inline void ldmatrix_x4_trans(std::uint32_t (&r)[4], const void* row, const char* file = __builtin_FILE(),
                              unsigned line = __builtin_LINE()) {
  ldmatrix(r, row, true, {"ldmatrix_x4_trans()", file, line});
}

template <int M, int N>
void mma_f16(float (&d)[M][N][4], const std::uint32_t (&a)[M][4], const std::uint32_t (&b)[N][2],
             const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  mma({a[0], b[0], d[0][0], M, N}, MmaType::float16, {"mma_f16()", file, line});
}
template <int M, int N>
void mma_bf16(float (&d)[M][N][4], const std::uint32_t (&a)[M][4], const std::uint32_t (&b)[N][2],
              const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  mma({a[0], b[0], d[0][0], M, N}, MmaType::bfloat16, {"mma_bf16()", file, line});
}
template <int M, int N>
void mma_tf32(float (&d)[M][N][4], const std::uint32_t (&a)[M][4], const std::uint32_t (&b)[N][2],
              const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  mma({a[0], b[0], d[0][0], M, N}, MmaType::tf32, {"mma_tf32()", file, line});
}

}  // namespace mxinfer::simt
