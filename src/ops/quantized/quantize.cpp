// _contrib_quantize_v2, _contrib_quantize and _contrib_quantize_asym: 8-bit values from float32.
#include <cmath>

#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

void expect_float32(const InferContext& context) {
  if (context.dtype(0) == DType::float32) return;
  fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected float32");
}

std::vector<TensorType> infer_v2(const InferContext& context) {
  const DType given = context.dtype(0), made = quantized_dtype(context.attrs);
  (void)calibrated_range(context.attrs);
  if (is_8bit(given) && given != made) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]),
         ", which out_type=", context.attrs.choice("out_type"), " does not convert; expected float32 or ",
         to_string(made));
  }
  if (!is_8bit(given)) expect_float32(context);
  return with_range({made, context.shape(0)});
}

ValueRange range_of_data(const float* data, std::int64_t count) {
  const auto [min, max] = extremes(data, count);
  return {min, max};
}

/// 8-bit data is handed on as it is.
Step lower_copy(LowerContext& context) {
  const DType dtype = context.input(0).dtype;
  const ValueRange whole =
      dtype == DType::int8 ? ValueRange{-kInt8Range, kInt8Range} : ValueRange{0, kUint8Range};
  const ValueRange range = calibrated_range(context.attrs()).value_or(whole);
  Step step{.kernel = ref_kernel("quantize_copy", dtype), .reason = "data is 8-bit already"};
  step.run = [range, bytes = bytes_of(context.input(0))](const RunContext& run) {
    std::copy_n(run.input<std::byte>(0), bytes, run.output<std::byte>(0));
    write_range(run, 1, range);
  };
  return step;
}

Step lower_v2(LowerContext& context) {
  if (is_8bit(context.input(0).dtype)) return lower_copy(context);
  const DType dtype = context.output(0).dtype;
  const auto calibrated = calibrated_range(context.attrs());
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("quantize", dtype)};
  step.reason = calibrated ? "the range is calibrated" : "the range is that of the data in each run";
  step.run = [=](const RunContext& run) {
    const float* data = run.input<float>(0);
    const ValueRange range = calibrated ? *calibrated : range_of_data(data, count);
    with_8bit(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      rescale(data, run.output<T>(0), count, plain_scale(dtype, range));
    });
    write_range(run, 1, quantized_range_of(dtype, range));
  };
  return step;
}

std::vector<TensorType> infer_v1(const InferContext& context) {
  expect_float32(context);
  expect_ranges(context, 1, 2);
  return with_range({quantized_dtype(context.attrs), context.shape(0)});
}

Step lower_v1(LowerContext& context) {
  const DType dtype = context.output(0).dtype;
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("quantize", dtype), .reason = "the range is an input"};
  step.run = [=](const RunContext& run) {
    const ValueRange range = range_at(run, 1);
    // This operator has whole numbers of steps: 127 or 255.
    const float scale = (dtype == DType::int8 ? 127.0F : 255.0F) / range.largest();
    with_8bit(dtype, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      rescale(run.input<float>(0), run.output<T>(0), count, scale);
    });
    write_range(run, 1, quantized_range_of(dtype, range));
  };
  return step;
}

std::vector<TensorType> infer_asym(const InferContext& context) {
  expect_float32(context);
  (void)calibrated_range(context.attrs);
  return with_range({DType::uint8, context.shape(0)});
}

Step lower_asym(LowerContext& context) {
  const auto calibrated = calibrated_range(context.attrs());
  const std::int64_t count = context.input(0).shape.elements();
  Step step{.kernel = ref_kernel("quantize_asym", DType::uint8)};
  step.run = [=](const RunContext& run) {
    const float* data = run.input<float>(0);
    const ValueRange range = calibrated ? *calibrated : range_of_data(data, count);
    const float scale = 255.0F / (range.max - range.min);
    const float shift = 255.0F - range.max * scale;
    auto* to = run.output<std::uint8_t>(0);
    parallel_for(count, kQuantizedGrain, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        to[i] = kernels::saturate<std::uint8_t>(std::fma(data[i], scale, shift));
    });
    write_range(run, 1, {scale, shift});
  };
  return step;
}

}  // namespace

std::vector<OpDef> quantize_ops() {
  OpDef v2{.name = "_contrib_quantize_v2"};
  v2.summary =
      "8-bit values of float32: round(x * R / max(|min|, |max|)), R = 127.5 for int8 and 255.5 for uint8, of "
      "the calibrated range or the data's own; then the range.";
  v2.attrs = calibration_attrs();
  v2.attrs.push_back(choice_attr("out_type", {"auto", "int8", "uint8"}, "int8"));
  v2.infer = infer_v2;
  v2.lower = lower_v2;

  OpDef v1{.name = "_contrib_quantize", .summary = "_contrib_quantize_v2 of a given range, R = 127 and 255."};
  v1.attrs = {choice_attr("out_type", {"int8", "uint8"}, "uint8")};
  v1.inputs = named_ports({"data", "min_range", "max_range"});
  v1.infer = infer_v1;
  v1.lower = lower_v1;

  OpDef asym{.name = "_contrib_quantize_asym"};
  asym.summary = "round(x * scale + shift) as uint8, which covers [min, max]; then scale and shift.";
  asym.attrs = calibration_attrs();
  asym.infer = infer_asym;
  asym.lower = lower_asym;

  std::vector<OpDef> ops{std::move(v2), std::move(v1), std::move(asym)};
  for (OpDef& op : ops) {
    op.outputs = ports_with_range();
    op.traits.keeps_shape = true;
    op.unify = unify_first;
  }
  ops.back().outputs = named_ports({"output", "scale", "shift"});
  return ops;
}

}  // namespace mxinfer::ops
