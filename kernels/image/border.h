// A border around images: dst(y, x) is src(y - top, x - left), with indices outside mapped by the mode:
//
//   constant     a given pixel                      p p | a b c d | p p
//   replicate    the nearest pixel                  a a | a b c d | d d
//   reflect      mirrored with the border pixel     b a | a b c d | d c
//   wrap         from the other side                c d | a b c d | a b
//   reflect_101  mirrored at the border pixel       c b | a b c d | c b
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

/// With OpenCV's numbers, which MXNet takes.
enum class BorderMode : std::uint8_t { constant = 0, replicate = 1, reflect = 2, wrap = 3, reflect_101 = 4 };

/// Index i mapped into [0, n); -1 for a constant outside. Precondition: n >= 1 unless the mode is constant.
constexpr std::int64_t border_index(std::int64_t i, std::int64_t n, BorderMode mode) {
  if (i >= 0 && i < n) return i;
  if (mode == BorderMode::constant) return -1;
  if (mode == BorderMode::replicate) return i < 0 ? 0 : n - 1;
  if (mode == BorderMode::reflect_101 && n == 1) return 0;
  const std::int64_t period = mode == BorderMode::wrap ? n : mode == BorderMode::reflect ? 2 * n : 2 * n - 2;
  const std::int64_t rest = i % period, place = rest < 0 ? rest + period : rest;
  if (place < n) return place;
  return mode == BorderMode::reflect ? 2 * n - 1 - place : 2 * n - 2 - place;
}

/// Sizes in pixels of `pixel_bytes`; src is at least 1 x 1 unless the mode is constant.
struct ImageBorderArgs {
  std::int64_t src_height, src_width;
  std::int64_t dst_height, dst_width;
  std::int64_t top, left;
  std::int64_t pixel_bytes;
  BorderMode mode;
};

/// Rows [begin, end) of dst, counted through all images of a batch. `pixel` is for constant.
void image_border(const ImageBorderArgs& args, const std::byte* src, const std::byte* pixel, std::byte* dst,
                  std::int64_t begin, std::int64_t end);

}  // namespace mxinfer::kernels
