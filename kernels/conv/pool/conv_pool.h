// A convolution of few input channels and the largest values of windows of its outputs, as networks on
// pictures begin, without the convolution's outputs going through memory. Arrays are channels-last, but for a
// picture's planes as source; two spatial dimensions:
//
//   dst[n][y][x][m] = max over ky, kx of conv(src)[n][y * stride + ky - pad][x * stride + kx - pad][m]
//
// over the positions that exist, as kernels/pool_nd says: NaN loses every comparison, and a window without a
// position gives the lowest finite number.
//
//   const ConvPoolKernel& kernel = conv_pool_strips(SrcLayout::nchw, target);
//   kernel.run(args, begin, end, scratch);
//
// Weights are packed as conv_strip packs them. A task is some rows of dst; the rows of the convolution
// that it needs wait in scratch, and the task after it, in the same call, finds those that both need there.
// Only where a call begins are they computed twice. Each sum has the order that conv_strip gives it:
// fused or not, the results are the same bits.
#pragma once

#include "kernels/conv/conv.h"

namespace mxinfer::kernels {

/// Preconditions: reads_planes(conv), one depth, output sizes of at least 1.
struct ConvPoolShape {
  ConvProblem conv;
  Spatial kernel{1, 1, 1}, stride{1, 1, 1}, pad{0, 0, 0}, output{1, 1, 1};  ///< of the windows
};

struct ConvPoolArgs {
  ConvPoolShape shape;
  ConvArgs conv;  ///< but for shape, and dst and residual, which are not there
  float* dst = nullptr;
};

struct ConvPoolKernel {
  const char* name;
  std::int64_t (*tasks)(const ConvPoolShape&);
  std::int64_t (*scratch_elements)(const ConvPoolShape&);
  void (*run)(const ConvPoolArgs&, std::int64_t begin, std::int64_t end, float* scratch);
  /// In one call.
  Work (*work)(const ConvPoolShape&);
};

/// A target other than ref.
const ConvPoolKernel& conv_pool_strips(SrcLayout layout, Target target);

}  // namespace mxinfer::kernels
