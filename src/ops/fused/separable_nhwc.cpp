// _mxinfer_separable_nhwc: what a pass makes of a 1 x 1 convolution, one filter for each channel and another
// 1 x 1, one behind the other, as MobileNets are made of. If the shape allows it the values between them
// never leave the cache (kernels/conv/separable/separable.h); else the three run one after another.
#include "ops/common/post_op_inputs.h"
#include "ops/common/products.h"
#include "ops/fused/separable_block.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/convolution/conv_params.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvImpl;
using kernels::ConvProblem;
using kernels::SeparableArgs;
using kernels::SeparableShape;

std::vector<TensorType> infer_separable(const InferContext& context) {
  expect_float_inputs(context);
  return {{context.dtype(0), infer_separable_shape(context)}};
}

Step fused_separable_step(LowerContext& context, const SeparableShape& shape,
                          const kernels::SeparableKernel& kernel) {
  const ConvImpl& pointwise = kernels::conv_direct(context.target());
  SeparableArgs args =
      separable_args(context, shape, {pointwise, kernels::conv_depthwise(context.target()), pointwise});
  (shape.expands ? args.expand : args.depthwise).src_stride = context.input(0).row_stride;
  args.project.dst_stride = context.output(0).row_stride;
  Step step{.kernel = labelled(kernel.name, context.target())};
  step.reason = "rows of the block's inner values stay in cache";
  step.thread_scratch_bytes = static_cast<std::size_t>(kernel.scratch_elements(shape)) * sizeof(float);
  step.run = [args, &kernel, residual = residual_input(context),
              tasks = kernel.tasks(shape)](const RunContext& run) {
    SeparableArgs a = args;
    a.src = run.input<float>(0);
    a.project.dst = run.output<float>(0);
    if (residual) a.project.residual = run.input<float>(*residual);
    parallel_for(tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      kernel.run(a, begin, end, reinterpret_cast<float*>(run.my_scratch()));
    });
  };
  return step;
}

Step one_after_another(LowerContext& context, SeparableShape shape) {
  set_task_hints(shape, context.threads());
  const auto select = [&](const ConvProblem& problem) -> const ConvImpl& {
    const char* reason = "";
    return kernels::select_conv(problem, context.target(), &reason);
  };
  const SeparableImpls impls{select(shape.expand), select(shape.depthwise), select(shape.project)};
  const SeparableArgs args = separable_args(context, shape, impls);
  std::vector<SeparableStage> stages;
  if (shape.expands) stages.push_back(convolution_stage(args.expand, impls.expand));
  stages.push_back(convolution_stage(args.depthwise, impls.depthwise));
  stages.push_back(convolution_stage(args.project, impls.project));
  stages.front().args.src_stride = context.input(0).row_stride;
  stages.back().args.dst_stride = context.output(0).row_stride;
  Step step = separable_stages_step(context, std::move(stages));
  step.reason = "one after another: too few rows for strips, or the reference kernel was requested";
  return step;
}

Step lower_separable(LowerContext& context) {
  SeparableShape shape = separable_shape(context.attrs(), context.input(0).shape);
  const kernels::SeparableKernel* kernel =
      kernels::select_separable(shape, context.target(), context.threads());
  Step step =
      kernel != nullptr ? fused_separable_step(context, shape, *kernel) : one_after_another(context, shape);
  step.flops = separable_flops(shape);
  return step;
}

}  // namespace

std::vector<OpDef> separable_nhwc() {
  return {{.name = "_mxinfer_separable_nhwc",
           .summary =
               "Made by a pass: Convolution 1 x 1 (unless expand_filters is 0), Convolution with one filter "
               "for each channel, Convolution 1 x 1, each with its post-ops, on channels-last data.",
           .attrs = separable_attrs(),
           .inputs = separable_ports,
           .traits = {.output_rank = always_same_rank,
                      .per_sample = always_per_sample,
                      .strided_input = strided_float32,
                      .strided_output = strided_float32},
           .made_by_passes = true,
           .fuses_activation = true,
           .fuses_residual = true,
           .infer = infer_separable,
           .lower = lower_separable,
           .unify = unify_batch}};
}

}  // namespace mxinfer::ops
