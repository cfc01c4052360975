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
  /// Counts n elements into even bins and writes the count + 1 bounds, as elements. Elements near a bound are
  /// compared with the bound as written. Elements outside, and NaN, are not counted.
  void (*even)(const EvenBins& bins, const void* src, std::int64_t n, std::int64_t* counts, void* bounds);
  /// Counts n elements between `bound_count` bounds, 2 or more. If a bound is smaller than the one before,
  /// the counts are unspecified, but no memory outside of the arrays is touched.
  void (*between)(const void* src, std::int64_t n, const void* bounds, std::int64_t bound_count,
                  std::int64_t* counts);
};

/// Null for types without one.
const HistogramKernel* select_histogram(ElementType type);

}  // namespace mxinfer::kernels
