// Which effects (effect.h) an image gets: those that are given, or drawn at random. The same on CPUs and
// GPUs.
#pragma once

#include "kernels/common/random_draws.h"
#include "kernels/image/effect.h"

namespace mxinfer::kernels {

/// Up to four, one after another; none leaves the image as it is.
struct ImageEffects {
  ImageEffect effects[4] = {};
  int count = 0;

  constexpr void add(const ImageEffect& effect) { effects[count++] = effect; }
};

/// AlexNet's change of light along the three principal colours of ImageNet, by alpha.
constexpr ImageEffect lighting_of(float red, float green, float blue) {
  // Each principal colour times the root of its variance, for R, G and B.
  constexpr float kColors[3][3] = {
      {float(55.46 * -0.5675), float(4.794 * 0.7192), float(1.148 * 0.4009)},
      {float(55.46 * -0.5808), float(4.794 * -0.0045), float(1.148 * -0.8140)},
      {float(55.46 * -0.5836), float(4.794 * -0.6948), float(1.148 * 0.4203)},
  };
  ImageEffect effect{};
  effect.kind = ImageEffect::Kind::lighting;
  for (int c = 0; c < 3; ++c)
    effect.shift[c] = kColors[c][0] * red + kColors[c][1] * green + kColors[c][2] * blue;
  return effect;
}

struct EffectDraws {
  enum class Form : std::uint8_t {
    given,     ///< `effect`
    factor,    ///< effect.kind, by low .. high
    jitter,    ///< brightness, contrast, saturation and hue, by `ranges`, in random order
    lighting,  ///< by three numbers with standard deviation `high`
  };
  Form form = Form::given;
  ImageEffect effect{};
  float low = 0, high = 0;
  float ranges[4] = {};  ///< of jitter; effects of range 0 are left out

  /// The most effects of an image.
  constexpr int most() const { return form == Form::jitter ? 4 : 1; }
  /// Whether an effect needs the mean of the image.
  constexpr bool needs_mean() const {
    return form == Form::jitter ? ranges[1] > 0 : effect.kind == ImageEffect::Kind::contrast;
  }
};

constexpr ImageEffects draw_jitter(const EffectDraws& of, RandomDraws& draws) {
  using Kind = ImageEffect::Kind;
  int order[4] = {0, 1, 2, 3};
  for (int i = 3; i > 0; --i) {
    const auto other = static_cast<int>(draws.below(i + 1));
    const int kept = order[i];
    order[i] = order[other];
    order[other] = kept;
  }
  constexpr Kind kKinds[4] = {Kind::brightness, Kind::contrast, Kind::saturation, Kind::hue};
  ImageEffects list;
  for (const int i : order) {
    if (!(of.ranges[i] > 0)) continue;
    const float around = kKinds[i] == Kind::hue ? 0.0f : 1.0f;
    ImageEffect effect{};
    effect.kind = kKinds[i];
    effect.amount = around + draws.uniform(-of.ranges[i], of.ranges[i]);
    list.add(effect);
  }
  return list;
}

/// Of one image, from its own draws. A template, as RandomDraws::normal() is one.
template <typename Draws>
constexpr ImageEffects draw_effects(const EffectDraws& of, Draws& draws) {
  if (of.form == EffectDraws::Form::jitter) return draw_jitter(of, draws);
  ImageEffects list;
  ImageEffect effect = of.effect;
  if (of.form == EffectDraws::Form::factor) effect.amount = draws.uniform(of.low, of.high);
  if (of.form == EffectDraws::Form::lighting) {
    const float red = draws.normal(of.high), green = draws.normal(of.high);
    effect = lighting_of(red, green, draws.normal(of.high));
  }
  list.add(effect);
  return list;
}

}  // namespace mxinfer::kernels
