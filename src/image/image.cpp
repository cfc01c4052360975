#include <mxinfer/vision/image.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fail.h"
#include "image/channels.h"
#include "tensor/floating.h"

namespace mxinfer {
namespace {

constexpr const char* kChannels = "1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGB, alpha)";

Tensor copy_pixels(int width, int height, int channels, Span<const std::uint8_t> pixels) {
  if (width < 1 || height < 1 || channels < 1 || channels > 4) {
    fail(ErrorCode::invalid_argument, "an image of ", width, " x ", height, " pixels with ", channels,
         " channels: both sides must be at least 1, channels ", kChannels);
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

bool is_channel_count(std::int64_t n) {
  return n >= 1 && n <= 4;
}

void check_pixels(DType dtype, const Shape& shape) {
  if (dtype != DType::uint8 && dtype != DType::uint16) {
    fail(ErrorCode::invalid_argument, "an image's pixels are uint8 of 0..255 or uint16 of 0..65535; got ",
         to_string(dtype), " ", to_string(shape),
         is_float(dtype) ? "; scale floats to 0..255, round them and cast them to uint8"
                         : "; cast numbers of 0..255 to uint8");
  }
  const bool has_sides = (shape.rank() == 2 || shape.rank() == 3) && is_side(shape[0]) && is_side(shape[1]);
  if (has_sides && (shape.rank() == 2 || is_channel_count(shape[2]))) return;
  if (shape.rank() == 3 && is_channel_count(shape[0]) && is_side(shape[1]) && is_side(shape[2])) {
    fail(ErrorCode::invalid_argument, "an image's channels come last; got ", to_string(dtype), " ",
         to_string(shape), "; transpose it to ", to_string(Shape{shape[1], shape[2], shape[0]}));
  }
  fail(ErrorCode::invalid_argument,
       "an image is (height, width), which is grey, or (height, width, channels) with channels ", kChannels,
       ", no side 0; got ", to_string(dtype), " ", to_string(shape));
}

}  // namespace

Image::Image() noexcept = default;

Image::Image(int width, int height, int channels, Span<const std::uint8_t> pixels)
    : Image(copy_pixels(width, height, channels, pixels)) {}

Image::Image(Tensor pixels) {
  const Shape shape = pixels.shape();
  check_pixels(pixels.dtype(), shape);
  const std::int64_t given = shape.rank() == 2 ? 1 : shape[2];
  if (shape.rank() == 2) pixels.reshape({shape[0], shape[1], 1});
  size_ = {static_cast<int>(shape[1]), static_cast<int>(shape[0])};
  channels_ = given < 3 ? 1 : 3;
  const bool is_deep = pixels.dtype() == DType::uint16;
  if (is_deep && channels_ == 3) grey_ = std::make_shared<const Tensor>(image::grey_pixels(pixels.view()));
  if (is_deep || given != channels_) pixels = image::plain_pixels(pixels.view());
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

Image MXINFER_ABI::convert_channels(const Image& image, int channels) try {
  if (channels != 1 && channels != 3)
    fail(ErrorCode::invalid_argument, "channels is ", channels, "; give 1 (grey) or 3 (RGB)");
  if (image.empty()) fail(ErrorCode::invalid_argument, "the image is empty (0 x 0 pixels)");
  if (image.channels() == channels) return image;
  if (channels == 3) return Image(image::color_pixels(image.view()));
  if (!image.grey_) return Image(image::grey_pixels(image.view()));
  Image grey;
  grey.pixels_ = image.grey_;
  grey.size_ = image.size_;
  grey.channels_ = 1;
  return grey;
} catch (...) {
  throw_as_error();
}

namespace {

Tensor crop_pixels(const Tensor& from, const Region& region) {
  const std::int64_t width = from.shape()[1], channels = from.shape()[2];
  Tensor pixels = Tensor::uninitialized(DType::uint8, {region.height, region.width, channels});
  const std::int64_t row = region.width * channels;
  const auto* const source = static_cast<const std::uint8_t*>(from.raw());
  for (std::int64_t y = 0; y < region.height; ++y) {
    const std::uint8_t* const first = source + ((region.y + y) * width + region.x) * channels;
    std::copy(first, first + row, pixels.data<std::uint8_t>() + y * row);
  }
  return pixels;
}

}  // namespace

Image MXINFER_ABI::crop_image(const Image& image, const Region& region) try {
  const bool inside = region.width >= 1 && region.height >= 1 && region.x >= 0 && region.y >= 0 &&
                      region.width <= image.width() - region.x && region.height <= image.height() - region.y;
  if (!inside) {
    fail(ErrorCode::invalid_argument, "the region of ", region.width, " x ", region.height, " pixels at (",
         region.x, ", ", region.y, ") is not inside the image of ", image.width(), " x ", image.height());
  }
  Image part(crop_pixels(*image.pixels_, region));
  if (image.grey_) part.grey_ = std::make_shared<const Tensor>(crop_pixels(*image.grey_, region));
  return part;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
