// Operands of tensor instructions in shared memory: rows of 32-bit words, a tf32 or two 16-bit elements each,
// along the sum, so that all precisions have the same fragments.
#pragma once

#include "kernels/common/precision.h"
#include "kernels/common/tf32.h"
#include "kernels/cuda/rounding_device.h"

namespace mxinfer::kernels::cuda {

constexpr int kWords = 16;     ///< of a row in a stage
constexpr int kPitch = 20;     ///< rows this far apart meet different banks, in ldmatrix and in stores
constexpr int kStepWords = 8;  ///< that one instruction multiplies

/// Elements of a word.
template <Precision P>
constexpr int kElements = P == Precision::tf32 ? 1 : 2;

/// The word of one element, or of two with the first in the lower half.
template <Precision P>
__device__ __forceinline__ std::uint32_t word_of(const float* elements) {
  if constexpr (P == Precision::tf32) {
    return to_tf32(elements[0]);
  } else if constexpr (P == Precision::float16) {
    return simt::to_float16(elements[0]) | static_cast<std::uint32_t>(simt::to_float16(elements[1])) << 16;
  } else {
    return to_bfloat16(elements[0]) | to_bfloat16(elements[1]) << 16;
  }
}

/// sums += a stage of a times one of b, for a warp's M x N fragments of 16 x 8 sums. `row`, `column`: where
/// they begin. Sum r of a fragment is that of row lane / 4 + r / 2 * 8 and column lane % 4 * 2 + r % 2.
template <Precision P, int M, int N, int ROWS, int COLUMNS>
__device__ __forceinline__ void multiply_stage(float (&sums)[M][N][4], const std::uint32_t (&a)[ROWS][kPitch],
                                               const std::uint32_t (&b)[COLUMNS][kPitch], int row,
                                               int column) {
  const int lane = static_cast<int>(threadIdx.x) % simt::kWarp;
#pragma unroll
  for (int word = 0; word < kWords; word += kStepWords) {
    std::uint32_t left[M][4], right[N][2];
#pragma unroll
    for (int m = 0; m < M; ++m)
      simt::ldmatrix_x4(left[m], &a[row + 16 * m + lane % 16][word + lane / 16 * 4]);
#pragma unroll
    for (int n = 0; n < N; n += 2) {
      std::uint32_t both[4];
      simt::ldmatrix_x4(both, &b[column + 8 * n + lane % 8 + lane / 16 * 8][word + lane / 8 % 2 * 4]);
      right[n][0] = both[0];
      right[n][1] = both[1];
      right[n + 1][0] = both[2];
      right[n + 1][1] = both[3];
    }
    if constexpr (P == Precision::tf32) {
      simt::mma_tf32(sums, left, right);
    } else if constexpr (P == Precision::float16) {
      simt::mma_f16(sums, left, right);
    } else {
      simt::mma_bf16(sums, left, right);
    }
  }
}

}  // namespace mxinfer::kernels::cuda
