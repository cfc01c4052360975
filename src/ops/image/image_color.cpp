// Colours: _image_adjust_lighting, the random changes of brightness, contrast, saturation, hue and light, and
// _mxinfer_convert_color.
#include <array>
#include <cstring>

#include "ops/common/copy_step.h"
#include "ops/elementwise/elementwise.h"
#include "ops/image/image_kernels.h"
#include "ops/image/image_shape.h"
#include "ops/random/random_draws.h"

namespace mxinfer::ops {
namespace {

using Effect = kernels::ImageEffect::Kind;

/// The same dtype and shape; Error if it is not an image of 1 or 3 channels.
std::vector<TensorType> infer_effect(const InferContext& context) {
  require_grey_or_color(image_shape(context.shape(0)), context.shape(0));
  if (kernels::select_image_effect(element_type(context.dtype(0))) == nullptr) {
    fail(ErrorCode::unsupported, "images of ", to_string(context.dtype(0)), " are not supported");
  }
  return {{context.dtype(0), context.shape(0)}};
}

Step lower_effects(LowerContext& context) {
  const TensorType& input = context.input(0);
  const ImageShape image = image_shape(input.shape);
  const auto apply = kernels::select_image_effect(element_type(input.dtype));
  const auto mean = kernels::select_image_grey_mean(element_type(input.dtype));
  const RandomSource source(context);
  const std::int64_t pixels = image.height * image.width;
  const auto bytes = image.image_elements() * static_cast<std::int64_t>(size_of(input.dtype));
  context.may_overwrite(0, 0);
  Step step{.kernel = concat("image_effect_", to_string(input.dtype), " [ref]"), .reason = "pixel by pixel"};
  step.run = [=, of = effect_draws(context.node().op->name, context.attrs())](const RunContext& run) {
    const std::uint64_t run_key = source.next_run();
    for (std::int64_t n = 0; n < image.images; ++n) {
      const std::byte* src = run.input<std::byte>(0) + n * bytes;
      std::byte* dst = run.output<std::byte>(0) + n * bytes;
      RandomDraws draws = RandomSource::draws(run_key, n);
      kernels::ImageEffects list = kernels::draw_effects(of, draws);
      if (list.count == 0 && src != dst) std::memcpy(dst, src, static_cast<std::size_t>(bytes));
      for (int i = 0; i < list.count; ++i) {
        kernels::ImageEffect& effect = list.effects[i];
        if (effect.kind == Effect::contrast)
          effect.offset = (1.0f - effect.amount) * mean(src, image.channels, pixels);
        parallel_for(pixels, kElementGrain, [&](std::int64_t begin, std::int64_t end) {
          apply(effect, src, dst, image.channels, begin, end);
        });
        src = dst;
      }
    }
  };
  return step;
}

OpDef effect_op(const std::string& name, std::string summary) {
  return {.name = "_image_" + name,
          .aliases = {"_npx__image_" + name},
          .summary = std::move(summary),
          .traits = {.output_rank = always_same_rank},
          .infer = infer_effect,
          .lower = lower_effects};
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
  return op;
}

/// A factor between min_factor and max_factor for each image.
OpDef random_factor(const std::string& name, std::string formula) {
  OpDef op =
      effect_op("random_" + name,
                "For each image, with a drawn from min_factor .. max_factor: " + std::move(formula) + ".");
  op.attrs = {number_attr("min_factor").at_least(0), number_attr("max_factor").at_least(0)};
  return op;
}

OpDef random_color_jitter() {
  OpDef op = effect_op("random_color_jitter",
                       "Changes brightness, contrast, saturation (each by a factor of 1 - v .. 1 + v) and "
                       "hue (by -v .. v) in random order, for each image; skips those with v = 0.");
  op.attrs = {number_attr("brightness").at_least(0), number_attr("contrast").at_least(0),
              number_attr("saturation").at_least(0), number_attr("hue").at_least(0)};
  return op;
}

OpDef random_lighting() {
  OpDef op = effect_op("random_lighting",
                       "_image_adjust_lighting with alpha drawn for each image from a normal distribution "
                       "with standard deviation alpha_std.");
  op.attrs = {number_attr("alpha_std", 0.05).at_least(0)};
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

kernels::EffectDraws effect_draws(std::string_view op, const Attrs& attrs) {
  using Form = kernels::EffectDraws::Form;
  kernels::EffectDraws of;
  if (op == "_image_adjust_lighting") {
    const std::array<float, 3> alpha = alpha_of(attrs);
    of.effect = kernels::lighting_of(alpha[0], alpha[1], alpha[2]);
  } else if (op == "_image_random_lighting") {
    of.form = Form::lighting;
    of.effect.kind = Effect::lighting;
    of.high = attrs.number32("alpha_std");
  } else if (op == "_image_random_color_jitter") {
    of.form = Form::jitter;
    constexpr std::array<const char*, 4> kNames{"brightness", "contrast", "saturation", "hue"};
    for (std::size_t i = 0; i < kNames.size(); ++i) of.ranges[i] = attrs.number32(kNames[i]);
  } else {
    of.form = Form::factor;
    of.effect.kind = op == "_image_random_brightness"   ? Effect::brightness
                     : op == "_image_random_contrast"   ? Effect::contrast
                     : op == "_image_random_saturation" ? Effect::saturation
                                                        : Effect::hue;
    of.low = attrs.number32("min_factor");
    of.high = attrs.number32("max_factor");
  }
  return of;
}

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
      random_factor("brightness", "x * a"),
      random_factor("contrast", "x * a + (1 - a) * the mean of 0.299 R + 0.587 G + 0.114 B"),
      random_factor("saturation", "x * a + (1 - a) * 0.114 B, as MXNet computes it"),
      random_factor(
          "hue", "the hue turned by 360 a degrees; grey images are unchanged (MXNet leaves them unwritten)"),
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
