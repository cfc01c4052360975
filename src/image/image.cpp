#include <mxinfer/vision/image.h>

#include <limits>
#include <utility>

#include "base/fail.h"

namespace mxinfer {
namespace {

Tensor copy_pixels(int width, int height, int channels, Span<const std::uint8_t> pixels) {
  if (width < 1 || height < 1 || (channels != 1 && channels != 3)) {
    fail(ErrorCode::invalid_argument, "an image of ", width, " x ", height, " pixels with ", channels,
         " channels: both sides must be at least 1, channels 1 or 3");
  }
  const Shape shape{height, width, channels};
  const std::int64_t expected = shape.elements();
  if (pixels.size() != static_cast<std::size_t>(expected)) {
    fail(ErrorCode::invalid_argument, "an image of ", width, " x ", height, " pixels with ", channels,
         " channels has ", expected, " values; ", pixels.size(), " were given");
  }
  return Tensor::copy_of(TensorView(pixels.data(), shape));
}

bool is_side(std::int64_t n) {
  return n >= 1 && n <= std::numeric_limits<int>::max();
}

}  // namespace

Image::Image() noexcept = default;

Image::Image(int width, int height, int channels, Span<const std::uint8_t> pixels)
    : Image(copy_pixels(width, height, channels, pixels)) {}

Image::Image(Tensor pixels) {
  const Shape shape = pixels.shape();
  const bool grey = shape.rank() == 2;
  if (pixels.dtype() != DType::uint8 || (!grey && shape.rank() != 3) || !is_side(shape[0]) ||
      !is_side(shape[1]) || (!grey && shape[2] != 1 && shape[2] != 3)) {
    fail(ErrorCode::invalid_argument,
         "an image is a uint8 tensor of shape (height, width, 1 or 3) or (height, ",
         "width), no side 0; given was ", to_string(pixels.dtype()), " ", to_string(shape));
  }
  size_ = {static_cast<int>(shape[1]), static_cast<int>(shape[0])};
  channels_ = grey ? 1 : static_cast<int>(shape[2]);
  if (grey) pixels.reshape({shape[0], shape[1], 1});
  pixels_ = std::make_shared<const Tensor>(std::move(pixels));
}

Span<const std::uint8_t> Image::pixels() const noexcept {
  if (!pixels_) return {};
  return {static_cast<const std::uint8_t*>(pixels_->raw()), static_cast<std::size_t>(pixels_->elements())};
}

TensorView Image::view() const noexcept {
  if (pixels_) return pixels_->view();
  static constexpr std::uint8_t kNothing = 0;
  return {DType::uint8, {0}, &kNothing};
}

}  // namespace mxinfer
