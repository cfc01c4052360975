// The grids and the sampler of sampler.h on a GPU, with the bits of the CPU.
#pragma once

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"
#include "kernels/sampler/sampler.h"

namespace mxinfer::kernels::cuda {

/// theta is (batch, 6), grid (batch, 2, height, width).
Status affine_grid(const float* theta, float* grid, std::int64_t batch, std::int64_t height,
                   std::int64_t width, const Stream& stream);
/// flow is like grid.
Status warp_grid(const float* flow, float* grid, std::int64_t batch, std::int64_t height, std::int64_t width,
                 const Stream& stream);

/// Images read at the points of a grid, or of the affine grid of theta.
struct SampledImages {
  std::int64_t batch = 0, channels = 0;
  std::int64_t height = 0, width = 0;          ///< of src, at least 1
  std::int64_t out_height = 0, out_width = 0;  ///< of the grid
  FloatType type = FloatType::float32;         ///< of src and dst
  const void* src = nullptr;                   ///< (batch, channels, height, width)
  const float* grid = nullptr;                 ///< (batch, 2, out_height, out_width), or
  const float* theta = nullptr;                ///< (batch, 6); one of the two is null
  void* dst = nullptr;                         ///< (batch, channels, out_height, out_width)
};
Status bilinear_sampler(const SampledImages& args, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
