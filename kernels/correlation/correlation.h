// The correlation of patches of two feature maps over a neighbourhood of displacements (FlowNet). Both maps
// are padded with zeros; y and x run over the corners of kernel windows in them, steps of stride1 apart, and
// for each displacement (dy, dx), multiples of stride2 up to max_displacement,
//
//   dst[b][(dy, dx)][y][x] = sum over channels and the kernel of a[.] * b[. + (dy, dx)] / n
//
// with n = kernel^2 * channels, or the same with |a - b| instead of the product.
#pragma once

#include <cstdint>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

/// Preconditions: sizes and strides at least 1; windows and displacements lie inside of the padded maps.
struct CorrelationShape {
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t out_height = 1, out_width = 1;
  std::int64_t kernel = 1, max_displacement = 1, stride1 = 1, stride2 = 1, pad = 0;
  bool multiply = true;

  constexpr std::int64_t radius() const { return max_displacement / stride2; }
  constexpr std::int64_t side() const { return 2 * radius() + 1; }
};

/// Rows [begin, end) of dst: row (b * side^2 + displacement) * out_height + y. T: float, double, Float16.
template <typename T>
void correlation(const CorrelationShape& shape, const T* a, const T* b, T* dst, std::int64_t begin,
                 std::int64_t end);

}  // namespace mxinfer::kernels
