// Colours: _image_adjust_lighting, the random changes of brightness, contrast, saturation, hue and light, and
// _mxinfer_convert_color.
#include <array>
#include <cstring>

#include "kernels/image/effect.h"
#include "ops/common/copy_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/image/image_kernels.h"
#include "ops/image/image_shape.h"
#include "ops/random/random_draws.h"

namespace mxinfer::ops {
namespace {

/// Up to four, one after another; none copies the image.
struct EffectList {
  std::array<kernels::ImageEffect, 4> effects{};
  std::size_t count = 0;

  void add(kernels::ImageEffect effect) { effects[count++] = effect; }
};

using kernels::ImageEffect;

ImageEffect effect_of(ImageEffect::Kind kind, float amount) {
  return {.kind = kind, .amount = amount};
}

/// AlexNet's change of light along the three principal colours of ImageNet, by alpha.
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

/// The same dtype and shape; Error if it is not an image of 1 or 3 channels.
std::vector<TensorType> infer_effect(const InferContext& context) {
  require_grey_or_color(image_shape(context.shape(0)), context.shape(0));
  if (kernels::select_image_effect(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "images of ", to_string(context.dtype(0)), " are not supported");
  }
  return {{context.dtype(0), context.shape(0)}};
}

/// effects_of is called for each image of each run, and allocates nothing.
Step effect_step(LowerContext& context, std::function<EffectList(RandomDraws&)> effects_of) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const auto apply = kernels::select_image_effect(element_type(input.dtype));
  const auto mean = kernels::select_image_grey_mean(element_type(input.dtype));
  const RandomSource source(context);
  const std::int64_t pixels = image.height * image.width;
  const auto bytes = image.image_elements() * static_cast<std::int64_t>(size_of(input.dtype));
  context.may_overwrite(0, 0);
  Step step{.kernel = concat("image_effect_", to_string(input.dtype), " [ref]"), .reason = "pixel by pixel"};
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

using Effect = kernels::ImageEffect::Kind;

OpDef effect_op(const std::string& name, std::string summary) {
  return {.name = "_image_" + name,
          .aliases = {"_npx__image_" + name},
          .summary = std::move(summary),
          .traits = {.output_rank = always_same_rank},
          .infer = infer_effect};
}

std::array<float, 3> alpha_of(const Attrs& attrs) {
  const auto& given = attrs.number_tuple("alpha");
  if (given.size() != 3) {
    fail(ErrorCode::invalid_argument, "attribute alpha has ", given.size(), " numbers; 3 were expected");
  }
  return {static_cast<float>(given[0]), static_cast<float>(given[1]), static_cast<float>(given[2])};
}

OpDef adjust_lighting() {
  OpDef op =
      effect_op("adjust_lighting",
                "AlexNet's lighting: adds the principal colours of ImageNet times alpha to each pixel; grey "
                "images are unchanged (MXNet leaves them unwritten, and accepts no batches).");
  op.attrs = {number_tuple_attr("alpha")};
  op.infer = [](const InferContext& context) {
    alpha_of(context.attrs);
    return infer_effect(context);
  };
  op.lower = [](LowerContext& context) {
    return effect_step(context, [effect = lighting_of(alpha_of(context.attrs()))](RandomDraws&) {
      EffectList list;
      list.add(effect);
      return list;
    });
  };
  return op;
}

/// A factor between min_factor and max_factor for each image.
OpDef random_factor(const std::string& name, std::string formula, Effect kind) {
  OpDef op =
      effect_op("random_" + name,
                "For each image, with a drawn from min_factor .. max_factor: " + std::move(formula) + ".");
  op.attrs = {number_attr("min_factor").at_least(0), number_attr("max_factor").at_least(0)};
  op.lower = [kind](LowerContext& context) {
    const float low = context.attrs().number32("min_factor"), high = context.attrs().number32("max_factor");
    return effect_step(context, [=](RandomDraws& draws) {
      EffectList list;
      list.add(effect_of(kind, draws.uniform(low, high)));
      return list;
    });
  };
  return op;
}

OpDef random_color_jitter() {
  OpDef op = effect_op("random_color_jitter",
                       "Changes brightness, contrast, saturation (each by a factor of 1 - v .. 1 + v) and "
                       "hue (by -v .. v) in random order, for each image; skips those with v = 0.");
  op.attrs = {number_attr("brightness").at_least(0), number_attr("contrast").at_least(0),
              number_attr("saturation").at_least(0), number_attr("hue").at_least(0)};
  op.lower = [](LowerContext& context) {
    const Attrs& attrs = context.attrs();
    const std::array<std::pair<Effect, float>, 4> all = {{{Effect::brightness, attrs.number32("brightness")},
                                                          {Effect::contrast, attrs.number32("contrast")},
                                                          {Effect::saturation, attrs.number32("saturation")},
                                                          {Effect::hue, attrs.number32("hue")}}};
    return effect_step(context, [all](RandomDraws& draws) {
      auto order = all;
      for (std::int64_t i = 3; i > 0; --i) {
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(draws.below(i + 1))]);
      }
      EffectList list;
      for (const auto& [kind, range] : order) {
        const float around = kind == Effect::hue ? 0.0f : 1.0f;
        if (range > 0) list.add(effect_of(kind, around + draws.uniform(-range, range)));
      }
      return list;
    });
  };
  return op;
}

