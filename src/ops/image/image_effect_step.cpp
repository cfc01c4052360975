#include "ops/image/image_effect_step.h"

#include <algorithm>
#include <cstring>

#include "base/checked.h"
#include "base/fail.h"
#include "ops/elementwise/elementwise.h"

namespace mxinfer::ops {

using kernels::ImageEffect;

ImageEffect effect_of(ImageEffect::Kind kind, float amount) {
  ImageEffect effect;
  effect.kind = kind;
  effect.amount = amount;
  return effect;
}

ImageEffect lighting_of(const std::array<float, 3>& alpha) {
  // Each principal colour times the root of its variance, for R, G and B.
  static constexpr float kColors[3][3] = {
      {float(55.46 * -0.5675), float(4.794 * 0.7192), float(1.148 * 0.4009)},
      {float(55.46 * -0.5808), float(4.794 * -0.0045), float(1.148 * -0.8140)},
      {float(55.46 * -0.5836), float(4.794 * -0.6948), float(1.148 * 0.4203)},
  };
  ImageEffect effect = effect_of(ImageEffect::Kind::lighting, 1.0f);
  for (std::size_t c = 0; c < 3; ++c) {
    effect.shift[c] = kColors[c][0] * alpha[0] + kColors[c][1] * alpha[1] + kColors[c][2] * alpha[2];
  }
  return effect;
}

std::vector<TensorType> infer_effect(const InferContext& context) {
  require_grey_or_color(image_shape(context.shape(0)), context.shape(0));
  if (kernels::select_image_effect(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "images of ", to_string(context.dtype(0)), " are not supported");
  }
  return {{context.dtype(0), context.shape(0)}};
}

Step effect_step(LowerContext& context, std::function<EffectList(RandomDraws&)> effects_of) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const auto apply = kernels::select_image_effect(element_type(input.dtype));
  const auto mean = kernels::select_image_grey_mean(element_type(input.dtype));
  const RandomSource source(context);
  const std::int64_t pixels = image.height * image.width;
  const auto bytes = image.image_elements() * static_cast<std::int64_t>(size_of(input.dtype));
  context.may_overwrite(0, 0);
  Step step;
  step.kernel = concat("image_effect_", to_string(input.dtype), " [ref]");
  step.reason = "pixel by pixel";
  step.run = [=, effects_of = std::move(effects_of)](const RunContext& run) {
    const std::uint64_t run_key = source.next_run();
    for (std::int64_t n = 0; n < image.images; ++n) {
      const std::byte* src = run.input<std::byte>(0) + n * bytes;
      std::byte* dst = run.output<std::byte>(0) + n * bytes;
      RandomDraws draws = RandomSource::draws(run_key, n);
      EffectList list = effects_of(draws);
      if (list.count == 0 && src != dst) std::memcpy(dst, src, static_cast<std::size_t>(bytes));
      for (std::size_t i = 0; i < list.count; ++i) {
        ImageEffect& effect = list.effects[i];
        if (effect.kind == ImageEffect::Kind::contrast) {
          effect.offset = (1.0f - effect.amount) * mean(src, image.channels, pixels);
        }
        parallel_for(pixels, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
          apply(effect, src, dst, image.channels, begin, end);
        });
        src = dst;
      }
    }
  };
  return step;
}

}  // namespace mxinfer::ops
