// How many elements lie between each pair of neighbouring bounds.
//
//   counts[i] = how many x with bounds[i] <= x < bounds[i + 1]; the last bin includes its upper bound
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"

namespace mxinfer::kernels {

/// Bins of equal width over [low, high], low < high.
struct EvenBins {
  double low = 0;
  double high = 1;
  std::int64_t count = 1;
};

struct HistogramKernel {
  /// Counts n elements into even bins and writes the count + 1 bounds, as elements. An element beside a bound
  /// is placed by comparing it with the bound as it was written. Elements outside, and NaN, are left out.
  void (*even)(const EvenBins& bins, const void* src, std::int64_t n, std::int64_t* counts, void* bounds);
  /// Counts n elements between `bounds` bounds, 2 or more, that lie anywhere. Where a bound is smaller than
  /// the one before, what is counted is unspecified (and no memory outside is touched).
  void (*between)(const void* src, std::int64_t n, const void* bounds, std::int64_t bound_count,
                  std::int64_t* counts);
};

/// Null for a type that has none.
const HistogramKernel* select_histogram(ElementType type);

}  // namespace mxinfer::kernels
