// The effects of effect.h on a pixel, with the roundings of the CPU. For .cu files.
#pragma once

#include "kernels/cuda/dialect.h"
#include "kernels/image/effect.h"

namespace mxinfer::kernels::cuda {

template <typename T>
__device__ __forceinline__ T stored_pixel(float value);
template <>
__device__ __forceinline__ float stored_pixel<float>(float value) {
  return value;
}
template <>
__device__ __forceinline__ std::uint8_t stored_pixel<std::uint8_t>(float value) {
  const float above = value < 0.0f ? 0.0f : value, inside = 255.0f < above ? 255.0f : above;
  return convert<std::uint8_t>(inside);
}

/// What a pixel adds to the sum of a grey mean.
template <typename T>
__device__ __forceinline__ float grey_sum(const T* pixel, std::int64_t channels) {
  if (channels != 3) return static_cast<float>(pixel[0]);
  const float red = simt::mul_rn(static_cast<float>(pixel[0]), 0.299f);
  const float green = simt::mul_rn(static_cast<float>(pixel[1]), 0.587f);
  return simt::add_rn(simt::add_rn(red, green), simt::mul_rn(static_cast<float>(pixel[2]), 0.114f));
}

struct PixelColor {
  float r, g, b;
};

/// Hue in degrees, lightness and saturation 0..1.
struct PixelHls {
  float h, l, s;
};

__device__ __forceinline__ PixelHls to_hls(const PixelColor& color) {
  const float r = simt::div_rn(color.r, 255.0f), g = simt::div_rn(color.g, 255.0f),
              b = simt::div_rn(color.b, 255.0f);
  float high = r, low = r;
  high = high < g ? g : high;
  high = high < b ? b : high;
  low = g < low ? g : low;
  low = b < low ? b : low;
  const float range = simt::sub_rn(high, low), both = simt::add_rn(high, low);
  PixelHls hls{0.0f, simt::mul_rn(both, 0.5f), 0.0f};
  constexpr float kEpsilon = 1.1920929e-7f;
  if (!(range > kEpsilon)) return hls;
  hls.s = simt::div_rn(range, hls.l < 0.5f ? both : simt::sub_rn(simt::sub_rn(2.0f, high), low));
  const float degrees = simt::div_rn(60.0f, range);
  if (high == r) {
    hls.h = simt::mul_rn(simt::sub_rn(g, b), degrees);
  } else if (high == g) {
    hls.h = simt::add_rn(simt::mul_rn(simt::sub_rn(b, r), degrees), 120.0f);
  } else {
    hls.h = simt::add_rn(simt::mul_rn(simt::sub_rn(r, g), degrees), 240.0f);
  }
  if (hls.h < 0.0f) hls.h = simt::add_rn(hls.h, 360.0f);
  return hls;
}

/// Sixths of a turn, modulo 6.
__device__ __forceinline__ float within_one_turn(float sixths) {
  if (sixths < 0.0f) sixths = fmodf(sixths, 6.0f);
  if (sixths < 0.0f) sixths = simt::add_rn(sixths, 6.0f);
  if (sixths >= 6.0f) sixths = fmodf(sixths, 6.0f);
  return sixths >= 0.0f && sixths < 6.0f ? sixths : 0.0f;
}

__device__ __forceinline__ PixelColor to_rgb(const PixelHls& hls) {
  PixelColor color{hls.l, hls.l, hls.l};
  if (hls.s != 0.0f) {
    const float high = hls.l <= 0.5f ? simt::mul_rn(hls.l, simt::add_rn(1.0f, hls.s))
                                     : simt::sub_rn(simt::add_rn(hls.l, hls.s), simt::mul_rn(hls.l, hls.s));
    const float low = simt::sub_rn(simt::mul_rn(2.0f, hls.l), high), range = simt::sub_rn(high, low);
    const float turn = within_one_turn(simt::mul_rn(hls.h, 1.0f / 60.0f));
    const int sector = static_cast<int>(turn);
    const float part = simt::sub_rn(turn, static_cast<float>(sector));
    const float falling = simt::add_rn(low, simt::mul_rn(range, simt::sub_rn(1.0f, part)));
    const float rising = simt::add_rn(low, simt::mul_rn(range, part));
    // Round the hexagon of colours each channel is high for two sixths, falls, is low for two, and rises.
    color.r = sector == 0 || sector == 5 ? high : sector == 1 ? falling : sector == 4 ? rising : low;
    color.g = sector == 1 || sector == 2 ? high : sector == 3 ? falling : sector == 0 ? rising : low;
    color.b = sector == 3 || sector == 4 ? high : sector == 5 ? falling : sector == 2 ? rising : low;
  }
  return {simt::mul_rn(color.r, 255.0f), simt::mul_rn(color.g, 255.0f), simt::mul_rn(color.b, 255.0f)};
}

/// What to write for an element of a colour, by each effect but hue.
__device__ __forceinline__ float changed_value(const ImageEffect& effect, float value, float blue,
                                               int channel) {
  using Kind = ImageEffect::Kind;
  if (effect.kind == Kind::lighting) return simt::add_rn(value, effect.shift[channel]);
  const float product = simt::mul_rn(value, effect.amount);
  if (effect.kind == Kind::brightness) return product;
  if (effect.kind == Kind::contrast) return simt::add_rn(product, effect.offset);
  const float grey = simt::mul_rn(simt::mul_rn(blue, 0.114f), simt::sub_rn(1.0f, effect.amount));
  return simt::add_rn(grey, product);
}

/// dst may be src.
template <typename T>
__device__ __forceinline__ void change_pixel(const ImageEffect& effect, std::int64_t channels, const T* src,
                                             T* dst) {
  using Kind = ImageEffect::Kind;
  if (channels != 3) {
    const bool changes = effect.kind == Kind::brightness || effect.kind == Kind::contrast;
    for (std::int64_t c = 0; c < channels; ++c) {
      const auto value = static_cast<float>(src[c]);
      dst[c] = changes ? stored_pixel<T>(changed_value(effect, value, 0.0f, 0)) : src[c];
    }
    return;
  }
  const PixelColor from{static_cast<float>(src[0]), static_cast<float>(src[1]), static_cast<float>(src[2])};
  PixelColor to{};
  if (effect.kind == Kind::hue) {
    PixelHls hls = to_hls(from);
    hls.h = simt::add_rn(hls.h, simt::mul_rn(effect.amount, 360.0f));
    to = to_rgb(hls);
  } else {
    to = {changed_value(effect, from.r, from.b, 0), changed_value(effect, from.g, from.b, 1),
          changed_value(effect, from.b, from.b, 2)};
  }
  dst[0] = stored_pixel<T>(to.r);
  dst[1] = stored_pixel<T>(to.g);
  dst[2] = stored_pixel<T>(to.b);
}

}  // namespace mxinfer::kernels::cuda
