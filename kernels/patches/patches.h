// im2col and col2im on planes p (one channel of one image). For tap k = (ky, kx) and position o = (oy, ox) of
// the kernel, with y = oy * stride + ky * dilate - pad and x likewise:
//
//   im2col:  dst[p][k][o] = src[p][y][x], 0 outside of the plane
//   col2im:  dst[p][y][x] = sum over all (k, o) at (y, x) of src[p][k][o], in the order of k
//
//   im2col<float>(shape, src, dst, 0, planes * shape.taps());
//   col2im<float>(shape, src, dst, 0, planes);
#pragma once

#include <cstdint>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

/// Height, then width. Preconditions: sizes at least 1; places = (plane + 2 * pad - reach) / stride + 1.
struct PatchShape {
  std::int64_t plane[2] = {1, 1}, places[2] = {1, 1};
  std::int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, pad[2] = {0, 0}, dilate[2] = {1, 1};

  std::int64_t taps() const { return kernel[0] * kernel[1]; }
  std::int64_t pixels() const { return plane[0] * plane[1]; }
  std::int64_t columns() const { return places[0] * places[1]; }
};

/// Rows [begin, end) of the columns: row p * taps + k. T: float, double, Float16.
template <typename T>
void im2col(const PatchShape& shape, const T* src, T* dst, std::int64_t begin, std::int64_t end);

/// Planes [begin, end). Float16 is rounded after each addition.
template <typename T>
void col2im(const PatchShape& shape, const T* src, T* dst, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