OpDef random_lighting() {
  OpDef op = effect_op("random_lighting",
                       "_image_adjust_lighting with alpha drawn for each image from a normal distribution "
                       "with standard deviation alpha_std.");
  op.attrs = {number_attr("alpha_std", 0.05).at_least(0)};
  op.lower = [](LowerContext& context) {
    const float deviation = context.attrs().number32("alpha_std");
    return effect_step(context, [deviation](RandomDraws& draws) {
      const float first = draws.normal(deviation), second = draws.normal(deviation);
      EffectList list;
      list.add(lighting_of({first, second, draws.normal(deviation)}));
      return list;
    });
  };
  return op;
}

// What "rgb", "bgr" and "gray" do to one channel, and to three in the order RGB.
ColorChange change_to(const std::string& wanted, std::int64_t channels) {
  using kernels::ColorConversion;
  if (wanted == "gray") {
    if (channels == 1) return {std::nullopt, 1, 1};
    return {ColorConversion::rgb_to_grey, 3, 1};
  }
  if (channels == 1) return {ColorConversion::from_grey, 1, 3};
  if (wanted == "rgb") return {std::nullopt, 3, 3};
  return {ColorConversion::swap, 3, 3};
}

bool takes_either(const std::string& code) {
  return code == "rgb" || code == "bgr" || code == "gray";
}

std::string channels_text(const Attrs& attrs, const ColorChange& change) {
  if (takes_either(attrs.choice("code"))) return "1 or 3 channels";
  return concat(change.from, change.from == 1 ? " channel" : " channels");
}

std::vector<TensorType> infer_convert(const InferContext& context) {
  const ImageShape image = image_shape(context.shape(0));
  const ColorChange change = color_change(context.attrs, image.channels);
  if (image.channels != change.from) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(context.shape(0)), "; ",
         context.attrs.choice("code"), " needs ", channels_text(context.attrs, change));
  }
  const auto kind = change.kind.value_or(kernels::ColorConversion::swap);
  if (kernels::select_convert_color(element_type(context.dtype(0)), kind) == nullptr) {
    fail(ErrorCode::unsupported, "colours of ", to_string(context.dtype(0)),
         " cannot be converted; those of uint8, float32 and float64 can");
  }
  return {{context.dtype(0), image.with(image.height, image.width, change.to)}};
}

Step lower_convert(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const ColorChange change = color_change(context.attrs(), image_shape(context.input(0).shape).channels);
  if (!change.kind) return alias_step(context);
  const auto run = kernels::select_convert_color(element_type(dtype), *change.kind);
  const auto bytes = static_cast<std::int64_t>(size_of(dtype));
  const std::int64_t pixels = context.input(0).shape.elements() / change.from;
  const std::int64_t from = change.from * bytes, to = change.to * bytes;
  Step step{.kernel = concat("convert_color_", to_string(dtype), " [ref]")};
  step.reason = context.attrs().choice("code");
  step.run = [=](const RunContext& at_run) {
    parallel_for(pixels, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      run(at_run.input<std::byte>(0) + begin * from, at_run.output<std::byte>(0) + begin * to, end - begin);
    });
  };
  return step;
}

}  // namespace

ColorChange color_change(const Attrs& attrs, std::int64_t channels) {
  using kernels::ColorConversion;
  const std::string& code = attrs.choice("code");
  if (takes_either(code)) return change_to(code, channels);
  if (code == "rgb2gray") return {ColorConversion::rgb_to_grey, 3, 1};
  if (code == "bgr2gray") return {ColorConversion::bgr_to_grey, 3, 1};
  if (code == "gray2rgb") return {ColorConversion::from_grey, 1, 3};
  return {ColorConversion::swap, 3, 3};
}

std::vector<OpDef> image_color_ops() {
  return {
      adjust_lighting(),
      random_factor("brightness", "x * a", Effect::brightness),
      random_factor("contrast", "x * a + (1 - a) * the mean of 0.299 R + 0.587 G + 0.114 B",
                    Effect::contrast),
      random_factor("saturation", "x * a + (1 - a) * 0.114 B, as MXNet computes it", Effect::saturation),
      random_factor(
          "hue", "the hue turned by 360 a degrees; grey images are unchanged (MXNet leaves them unwritten)",
          Effect::hue),
      random_color_jitter(),
      random_lighting(),
      {.name = "_mxinfer_convert_color",
       .summary = "Converts images (h, w, c) or (n, h, w, c): reorders the channels, computes the grey value "
                  "0.299 R + 0.587 G + 0.114 B (uint8 is rounded), or makes three equal channels of grey. "
                  "rgb, bgr and gray accept grey images, and take three channels as RGB.",
       .attrs = {choice_attr(
           "code", {"rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray", "gray2rgb", "rgb", "bgr", "gray"})},
       .infer = infer_convert,
       .lower = lower_convert},
  };
}

}  // namespace mxinfer::ops
