// Samples an image at the points of a grid, bilinearly, and makes such grids. Points are in [-1, 1] from the
// middle of the first pixel to that of the last; pixels outside of the image are 0.
//
//   affine:   (x, y)[b][i] = theta[b] (2 x 3) . (column, row, 1), column and row in [-1, 1]
//   warp:     (x, y)[b][i] = (flow[b][i] + (column, row)) / ((size - 1) / 2) - 1, in pixels
//   sampler:  dst[b][c][i] = src[b][c] at grid[b][i]
//
// A grid is (batch, 2, height, width): x, then y. For an axis of one pixel the points are NaN, as in MXNet.
#pragma once

#include <cstdint>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

/// Rows [begin, end) of batch * height. theta is (batch, 6). T: float, double.
template <typename T>
void affine_grid(const T* theta, T* grid, std::int64_t height, std::int64_t width, std::int64_t begin,
                 std::int64_t end);

/// Rows [begin, end) of batch * height. flow is like grid.
void warp_grid_f32(const float* flow, float* grid, std::int64_t height, std::int64_t width,
                   std::int64_t begin, std::int64_t end);

template <typename T>
struct SamplerArgs {
  std::int64_t channels = 0;
  std::int64_t height = 0, width = 0;  ///< of src, at least 1
  std::int64_t places = 0;             ///< of one image's grid
  const T* src = nullptr;              ///< (batch, channels, height, width)
  const T* grid = nullptr;             ///< (batch, 2, places)
  T* dst = nullptr;                    ///< (batch, channels, places)
};

/// Places [begin, end) of batch * places, in all channels. T: float, double, Float16.
template <typename T>
void bilinear_sampler(const SamplerArgs<T>& args, std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
