// Whether the kernels of a convolution on a GPU may read and write 16 bytes of channels at once. For
// launchers.
#pragma once

#include "kernels/conv/device_conv.h"
#include "kernels/cuda/dispatch.h"

namespace mxinfer::kernels::cuda {

/// Elements in 16 bytes.
inline int vector_elements(FloatType type) {
  return static_cast<int>(16 / bytes_of(type));
}

/// Whether the channels of src that begin at a multiple of a vector, and those of the border, are 16 aligned
/// bytes.
inline bool reads_vectors(const DeviceConv& c) {
  return c.src_channel == 1 && c.src_position % vector_elements(c.type) == 0 && is_vector_aligned(c.src) &&
         is_vector_aligned(c.border);
}

/// The same of filters of a position of dst, and of what is added to them.
inline bool stores_vectors(const ConvEpilogue& e, FloatType type) {
  const int vector = vector_elements(type);
  return e.is_channels_last() && e.filters % vector == 0 && e.dst_position % vector == 0 &&
         is_vector_aligned(e.dst) && is_vector_aligned(e.bias) && is_vector_aligned(e.residual) &&
         is_vector_aligned(e.slopes);
}
inline bool stores_vectors(const DeviceConv& c) {
  return stores_vectors(c.epilogue, c.type);
}

}  // namespace mxinfer::kernels::cuda
