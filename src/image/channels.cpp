#include "image/channels.h"

#include <algorithm>
#include <cstdint>

namespace mxinfer::image {
namespace {

std::uint8_t upper_bits(std::uint8_t sample) {
  return sample;
}
std::uint8_t upper_bits(std::uint16_t sample) {
  return static_cast<std::uint8_t>(sample >> 8);
}

template <typename Sample>
std::uint8_t grey_of(const Sample* rgb) {
  // 0.299, 0.587 and the remainder to 1, in fixed point with 15 fractional bits; libpng rounds the first two
  // down.
  constexpr std::uint32_t kRed = 9797, kGreen = 19234, kBlue = (1U << 15) - kRed - kGreen;
  constexpr std::uint32_t kHalf = sizeof(Sample) == 1 ? 0 : 1U << 14;
  return upper_bits(static_cast<Sample>((rgb[0] * kRed + rgb[1] * kGreen + rgb[2] * kBlue + kHalf) >> 15));
}

/// Calls make(pixel, to) for each pixel, which then has `channels` values.
template <typename Sample, typename Make>
Tensor each_pixel(const TensorView& given, std::int64_t channels, const Make& make) {
  const Shape& shape = given.shape();
  Tensor made = Tensor::uninitialized(DType::uint8, {shape[0], shape[1], channels});
  const auto* from = static_cast<const Sample*>(given.raw());
  auto* to = made.data<std::uint8_t>();
  const std::uint8_t* const end = to + made.elements();
  for (; to != end; from += shape[2], to += channels) make(from, to);
  return made;
}

template <typename Sample>
Tensor plain_of(const TensorView& given) {
  const std::int64_t channels = given.shape()[2] < 3 ? 1 : 3;
  return each_pixel<Sample>(given, channels, [=](const Sample* from, std::uint8_t* to) {
    for (std::int64_t c = 0; c < channels; ++c) to[c] = upper_bits(from[c]);
  });
}

template <typename Sample>
Tensor grey_pixels_of(const TensorView& given) {
  return each_pixel<Sample>(given, 1, [](const Sample* from, std::uint8_t* to) { *to = grey_of(from); });
}

}  // namespace

Tensor plain_pixels(const TensorView& given) {
  return given.dtype() == DType::uint8 ? plain_of<std::uint8_t>(given) : plain_of<std::uint16_t>(given);
}

Tensor grey_pixels(const TensorView& given) {
  if (given.shape()[2] < 3) return plain_pixels(given);
  return given.dtype() == DType::uint8 ? grey_pixels_of<std::uint8_t>(given)
                                       : grey_pixels_of<std::uint16_t>(given);
}

Tensor color_pixels(const TensorView& grey) {
  return each_pixel<std::uint8_t>(
      grey, 3, [](const std::uint8_t* from, std::uint8_t* to) { std::fill(to, to + 3, *from); });
}

}  // namespace mxinfer::image
