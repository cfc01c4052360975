// Sums over the lanes of a warp, of several values at once.
#pragma once

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// The sums over all lanes of COUNT values, a power of two of at most 32: lane l gets that of value l / (32 /
/// COUNT). Of each exchange a lane keeps half of the values; this takes COUNT - 1 shuffles, and those that
/// are left for the lanes of a value.
template <int COUNT>
__device__ __forceinline__ float warp_sum_of_each(float (&values)[COUNT], int lane) {
  int step = simt::kWarp / 2;
#pragma unroll
  for (int count = COUNT; count > 1; count /= 2) {
    const bool upper = (lane & step) != 0;
#pragma unroll
    for (int i = 0; i < count / 2; ++i) {
      const float sent = upper ? values[i] : values[i + count / 2];
      const float kept = upper ? values[i + count / 2] : values[i];
      values[i] = kept + __shfl_xor_sync(simt::kAllLanes, sent, step);
    }
    step /= 2;
  }
  for (; step > 0; step /= 2) values[0] += __shfl_xor_sync(simt::kAllLanes, values[0], step);
  return values[0];
}

}  // namespace mxinfer::kernels::cuda
