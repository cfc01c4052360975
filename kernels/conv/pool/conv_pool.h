// A convolution of few input channels and the max pooling of its outputs, as image networks begin, fused so
// that the convolution's outputs do not go through memory. Arrays are channels-last, except for an NCHW src;
// two spatial dimensions:
//
//   dst[n][y][x][m] = max over ky, kx of conv(src)[n][y * stride + ky - pad][x * stride + kx - pad][m]
//
// over the positions inside the convolution's output, as kernels/pool_nd says: NaN loses every comparison,
// and an empty window gives the lowest finite number.
//
//   const ConvPoolKernel& kernel = conv_pool_strips(SrcLayout::nchw, target);
//   kernel.run(args, begin, end, scratch);
//
// Weights are packed as for conv_strip. A task is some rows of dst. It keeps the rows of the convolution that
// it needs in scratch, where the next task of the same call finds those that both need; only the first task
// of a call computes such rows again. Sums have the order of conv_strip, so fusing changes no bit.
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Preconditions: reads_nchw(conv), one depth, output sizes of at least 1.
struct ConvPoolShape {
  ConvProblem conv;
  Spatial kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, output{1, 1, 1};  ///< of the windows
};

struct ConvPoolArgs {
  ConvPoolShape shape;
  ConvArgs conv;  ///< without problem, dst and residual
  float* dst = nullptr;
};

struct ConvPoolKernel {
  const char* name;
  std::int64_t (*tasks)(const ConvPoolShape&);
  std::int64_t (*scratch_elements)(const ConvPoolShape&);
  void (*run)(const ConvPoolArgs&, std::int64_t begin, std::int64_t end, float* scratch);
  /// The cost of one call for all tasks.
  Work (*work)(const ConvPoolShape&);
};

/// A target other than ref.
const ConvPoolKernel& conv_pool_strips(SrcLayout layout, Target target);

}  // namespace mxinfer::kernels
