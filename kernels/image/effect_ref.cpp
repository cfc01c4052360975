#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/image/effect.h"

namespace mxinfer::kernels {
namespace {

constexpr float kRedShare = 0.299f, kGreenShare = 0.587f, kBlueShare = 0.114f;

template <typename T>
T stored(float value) {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return convert<T>(std::min(std::max(value, 0.0f), 255.0f));
  } else {
    return convert<T>(value);
  }
}

template <typename T>
Real<T> real(T value) {
  return static_cast<Real<T>>(value);
}

struct Rgb {
  float r, g, b;
};

/// Hue in degrees, lightness and saturation 0..1.
struct Hls {
  float h = 0.0f, l = 0.0f, s = 0.0f;
};

Hls to_hls(Rgb color) {
  const float r = color.r / 255.0f, g = color.g / 255.0f, b = color.b / 255.0f;
  const float high = std::max({r, g, b}), low = std::min({r, g, b});
  const float range = high - low;
  Hls hls;
  hls.l = (high + low) * 0.5f;
  if (!(range > std::numeric_limits<float>::epsilon())) return hls;
  hls.s = hls.l < 0.5f ? range / (high + low) : range / (2.0f - high - low);
  const float degrees = 60.0f / range;
  if (high == r) {
    hls.h = (g - b) * degrees;
  } else if (high == g) {
    hls.h = (b - r) * degrees + 120.0f;
  } else {
    hls.h = (r - g) * degrees + 240.0f;
  }
  if (hls.h < 0.0f) hls.h += 360.0f;
  return hls;
}

/// Sixths of a turn, modulo 6.
float within_one_turn(float sixths) {
  if (sixths < 0.0f) sixths = std::fmod(sixths, 6.0f);
  if (sixths < 0.0f) sixths += 6.0f;
  if (sixths >= 6.0f) sixths = std::fmod(sixths, 6.0f);
  return sixths >= 0.0f && sixths < 6.0f ? sixths : 0.0f;
}

Rgb to_rgb(Hls hls) {
  Rgb color{hls.l, hls.l, hls.l};
  if (hls.s != 0.0f) {
    const float high = hls.l <= 0.5f ? hls.l * (1.0f + hls.s) : hls.l + hls.s - hls.l * hls.s;
    const float low = 2.0f * hls.l - high;
    const float turn = within_one_turn(hls.h * (1.0f / 60.0f));
    const int sector = static_cast<int>(turn);
    const float part = turn - static_cast<float>(sector);
    const float falling = low + (high - low) * (1.0f - part), rising = low + (high - low) * part;
    const std::array<Rgb, 6> by_sector = {{{high, rising, low},
                                           {falling, high, low},
                                           {low, high, rising},
                                           {low, falling, high},
                                           {rising, low, high},
                                           {high, low, falling}}};
    color = by_sector[static_cast<std::size_t>(sector)];
  }
  return {color.r * 255.0f, color.g * 255.0f, color.b * 255.0f};
}

/// Calls pixel(src, dst) for each pixel of three channels.
template <typename T, typename Pixel>
void each_pixel(const T* src, T* dst, std::int64_t begin, std::int64_t end, Pixel&& pixel) {
  for (std::int64_t i = begin; i < end; ++i) pixel(src + 3 * i, dst + 3 * i);
}

template <typename T>
void saturate(const T* src, T* dst, std::int64_t begin, std::int64_t end, float a) {
  each_pixel(src, dst, begin, end, [a](const T* in, T* out) {
    const float grey = static_cast<float>(real(in[2]) * kBlueShare) * (1.0f - a);
    for (int c = 0; c < 3; ++c) out[c] = stored<T>(static_cast<float>(grey + real(in[c]) * a));
  });
}

template <typename T>
void turn_hue(const T* src, T* dst, std::int64_t begin, std::int64_t end, float a) {
  each_pixel(src, dst, begin, end, [a](const T* in, T* out) {
    Hls hls = to_hls({static_cast<float>(in[0]), static_cast<float>(in[1]), static_cast<float>(in[2])});
    hls.h += a * 360.0f;
    const Rgb color = to_rgb(hls);
    out[0] = stored<T>(color.r);
    out[1] = stored<T>(color.g);
    out[2] = stored<T>(color.b);
  });
}

template <typename T>
void light(const T* src, T* dst, std::int64_t begin, std::int64_t end, const float* shift) {
  each_pixel(src, dst, begin, end, [shift](const T* in, T* out) {
    for (int c = 0; c < 3; ++c) out[c] = stored<T>(static_cast<float>(in[c]) + shift[c]);
  });
}

template <typename T>
void apply(const ImageEffect& effect, const void* src_bytes, void* dst_bytes, std::int64_t channels,
           std::int64_t begin, std::int64_t end) {
  using Kind = ImageEffect::Kind;
  const T* src = static_cast<const T*>(src_bytes);
  T* dst = static_cast<T*>(dst_bytes);
  const float a = effect.amount;
  const std::int64_t first = begin * channels, last = end * channels;
  if (effect.kind == Kind::brightness) {
    for (std::int64_t i = first; i < last; ++i) dst[i] = stored<T>(static_cast<float>(src[i]) * a);
  } else if (effect.kind == Kind::contrast) {
    for (std::int64_t i = first; i < last; ++i) {
      dst[i] = stored<T>(static_cast<float>(real(src[i]) * a + effect.offset));
    }
  } else if (channels != 3) {
    if (src != dst) std::copy(src + first, src + last, dst + first);
  } else if (effect.kind == Kind::saturation) {
    saturate(src, dst, begin, end, a);
  } else if (effect.kind == Kind::hue) {
    turn_hue(src, dst, begin, end, a);
  } else {
    light(src, dst, begin, end, effect.shift);
  }
}

template <typename T>
float grey_mean(const void* src_bytes, std::int64_t channels, std::int64_t pixels) {
  const T* src = static_cast<const T*>(src_bytes);
  float sum = 0.0f;
  const auto add = [&sum](Real<T> value) { sum = static_cast<float>(sum + value); };
  for (std::int64_t i = 0; i < pixels; ++i) {
    if (channels != 3) {
      add(real(src[i * channels]));
      continue;
    }
    add(real(src[3 * i]) * kRedShare);
    add(real(src[3 * i + 1]) * kGreenShare);
    add(real(src[3 * i + 2]) * kBlueShare);
  }
  return pixels == 0 ? 0.0f : sum / static_cast<float>(pixels);
}

}  // namespace

ImageEffectFn select_image_effect(ElementType type) {
  static constexpr PerType<ImageEffectFn> kFunctions = {
      apply<float>,        apply<double>,      apply<Float16>,      apply<std::uint8_t>,
      apply<std::int32_t>, apply<std::int8_t>, apply<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

ImageGreyMeanFn select_image_grey_mean(ElementType type) {
  static constexpr PerType<ImageGreyMeanFn> kFunctions = {
      grey_mean<float>,        grey_mean<double>,      grey_mean<Float16>,      grey_mean<std::uint8_t>,
      grey_mean<std::int32_t>, grey_mean<std::int8_t>, grey_mean<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
