// Sums over the lanes of a warp, of several values at once.
#pragma once

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// The sums over all lanes of COUNT values, a power of two of at most 32: lane l gets that of value l / (32 /
/// COUNT). Of each exchange a lane keeps half of the values; this takes COUNT - 1 shuffles, and those that
/// are left for the lanes of a value.
/// STEP: how far apart the lanes are that exchange first.
template <int COUNT, int STEP = simt::kWarp / 2>
__device__ __forceinline__ float warp_sum_of_each(const float (&values)[COUNT], int lane) {
  if constexpr (COUNT == 1) {
    float sum = values[0];
#pragma unroll
    for (int step = STEP; step > 0; step /= 2) sum += __shfl_xor_sync(simt::kAllLanes, sum, step);
    return sum;
  } else {
    constexpr int kHalf = COUNT / 2;
    const bool upper = (lane & STEP) != 0;
    float half[kHalf];
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
      const float sent = upper ? values[i] : values[i + kHalf];
      const float kept = upper ? values[i + kHalf] : values[i];
      half[i] = kept + __shfl_xor_sync(simt::kAllLanes, sent, STEP);
    }
    return warp_sum_of_each<kHalf, STEP / 2>(half, lane);
  }
}

}  // namespace mxinfer::kernels::cuda
