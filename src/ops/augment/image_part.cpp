#include "ops/augment/image_part.h"

#include <algorithm>
#include <cstring>

#include "base/threads/thread_arena.h"

namespace mxinfer::ops {
namespace {

void copy_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes) {
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

void fill_pixels(std::byte* dst, const std::byte* fill, std::int64_t pixel, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) copy_bytes(dst + i * pixel, fill, pixel);
}

std::int64_t rows_a_task(std::int64_t row_bytes) {
  return std::max<std::int64_t>(1, (1 << 16) / std::max<std::int64_t>(1, row_bytes));
}

}  // namespace

Tensor cut_part(const std::byte* image, const ImageShape& shape, DType dtype, const Region& region,
                const std::byte* fill) {
  Tensor part = Tensor::uninitialized(dtype, {region.height, region.width, shape.channels});
  auto* const dst = static_cast<std::byte*>(part.raw());
  const auto pixel = shape.channels * static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t width = region.width, row_bytes = width * pixel;
  const std::int64_t first = std::clamp<std::int64_t>(-std::int64_t{region.x}, 0, width);
  const std::int64_t last = std::clamp<std::int64_t>(shape.width - region.x, first, width);
  parallel_for(region.height, rows_a_task(row_bytes), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      std::byte* row = dst + y * row_bytes;
      const std::int64_t from = region.y + y;
      if (from < 0 || from >= shape.height) {
        fill_pixels(row, fill, pixel, width);
        continue;
      }
      fill_pixels(row, fill, pixel, first);
      copy_bytes(row + first * pixel, image + (from * shape.width + region.x + first) * pixel,
                 (last - first) * pixel);
      fill_pixels(row + last * pixel, fill, pixel, width - last);
    }
  });
  return part;
}

void flip_image(const std::byte* src, std::byte* dst, Size size, std::int64_t pixel, bool across, bool down) {
  const std::int64_t width = size.width, height = size.height, row = width * pixel;
  parallel_for(height, rows_a_task(row), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const std::byte* in = src + (down ? height - 1 - y : y) * row;
      std::byte* out = dst + y * row;
      if (!across) {
        copy_bytes(out, in, row);
        continue;
      }
      for (std::int64_t x = 0; x < width; ++x)
        copy_bytes(out + x * pixel, in + (width - 1 - x) * pixel, pixel);
    }
  });
}

}  // namespace mxinfer::ops
