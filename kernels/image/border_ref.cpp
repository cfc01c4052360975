#include <algorithm>
#include <cstring>

#include "kernels/image/border.h"

namespace mxinfer::kernels {
namespace {

std::int64_t modulo(std::int64_t i, std::int64_t n) {
  const std::int64_t rest = i % n;
  return rest < 0 ? rest + n : rest;
}

/// Index i mapped into [0, n); -1 for a constant outside.
std::int64_t inside(std::int64_t i, std::int64_t n, BorderMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case BorderMode::constant:
      return -1;
    case BorderMode::replicate:
      return std::clamp<std::int64_t>(i, 0, n - 1);
    case BorderMode::reflect: {
      const std::int64_t place = modulo(i, 2 * n);
      return place < n ? place : 2 * n - 1 - place;
    }
    case BorderMode::wrap:
      return modulo(i, n);
    case BorderMode::reflect_101: {
      if (n == 1) return 0;
      const std::int64_t place = modulo(i, 2 * n - 2);
      return place < n ? place : 2 * n - 2 - place;
    }
  }
  return -1;
}

}  // namespace

void image_border(const ImageBorderArgs& args, const std::byte* src, const std::byte* pixel, std::byte* dst,
                  std::int64_t begin, std::int64_t end) {
  const std::int64_t bytes = args.pixel_bytes;
  const auto put = [&](std::byte* to, const std::byte* from, std::int64_t pixels) {
    if (pixels > 0) std::memcpy(to, from, static_cast<std::size_t>(pixels * bytes));
  };
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t image = row / args.dst_height;
    const std::int64_t y = inside(row % args.dst_height - args.top, args.src_height, args.mode);
    std::byte* out = dst + row * args.dst_width * bytes;
    const std::byte* in = src + (image * args.src_height + y) * args.src_width * bytes;
    const std::int64_t first = y < 0 ? args.dst_width : args.left;
    const std::int64_t last = y < 0 ? args.dst_width : args.left + args.src_width;
    const auto fill = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t x = from; x < to; ++x) {
        const std::int64_t column = y < 0 ? -1 : inside(x - args.left, args.src_width, args.mode);
        put(out + x * bytes, column < 0 ? pixel : in + column * bytes, 1);
      }
    };
    fill(0, first);
    if (y >= 0) put(out + first * bytes, in, args.src_width);
    fill(last, args.dst_width);
  }
}

}  // namespace mxinfer::kernels
