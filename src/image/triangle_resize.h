// Resizing as Pillow does it, which segmentation networks are trained with: images by a triangle filter that
// widens as the image shrinks (BILINEAR), masks by the nearest pixel. Only a window of the result is
// computed, bit for bit as in the whole result.
//
//   triangle_resize(image, {{1024, 512}, 3}, {600, 300}, {60, 0, 480, 300}, out, 480 * 3);
#pragma once

#include <mxinfer/vision/image.h>

#include <cstddef>
#include <cstdint>

namespace mxinfer::image {

/// Pixels of `width` values or bytes each, side by side.
struct PixelGrid {
  Size size;
  std::int64_t width = 1;
};

/// Window of `src` (uint8, `width` channels) resized to `to`; row y of the window is put at dst + y * stride.
///
/// A sum of up to 2 * ceil(max(1, from / to)) + 1 weighted pixels along rows, rounded to uint8, then likewise
/// along columns. The weights are max(0, 1 - |distance| / max(1, from / to)), scaled to a sum of 1 and
/// rounded to 22 bits; pixel centres are at i + 0.5. Preconditions: all sides are at least 1, the window lies
/// inside of `to` and is not empty.
void triangle_resize(const std::uint8_t* src, const PixelGrid& from, Size to, const Region& window,
                     std::uint8_t* dst, std::int64_t stride);

/// The same of pixels of `width` bytes: pixel i of the result is the one that (i + 0.5) * from / to lies in.
void nearest_resize(const std::byte* src, const PixelGrid& from, Size to, const Region& window,
                    std::byte* dst, std::int64_t stride);

}  // namespace mxinfer::image
