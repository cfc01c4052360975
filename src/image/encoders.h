// The two encoders behind encode_image. Pixels in, bytes out.
//
//   std::vector<std::uint8_t> file = image::encode_png(image);
//
// Errors are those of encode_image. Precondition: the image is not empty.
#pragma once

#include <mxinfer/vision/image.h>

#include <array>
#include <cstdint>
#include <exception>
#include <vector>

namespace mxinfer::image {

std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality);
/// With a palette (at most 256 colours, for images of one channel), pixels are indices into it.
std::vector<std::uint8_t> encode_png(const Image& image,
                                     Span<const std::array<std::uint8_t, 3>> palette = {});

/// Appends bytes; false if out of memory. No exception may pass through the callbacks of libjpeg and libpng,
/// which report this in their own way.
inline bool append_bytes(std::vector<std::uint8_t>& file, const std::uint8_t* bytes,
                         std::size_t count) noexcept {
  try {
    file.insert(file.end(), bytes, bytes + count);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace mxinfer::image
