// Images of the C++ interface as the C one takes them, and the way back.
#pragma once

#include <mxinfer/vision/image.h>

#include <cstdint>
#include <string>
#include <vector>

#include "c_api/c_api_support.h"

namespace mxinfer_c_tests {

/// Borrows the pixels of `image`.
inline mxinfer_image pixels_of(const mxinfer::Image& image) {
  auto pixels = sized<mxinfer_image>();
  pixels.pixels = image.pixels().data();
  pixels.width = image.width();
  pixels.height = image.height();
  pixels.channels = image.channels();
  return pixels;
}

/// Whether two images have one size and the same pixels.
inline void expect_same_image(const mxinfer_image& found, const mxinfer::Image& expected) {
  ASSERT_EQ(found.width, expected.width());
  ASSERT_EQ(found.height, expected.height());
  ASSERT_EQ(found.channels, expected.channels());
  const std::vector<std::uint8_t> pixels(expected.pixels().begin(), expected.pixels().end());
  EXPECT_EQ(std::vector<std::uint8_t>(found.pixels, found.pixels + pixels.size()), pixels);
}

inline mxinfer_image image_of(const OwnedImage& owned) {
  auto image = sized<mxinfer_image>();
  EXPECT_EQ(mxinfer_owned_image_get(owned.get(), &image), MXINFER_OK) << mxinfer_last_error();
  return image;
}

inline std::string bytes_of(const OwnedBytes& owned) {
  auto bytes = sized<mxinfer_bytes>();
  EXPECT_EQ(mxinfer_owned_bytes_get(owned.get(), &bytes), MXINFER_OK) << mxinfer_last_error();
  return {static_cast<const char*>(bytes.data), bytes.bytes};
}

}  // namespace mxinfer_c_tests
