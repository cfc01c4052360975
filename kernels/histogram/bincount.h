// How often each number from 0 on occurs, or the sums of the weights at its occurrences.
//
//   dst[v] = sum over i with src[i] == v of weights[i], or of 1;   v < bins
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

struct BincountArgs {
  const void* src = nullptr;
  const void* weights = nullptr;  ///< of the type of dst; null: 1
  std::int64_t count = 0;
  std::int64_t bins = 0;
  void* dst = nullptr;
};

/// The bins that the numbers need; -1 and the place of the first one that is negative.
using CountBinsFn = std::int64_t (*)(const void* src, std::int64_t count, std::int64_t* bad);
/// Of integers; null for other types.
CountBinsFn select_count_bins(ElementType type);

/// Precondition: there are as many bins as count_bins says.
using BincountFn = void (*)(const BincountArgs& args);
BincountFn select_bincount(ElementType type, ElementType result);

}  // namespace mxinfer::kernels
