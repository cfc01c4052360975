// The bilinear resizing of feature maps on a GPU, with the bits of the CPU.
#pragma once

#include "kernels/bilinear/bilinear_resize.h"
#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// As bilinear_resize.h says, of elements of `type`; the taps are the device's. Planes are channels-first.
Status bilinear_resize(const BilinearResizeArgs& args, FloatType type, const void* src, void* dst,
                       const Stream& stream);

}  // namespace mxinfer::kernels::cuda
