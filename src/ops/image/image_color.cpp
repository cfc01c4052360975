// Colours: _image_adjust_lighting, the random changes of brightness, contrast, saturation, hue and light, and
// _mxinfer_convert_color.
#include "ops/image/image_color.h"

#include <utility>

#include "base/fail.h"
#include "ops/common/copy_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/image/image_effect_step.h"

namespace mxinfer::ops {
namespace {

using Effect = kernels::ImageEffect::Kind;

OpDef effect_op(const std::string& name, std::string summary) {
  OpDef op;
  op.name = "_image_" + name;
  op.traits.output_rank = always_same_rank;
  op.aliases = {"_npx__image_" + name};
  op.summary = std::move(summary);
  op.infer = infer_effect;
  return op;
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
  op.attrs = {graph::number_tuple_attr("alpha")};
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
  op.attrs = {graph::number_attr("min_factor").at_least(0), graph::number_attr("max_factor").at_least(0)};
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
  op.attrs = {graph::number_attr("brightness").at_least(0), graph::number_attr("contrast").at_least(0),
              graph::number_attr("saturation").at_least(0), graph::number_attr("hue").at_least(0)};
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
  op.attrs = {graph::number_attr("alpha_std", 0.05).at_least(0)};
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
  Step step;
  step.kernel = concat("convert_color_", to_string(dtype), " [ref]");
  step.reason = context.attrs().choice("code");
  step.run = [=](const RunContext& at_run) {
    parallel_for(pixels, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
      run(at_run.input<std::byte>(0) + begin * from, at_run.output<std::byte>(0) + begin * to, end - begin);
    });
  };
  return step;
}

OpDef convert_color() {
  OpDef op;
  op.name = "_mxinfer_convert_color";
  op.summary =
      "Converts images (h, w, c) or (n, h, w, c): reorders the channels, computes the grey value 0.299 R + "
      "0.587 G + 0.114 B (uint8 is rounded), or makes three equal channels of grey. rgb, bgr and gray accept "
      "grey images, and take three channels as RGB.";
  op.attrs = {graph::choice_attr(
      "code", {"rgb2bgr", "bgr2rgb", "rgb2gray", "bgr2gray", "gray2rgb", "rgb", "bgr", "gray"})};
  op.infer = infer_convert;
  op.lower = lower_convert;
  return op;
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
      convert_color()};
}

}  // namespace mxinfer::ops
