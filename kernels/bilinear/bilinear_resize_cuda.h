// The bilinear resizing of feature maps on a GPU, with the bits of the CPU.
#pragma once

#include "kernels/bilinear/bilinear_resize.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// As bilinear_resize.h says; the taps are the device's. Planes are channels-first.
Status bilinear_resize(const BilinearResizeArgs& args, const float* src, float* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
