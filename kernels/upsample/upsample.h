// Nearest-neighbour upsampling by whole factors: dst[p][y][x] = src[p][y / scale][x / scale].
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// src is [planes][height][width]. An image of dst is written `dst_image` elements after the one before, so
/// that several inputs can share the channels of one output.
struct UpsampleArgs {
  std::int64_t channels = 1;  ///< planes of one image
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t scale = 1;
  std::int64_t dst_image = 0;   ///< elements between images of dst
  std::int64_t dst_offset = 0;  ///< the offset of the first image in dst
};

/// Computes rows [begin, end) of src, each into `scale` rows of dst. Elements of 1, 2, 4 or 8 bytes.
using UpsampleFn = void (*)(const UpsampleArgs& args, const std::byte* src, std::byte* dst,
                            std::int64_t begin, std::int64_t end);
UpsampleFn select_upsample(std::size_t element_bytes);

/// dst += the enlarged src. T: float, double.
template <typename T>
void upsample_add(const UpsampleArgs& args, const std::byte* src, std::byte* dst, std::int64_t begin,
                  std::int64_t end);

}  // namespace mxinfer::kernels
