#include "image/chroma_rows.h"

#include <algorithm>

namespace mxinfer::image {
namespace {

constexpr int kBits = 16;
constexpr int kHalf = 1 << (kBits - 1);

constexpr int fixed(double value) {
  // NOLINTNEXTLINE(bugprone-incorrect-roundings): std::lround is not constexpr
  return static_cast<int>(value * (1 << kBits) + 0.5);
}

std::uint8_t clamped(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 255));
}

void to_color(int y, int cb, int cr, bool bgr, std::uint8_t* out) {
  cb -= 128;
  cr -= 128;
  const int red = y + ((fixed(1.402) * cr + kHalf) >> kBits);
  const int green = y + ((-fixed(0.34414) * cb - fixed(0.71414) * cr + kHalf) >> kBits);
  const int blue = y + ((fixed(1.772) * cb + kHalf) >> kBits);
  out[bgr ? 2 : 0] = clamped(red);
  out[1] = clamped(green);
  out[bgr ? 0 : 2] = clamped(blue);
}

}  // namespace

void color_of_half_rows(const std::uint8_t* ycc, std::uint8_t* out, std::int64_t width, std::int64_t height,
                        bool bgr) {
  const std::int64_t stride = width * 3;
  for (std::int64_t y = 0; y < height; ++y) {
    // Rows 2k and 2k + 1 share a row of colour. The nearest other one is above the first and below the
    // second.
    const std::int64_t other = std::clamp<std::int64_t>(y % 2 == 0 ? y - 1 : y + 1, 0, height - 1);
    const std::uint8_t* near = ycc + y * stride;
    const std::uint8_t* far = ycc + other * stride;
    for (std::int64_t x = 0; x < stride; x += 3) {
      const int cb = (3 * near[x + 1] + far[x + 1] + 1) >> 2;
      const int cr = (3 * near[x + 2] + far[x + 2] + 1) >> 2;
      to_color(near[x], cb, cr, bgr, out + y * stride + x);
    }
  }
}

}  // namespace mxinfer::image
