// Percentiles of numbers: the value at position q / 100 * (n - 1) of the sorted elements, between two of them
// as `interpolation` says.
#pragma once

#include <cstdint>

#include "kernels/common/element_type.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

enum class Interpolation : std::uint8_t { linear, lower, higher, midpoint, nearest };

struct PercentileArgs {
  ReduceShape shape;
  Interpolation interpolation = Interpolation::linear;
  std::int64_t results = 0;   ///< elements of shape.kept
  std::int64_t count = 0;     ///< of q
  const double* q = nullptr;  ///< 0 to 100
  bool in_float = false;      ///< positions are computed in float32, as MXNet does unless q is float64
  const void* src = nullptr;
  void* dst = nullptr;     ///< `count` times `results`
  double* work = nullptr;  ///< as many numbers as elements are reduced, one at least
};

/// Computes results [begin, end) for each q. All are NaN if an element is. Precondition: there are elements.
using PercentileFn = void (*)(const PercentileArgs& args, std::int64_t begin, std::int64_t end);
/// Results of float64 inputs are float64, all others float32. Null for types without arithmetic.
PercentileFn select_percentile(ElementType type);

}  // namespace mxinfer::kernels
