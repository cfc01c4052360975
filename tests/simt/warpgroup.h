// Products of a warpgroup, by the names of kernels/cuda/warpgroup_nvcc.h: each warp multiplies its 16 of the
// 64 rows, at once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/matrix.h"
#include "simt/thread.h"

namespace mxinfer::simt {

inline void publish_to_groups() {}
inline void group_begin() {}
inline void group_commit() {}
template <int N>
void group_wait() {}
template <int F>
void group_end(float (&)[1][F][4]) {}

/// Chunk c of a row, swizzled, where `first` is at a multiple of 8 rows.
inline const std::uint32_t* group_chunk(const std::uint32_t* first, int row, int chunk) {
  return first + row * 32 + (chunk ^ row % 8) * 4;
}

/// Ends the launch if the GPU has no such instruction, or rows do not begin where it wants them.
void check_group(const std::uint32_t* first_row, const Place& place);

/// The fragments of 8 N rows of the right operand, which the instruction reads once for all four warps.
template <int N>
void load_group_right(std::uint32_t (&b)[N][2], const std::uint32_t* right, int slice, const Place& place) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const bool is_first = threadIdx.x / 32 % 4 == 0;
  for (int n = 0; n < N; n += 2) {
    std::uint32_t both[4];
    ldmatrix(both, group_chunk(right, 8 * n + lane % 8 + lane / 16 * 8, 2 * slice + lane / 8 % 2), false,
             place, is_first);
    for (int r = 0; r < 4; ++r) b[n + r / 2][r % 2] = both[r];
  }
}

template <int FIRST, int N, int F>
void multiply_fragments(float (&d)[1][F][4], const std::uint32_t (&a)[4], const std::uint32_t* right,
                        int slice, MmaType type, const Place& place) {
  check_group(right, place);
  std::uint32_t b[N][2];
  load_group_right(b, right, slice, place);
  mma({a, b[0], d[0][FIRST], 1, N}, type, place);
}

template <int FIRST, int N, int F>
void multiply_rows(float (&d)[1][F][4], const std::uint32_t* left, const std::uint32_t* right, int slice,
                   MmaType type, const Place& place) {
  check_group(left, place);
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32 % 4;
  std::uint32_t a[4];
  ldmatrix(a, group_chunk(left, 16 * warp + lane % 16, 2 * slice + lane / 16), false, place);
  multiply_fragments<FIRST, N>(d, a, right, slice, type, place);
}

template <int FIRST, int N, int F>
void group_mma_f16(float (&d)[1][F][4], const std::uint32_t* left, const std::uint32_t* right, int slice,
                   const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  multiply_rows<FIRST, N>(d, left, right, slice, MmaType::float16, {"group_mma_f16()", file, line});
}
template <int FIRST, int N, int F>
void group_mma_bf16(float (&d)[1][F][4], const std::uint32_t* left, const std::uint32_t* right, int slice,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  multiply_rows<FIRST, N>(d, left, right, slice, MmaType::bfloat16, {"group_mma_bf16()", file, line});
}
template <int FIRST, int N, int F>
void group_mma_tf32(float (&d)[1][F][4], const std::uint32_t (&a)[4], const std::uint32_t* right, int slice,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  multiply_fragments<FIRST, N>(d, a, right, slice, MmaType::tf32, {"group_mma_tf32()", file, line});
}

}  // namespace mxinfer::simt
