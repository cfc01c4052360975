// The step of operators that change brightness and colours: a list of effects for each image, fixed or
// drawn.
//
//   return effect_step(context, [](RandomDraws& draws) { return EffectList{brightness(draws.uniform(0, 2))};
//   });
#pragma once

#include <array>
#include <functional>

#include "kernels/image/effect.h"
#include "ops/image/image_shape.h"
#include "ops/random/random_draws.h"

namespace mxinfer::ops {

/// Up to four, one after another; none copies the image.
struct EffectList {
  std::array<kernels::ImageEffect, 4> effects{};
  std::size_t count = 0;

  void add(kernels::ImageEffect effect) { effects[count++] = effect; }
};

/// An effect of one amount.
kernels::ImageEffect effect_of(kernels::ImageEffect::Kind kind, float amount);
/// AlexNet's change of light along the three principal colours of ImageNet, by alpha.
kernels::ImageEffect lighting_of(const std::array<float, 3>& alpha);

/// The same dtype and shape; Error if it is not an image of 1 or 3 channels.
std::vector<TensorType> infer_effect(const InferContext& context);

/// effects_of is called for each image of each run, and allocates nothing.
Step effect_step(LowerContext& context, std::function<EffectList(RandomDraws&)> effects_of);

}  // namespace mxinfer::ops
