#include "image/resize.h"

#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "base/files/aligned_memory.h"
#include "base/threads/thread_arena.h"

namespace mxinfer {
namespace image {

Tensor resize(const TensorView& pixels, std::int64_t width, std::int64_t height,
              Interpolation interpolation) try {
  const Shape& from = pixels.shape();
  const bool batch = from.rank() == 4;
  if (!batch && from.rank() != 3) {
    fail(ErrorCode::invalid_argument, "cannot resize an array of shape ", to_string(from),
         "; (height, width, channels) or (n, height, width, channels) was expected");
  }
  const std::int64_t images = batch ? from[0] : 1;
  const std::size_t first = batch ? 1 : 0;
  const ResizePlan plan({from[first], from[first + 1], height, width, from[first + 2]}, pixels.dtype(),
                        interpolation);
  Shape to{height, width, from[first + 2]};
  if (batch) to.insert(0, images);
  Tensor out = Tensor::uninitialized(pixels.dtype(), to);
  if (images == 0) return out;

  const std::int64_t tasks_per_image = ceil_div(height, plan.rows_per_task());
  const std::int64_t scratch_bytes = round_up(static_cast<std::int64_t>(plan.scratch_bytes()), 64);
  // Scratch for each task rather than each thread: tasks are few.
  AlignedBuffer scratch(static_cast<std::size_t>(scratch_bytes * tasks_per_image * images));
  const std::int64_t src_bytes =
      from.elements(first, from.rank()) * static_cast<std::int64_t>(size_of(out.dtype()));
  const std::int64_t dst_bytes =
      to.elements(first, to.rank()) * static_cast<std::int64_t>(size_of(out.dtype()));
  const auto* src = static_cast<const std::byte*>(pixels.raw());
  auto* dst = static_cast<std::byte*>(out.raw());
  parallel_for(images * tasks_per_image, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t image = task / tasks_per_image;
      const std::int64_t row = task % tasks_per_image * plan.rows_per_task();
      plan.run(src + image * src_bytes, dst + image * dst_bytes, row,
               std::min(row + plan.rows_per_task(), height), scratch.data() + task * scratch_bytes);
    }
  });
  return out;
} catch (...) {
  throw_as_error();
}

}  // namespace image

Image MXINFER_ABI::resize_image(const Image& image, int width, int height, Interpolation interpolation) try {
  if (image.empty()) fail(ErrorCode::invalid_argument, "cannot resize an empty image");
  if (width == image.width() && height == image.height()) return image;
  const image::ResizePlan plan({image.height(), image.width(), height, width, image.channels()}, DType::uint8,
                               interpolation);
  Tensor out = Tensor::uninitialized(DType::uint8, {height, width, image.channels()});
  AlignedBuffer scratch(plan.scratch_bytes());
  plan.run(image.pixels().data(), out.raw(), 0, height, scratch.data());
  return Image(std::move(out));
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
