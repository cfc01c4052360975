// Whether the kernels of a convolution on a GPU may read and write four channels at once. For launchers.
#pragma once

#include "kernels/conv/device_conv.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {

/// Whether the four channels of src that begin at a multiple of four, and those of the border, are 16 aligned
/// bytes.
inline bool reads_vectors(const DeviceConv& c) {
  return c.src_channel == 1 && c.src_position % 4 == 0 && is_vector_aligned(c.src) &&
         is_vector_aligned(c.border);
}

/// The same of filters of a position of dst, and of what is added to them.
inline bool stores_vectors(const ConvEpilogue& e) {
  return e.is_channels_last() && e.filters % 4 == 0 && e.dst_position % 4 == 0 && is_vector_aligned(e.dst) &&
         is_vector_aligned(e.bias) && is_vector_aligned(e.residual) && is_vector_aligned(e.slopes);
}

}  // namespace mxinfer::kernels::cuda
