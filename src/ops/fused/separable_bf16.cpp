// _mxinfer_separable_bf16: what a pass makes of _mxinfer_separable_nhwc for precision bfloat16, on CPUs that
// multiply bfloat16 faster than float32. Data and residual are bfloat16, weights and biases the float32
// parameters that the model has, the output bfloat16 or, with `wide`, float32. The expanded values are
// float32, the filtered ones are rounded, whether the block is fused or its convolutions run one after
// another.
#include "kernels/elementwise/bfloat16.h"
#include "ops/common/post_op_inputs.h"
#include "ops/common/products.h"
#include "ops/fused/separable_block.h"
#include "ops/layout/channels_last.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvImpl;
using kernels::SeparableArgs;
using kernels::SeparableShape;

void expect_block_dtypes(const InferContext& context) {
  const std::size_t parameters = separable_ports(context.attrs).names.size();
  for (std::size_t i = 0; i < context.count(); ++i) {
    const DType expected = i >= 1 && i < parameters ? DType::float32 : DType::bfloat16;
    if (context.dtype(i) == expected) continue;
    fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ": expected ",
         to_string(expected));
  }
}

std::vector<TensorType> infer_separable_bf16(const InferContext& context) {
  expect_block_dtypes(context);
  const DType output = context.attrs.flag("wide") ? DType::float32 : DType::bfloat16;
  return {{output, infer_separable_shape(context)}};
}

SeparableShape bf16_shape(const LowerContext& context) {
  SeparableShape shape = separable_shape(context.attrs(), context.input(0).shape);
  shape.expand.type = shape.project.type = kernels::ConvType::bfloat16;
  set_task_hints(shape, context.threads());
  return shape;
}

/// Fixed, so that results do not depend on which of the two ways a number of threads leads to.
SeparableImpls impls_of(const LowerContext& context, const SeparableShape& shape) {
  const kernels::Target target = context.target();
  const char* reason = "";
  if (const ConvImpl* fast = kernels::conv_bf16_fast(target))
    return {*fast, kernels::conv_depthwise(target), *fast};
  return {kernels::select_conv(shape.expand, target, &reason),
          kernels::select_conv(shape.depthwise, target, &reason),
          kernels::select_conv(shape.project, target, &reason)};
}

SeparableArgs bf16_args(LowerContext& context, const SeparableShape& shape, const SeparableImpls& impls) {
  SeparableArgs args = separable_args(context, shape, impls);
  args.expand.dst_is_float32 = true;
  args.project.dst_is_float32 = context.attrs().flag("wide");
  return args;
}

Step fused_step(LowerContext& context, const SeparableShape& shape, const kernels::SeparableKernel& kernel) {
  const SeparableArgs args = bf16_args(context, shape, impls_of(context, shape));
  Step step{.kernel = labelled(kernel.name, context.target())};
  step.reason = "rows of the block's inner values stay in cache";
  step.thread_scratch_bytes = static_cast<std::size_t>(kernel.scratch_elements(shape)) * sizeof(float);
  step.run = [args, &kernel, residual = residual_input(context),
              tasks = kernel.tasks(shape)](const RunContext& run) {
    SeparableArgs a = args;
    a.src = run.inputs[0];
    a.project.dst = run.outputs[0];
    if (residual) a.project.residual = run.inputs[*residual];
    parallel_for(tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      kernel.run(a, begin, end, reinterpret_cast<float*>(run.my_scratch()));
    });
  };
  return step;
}

Step bf16_one_after_another(LowerContext& context, const SeparableShape& shape) {
  const SeparableImpls impls = impls_of(context, shape);
  const SeparableArgs args = bf16_args(context, shape, impls);
  const kernels::BFloat16Casts& casts = kernels::select_bfloat16_casts(context.target());
  const SeparableStage filter = convolution_stage(args.depthwise, impls.depthwise);
  std::vector<SeparableStage> stages;
  if (shape.expands) {
    stages.push_back(convolution_stage(args.expand, impls.expand));
  } else {
    stages.push_back({.cast = casts.to_float32, .elements = context.input(0).shape.elements()});
  }
  stages.push_back(filter);
  stages.push_back(
      {.cast = casts.from_float32, .elements = filter.elements, .element_bytes = sizeof(kernels::BFloat16)});
  stages.push_back(convolution_stage(args.project, impls.project));
  Step step = separable_stages_step(context, std::move(stages));
  step.reason = "one after another: too few rows for strips, or no fast instructions for bfloat16";
  return step;
}

Step lower_separable_bf16(LowerContext& context) {
  SeparableShape shape = bf16_shape(context);
  const kernels::SeparableKernel* kernel =
      kernels::select_separable_bf16(shape, context.target(), context.threads());
  Step step =
      kernel != nullptr ? fused_step(context, shape, *kernel) : bf16_one_after_another(context, shape);
  step.flops = separable_flops(shape);
  return step;
}

}  // namespace

std::vector<OpDef> separable_bf16() {
  OpDef op{.name = "_mxinfer_separable_bf16", .made_by_passes = true};
  op.summary = "Made by a pass: _mxinfer_separable_nhwc of bfloat16 data; with wide, its output is float32.";
  op.attrs = separable_attrs();
  op.attrs.push_back(flag_attr("wide", false));
  op.inputs = separable_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.per_sample = always_per_sample;
  op.infer = infer_separable_bf16;
  op.lower = lower_separable_bf16;
  op.unify = unify_batch;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
