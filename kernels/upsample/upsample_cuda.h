// Nearest-neighbour upsampling on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/float_type.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// dst[image][channel][y][x][i] = src[image][channel][y / scale][x / scale][i]. src is dense; an image of dst
/// begins dst_image elements behind the one before. Channels-first: inner is 1; channels-last: channels is 1
/// and inner their number.
struct UpsampleShape {
  std::int64_t images = 0;
  std::int64_t channels = 1;
  std::int64_t height = 0;  ///< of src, like width
  std::int64_t width = 0;
  std::int64_t inner = 1;
  std::int64_t scale = 1;
  std::int64_t dst_image = 0;
};

/// Elements of 1, 2, 4 or 8 bytes.
Status upsample(const UpsampleShape& shape, std::size_t element_bytes, const void* src, void* dst,
                const Stream& stream);

/// dst += the enlarged src, of elements of `type`.
Status upsample_add(const UpsampleShape& shape, FloatType type, const void* src, void* dst,
                    const Stream& stream);

}  // namespace mxinfer::kernels::cuda
