// The launcher of depthwise convolutions by tiles, for direct_conv() in conv_cuda.h.
#pragma once

#include "kernels/conv/direct/device_direct.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// Preconditions: has_depthwise_tiles(); src, border, dst, bias, residual and slopes are read and written in
/// whole 16 bytes.
Status launch_depthwise_tiles(const DirectConv& direct, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
