// _contrib_quantized_pooling, _contrib_quantized_act and _contrib_quantized_flatten, which keep the range of
// their data.
#include <algorithm>

#include "ops/quantized/elements.h"
#include "ops/quantized/int8_pooling.h"
#include "ops/registry.h"
#include "ops/unify.h"

namespace mxinfer::ops {

std::vector<OpDef> pooling_ops();  // the registry is not there yet when it asks for these operators

namespace {

std::vector<TensorType> expect_data(const InferContext& context) {
  expect_8bit(context, 0, "data");
  expect_ranges(context, 1, 2);
  return with_range(context.inputs[0]);
}

std::vector<TensorType> infer_pooling(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  (void)int8_pool_args(context.attrs, context.shape(0));
  const InferContext of_floats{context.attrs, {{DType::float32, context.shape(0)}}};
  outputs[0].shape = find_op("Pooling")->infer(of_floats)[0].shape;
  return outputs;
}

Step lower_pooling(LowerContext& context) {
  Step step = int8_pool_step(context, int8_pool_args(context.attrs(), context.input(0).shape));
  step.run = [pool = std::move(step.run)](const RunContext& run) {
    pool(run);
    write_range(run, 1, range_at(run, 1));
  };
  return step;
}

std::vector<TensorType> infer_act(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  if (context.attrs.choice("act_type") != "relu") {
    fail(ErrorCode::unsupported, "act_type=", context.attrs.choice("act_type"),
         " of 8-bit data: expected relu, the only one that MXNet computes");
  }
  outputs[0].dtype = DType::int8;
  return outputs;
}

/// MXNet hands the bytes of uint8 data on as int8.
Step lower_act(LowerContext& context) {
  const std::int64_t count = context.input(0).shape.elements();
  const bool is_signed = context.input(0).dtype == DType::int8;
  Step step{.kernel = ref_kernel("quantized_relu", context.input(0).dtype)};
  step.run = [=](const RunContext& run) {
    const auto* src = run.input<std::int8_t>(0);
    auto* dst = run.output<std::int8_t>(0);
    for (std::int64_t i = 0; i < count; ++i) dst[i] = is_signed ? std::max<std::int8_t>(src[i], 0) : src[i];
    write_range(run, 1, range_at(run, 1));
  };
  return step;
}

std::vector<TensorType> infer_flatten(const InferContext& context) {
  std::vector<TensorType> outputs = expect_data(context);
  outputs[0] = find_op("Flatten")->infer({context.attrs, {context.inputs[0]}})[0];
  return outputs;
}

Step lower_flatten(LowerContext& context) {
  Step step{.kernel = "alias", .reason = "the same elements under another shape"};
  context.alias(0, 0, 0);
  step.run = [](const RunContext& run) { write_range(run, 1, range_at(run, 1)); };
  return step;
}

OpDef op_on_data(std::string name, std::string summary, std::vector<AttrSpec> attrs) {
  OpDef op{.name = std::move(name), .summary = std::move(summary), .attrs = std::move(attrs)};
  op.inputs = named_ports({"data", "min_data", "max_data"});
  op.outputs = ports_with_range();
  return op;
}

}  // namespace

std::vector<OpDef> quantized_pooling_ops() {
  OpDef pool = op_on_data("_contrib_quantized_pooling",
                          "Pooling of 8-bit values, by max or avg; means are rounded to the nearest.",
                          pooling_ops().front().attrs);
  pool.traits.keeps_channels = true;
  pool.unify = unify_batch;
  pool.infer = infer_pooling;
  pool.lower = lower_pooling;

  OpDef act = op_on_data("_contrib_quantized_act", "max(q, 0) of int8 values q.",
                         {choice_attr("act_type", {"relu", "sigmoid", "softrelu", "softsign", "tanh"})});
  act.traits.keeps_shape = true;
  act.traits.channels_last = [](LayoutRewriter& rewriter, std::size_t id) {
    return values_layout(rewriter, id, 1);
  };
  act.unify = unify_first;
  act.infer = infer_act;
  act.lower = lower_act;

  OpDef flatten = op_on_data("_contrib_quantized_flatten", "Flatten of 8-bit values.", {});
  flatten.unify = unify_batch;
  flatten.infer = infer_flatten;
  flatten.lower = lower_flatten;
  return {std::move(pool), std::move(act), std::move(flatten)};
}

}  // namespace mxinfer::ops
