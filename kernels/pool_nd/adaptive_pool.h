// Adaptive average pooling: a plane of any size becomes out_h x out_w. Output (y, x) is the average of rows
// floor(y h / out_h) to ceil((y + 1) h / out_h) and the columns alike; windows overlap unless it divides.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

/// src is [planes][height][width], dst [planes][out_height][out_width]; T is float or double.
template <typename T>
struct AdaptivePoolArgs {
  std::int64_t height = 0, width = 0;          ///< at least 1
  std::int64_t out_height = 0, out_width = 0;  ///< at least 1
  const T* src = nullptr;
  T* dst = nullptr;
};

/// Computes planes [begin, end), with sums in double.
template <typename T>
void adaptive_avg_pool(const AdaptivePoolArgs<T>& args, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
