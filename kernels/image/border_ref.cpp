#include <cstring>

#include "kernels/image/border.h"

namespace mxinfer::kernels {

void image_border(const ImageBorderArgs& args, const std::byte* src, const std::byte* pixel, std::byte* dst,
                  std::int64_t begin, std::int64_t end) {
  const std::int64_t bytes = args.pixel_bytes;
  const auto put = [&](std::byte* to, const std::byte* from, std::int64_t pixels) {
    if (pixels > 0) std::memcpy(to, from, static_cast<std::size_t>(pixels * bytes));
  };
  for (std::int64_t row = begin; row < end; ++row) {
    const std::int64_t image = row / args.dst_height;
    const std::int64_t y = border_index(row % args.dst_height - args.top, args.src_height, args.mode);
    std::byte* out = dst + row * args.dst_width * bytes;
    const std::byte* in = src + (image * args.src_height + y) * args.src_width * bytes;
    const std::int64_t first = y < 0 ? args.dst_width : args.left;
    const std::int64_t last = y < 0 ? args.dst_width : args.left + args.src_width;
    const auto fill = [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t x = from; x < to; ++x) {
        const std::int64_t column = y < 0 ? -1 : border_index(x - args.left, args.src_width, args.mode);
        put(out + x * bytes, column < 0 ? pixel : in + column * bytes, 1);
      }
    };
    fill(0, first);
    if (y >= 0) put(out + first * bytes, in, args.src_width);
    fill(last, args.dst_width);
  }
}

}  // namespace mxinfer::kernels
