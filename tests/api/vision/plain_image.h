// Images of one colour.
#pragma once

#include <mxinfer/vision/image.h>

#include <cstdint>
#include <vector>

namespace mxinfer::test {

inline Image plain_image(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
  std::vector<std::uint8_t> pixels;
  for (int i = 0; i < width * height; ++i) pixels.insert(pixels.end(), {r, g, b});
  return Image(width, height, 3, Span<const std::uint8_t>(pixels));
}

}  // namespace mxinfer::test
