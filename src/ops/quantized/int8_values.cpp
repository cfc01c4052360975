// _mxinfer_quantize and _mxinfer_dequantize: 8-bit values from float32, and back.
#include <algorithm>

#include "kernels/int8/int8_convert.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/quantized/elements.h"
#include "ops/quantized/int8_attrs.h"
#include "ops/unify.h"

namespace mxinfer::ops {
namespace {

std::string conversion_label(const char* function, DType dtype, kernels::Target target) {
  return labelled(concat("int8_", function, "_", to_string(dtype)), target);
}

std::vector<TensorType> infer_quantize(const InferContext& context) {
  (void)positive_attr(context.attrs, "scale");
  const DType made = context.attrs.dtype("dtype"), given = context.dtype(0);
  if (given != DType::float32 && given != made) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected float32, or ",
         to_string(made), " that is handed on");
  }
  return {{made, context.shape(0)}};
}

/// As _contrib_quantize_v2 does.
Step hand_on(LowerContext& context) {
  context.alias(0, 0, 0);
  return {.kernel = "alias", .reason = "data is 8-bit already", .run = [](const RunContext&) {}};
}

Step lower_quantize(LowerContext& context) {
  const DType made = context.output(0).dtype;
  if (context.input(0).dtype == made) return hand_on(context);
  const float scale = positive_attr(context.attrs(), "scale");
  const std::int64_t count = context.input(0).shape.elements();
  const auto quantize = kernels::select_quantize(int8_type(made), context.target());
  Step step{.kernel = conversion_label("quantize", made, context.target())};
  step.flops = static_cast<double>(count);
  step.run = [=, bytes = size_of(made)](const RunContext& run) {
    parallel_for(count, kQuantizedGrain, [&](std::int64_t begin, std::int64_t end) {
      quantize(run.input<float>(0) + begin, run.output<std::byte>(0) + begin * bytes, end - begin, scale);
    });
  };
  return step;
}

std::vector<TensorType> infer_dequantize_int8(const InferContext& context) {
  (void)positive_attr(context.attrs, "scale");
  if (!is_8bit(context.dtype(0))) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected int8 or uint8");
  }
  return {{DType::float32, context.shape(0)}};
}

Step lower_dequantize_int8(LowerContext& context) {
  const DType given = context.input(0).dtype;
  const float scale = positive_attr(context.attrs(), "scale");
  const std::int64_t count = context.input(0).shape.elements();
  const auto dequantize = kernels::select_dequantize(int8_type(given), context.target());
  Step step{.kernel = conversion_label("dequantize", given, context.target())};
  step.flops = static_cast<double>(count);
  step.run = [=](const RunContext& run) {
    parallel_for(count, kQuantizedGrain, [&](std::int64_t begin, std::int64_t end) {
      dequantize(run.input<std::byte>(0) + begin, run.output<float>(0) + begin, end - begin, scale);
    });
  };
  return step;
}

}  // namespace

std::vector<OpDef> int8_value_ops() {
  OpDef quantize{.name = "_mxinfer_quantize"};
  quantize.summary =
      "8-bit values of float32: data * scale, rounded to the nearest, halves to even, and limited to the "
      "dtype; scale is the number of steps in 1. Data of that dtype is handed on.";
  quantize.attrs = {number_attr("scale"), choice_attr("dtype", {"int8", "uint8"}, "int8")};
  quantize.infer = infer_quantize;
  quantize.lower = lower_quantize;

  OpDef dequantize{.name = "_mxinfer_dequantize"};
  dequantize.summary = "float32 of 8-bit values: data * scale; scale is the size of a step.";
  dequantize.attrs = {number_attr("scale")};
  dequantize.infer = infer_dequantize_int8;
  dequantize.lower = lower_dequantize_int8;

  std::vector<OpDef> ops{std::move(quantize), std::move(dequantize)};
  for (OpDef& op : ops) {
    op.traits.part = ModelPart::network;
    op.traits.keeps_shape = true;
    op.traits.per_sample = always_per_sample;
    op.traits.channels_last = elementwise_layout;
    op.unify = unify_first;
  }
  return ops;
}

}  // namespace mxinfer::ops
