// _contrib_dequantize: float32 from 8-bit values. _contrib_requantize: 8-bit values from sums of 32 bits.
#include <cstdlib>

#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_dequantize(const InferContext& context) {
  expect_8bit(context, 0, "data");
  expect_ranges(context, 1, 2);
  return {{DType::float32, context.shape(0)}};
}

Step lower_dequantize(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("dequantize", dtype)};
  step.run = [=](const RunContext& run) {
    const float scale = range_at(run, 1).largest() / quantized_range(dtype);
    with_8bit(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      rescale(run.input<T>(0), run.output<float>(0), count, scale);
    });
  };
  return step;
}

std::vector<TensorType> infer_requantize(const InferContext& context) {
  if (context.dtype(0) != DType::int32) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected int32");
  }
  expect_ranges(context, 1, 2);
  return with_range({quantized_dtype(context.attrs), context.shape(0)});
}

/// The largest magnitude of the sums, as the number that they stand for; `largest` is that of 2^31 - 1.
float largest_value(const std::int32_t* sums, std::int64_t count, float largest) {
  const auto [min, max] = extremes(sums, count);
  const auto magnitude = std::max(std::abs(static_cast<float>(min)), std::abs(static_cast<float>(max)));
  return static_cast<float>(static_cast<std::int32_t>(std::min(magnitude, 2147483520.0F))) * largest /
         kInt32Range;
}

Step lower_requantize(LowerContext& context) {
  const DType dtype = context.output(0).dtype;
  const auto calibrated = calibrated_range(context.attrs());
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("requantize", dtype)};
  step.reason = calibrated ? "the range is calibrated" : "the range is that of the data in each run";
  step.run = [=](const RunContext& run) {
    const auto* sums = run.input<std::int32_t>(0);
    const float largest = range_at(run, 1).largest();
    const float made = calibrated ? calibrated->largest() : largest_value(sums, count, largest);
    const float scale = requantize_scale(dtype, largest, made);
    with_8bit(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      rescale(sums, run.output<T>(0), count, scale);
    });
    write_range(run, 1, quantized_range_of(dtype, {0, made}));
  };
  return step;
}

}  // namespace

float requantize_scale(DType dtype, float sums, float made) {
  const float steps = dtype == DType::int8 ? 127.0F : 255.0F;
  return (sums / kInt32Range) * (steps / made);
}

std::vector<OpDef> requantize_ops() {
  OpDef dequantize{.name = "_contrib_dequantize"};
  dequantize.summary =
      "float32 of 8-bit values: q * max(|min|, |max|) / R, R = 127.5 for int8 and 255.5 for uint8.";
  dequantize.attrs = {choice_attr("out_type", {"float32"}, "float32").without_effect()};
  dequantize.inputs = named_ports({"data", "min_range", "max_range"});
  dequantize.traits.keeps_shape = true;
  dequantize.infer = infer_dequantize;
  dequantize.lower = lower_dequantize;
  dequantize.unify = unify_first;

  OpDef requantize{.name = "_contrib_requantize"};
  requantize.summary =
      "8-bit values of int32 sums, whose range is that of 2^31 - 1, in the calibrated range or the one of "
      "the "
      "data; then the range.";
  requantize.attrs = calibration_attrs();
  requantize.attrs.push_back(choice_attr("out_type", {"auto", "int8", "uint8"}, "int8"));
  requantize.inputs = named_ports({"data", "min_range", "max_range"});
  requantize.outputs = ports_with_range();
  requantize.traits.keeps_shape = true;
  requantize.infer = infer_requantize;
  requantize.lower = lower_requantize;
  requantize.unify = unify_first;
  return {std::move(dequantize), std::move(requantize)};
}

}  // namespace mxinfer::ops
