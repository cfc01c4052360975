#include "ops/nn/convolution/pointwise_convolution.h"

#include <cstddef>
#include <optional>

#include "kernels/gemm/gemm_packed.h"
#include "ops/fused/post_op_inputs.h"
#include "ops/nn/packed_products.h"

namespace mxinfer::ops {
namespace {

using kernels::volume;

struct PointwiseConvolution {
  PackedGemms gemms;  ///< one for each group of each image
  std::int64_t groups = 1;
  std::optional<std::size_t> residual{};
  bool bias = false;

  void operator()(const RunContext& run) const {
    const kernels::GemmPackedArgs& sizes = gemms.args;
    gemms.run(reinterpret_cast<float*>(run.scratch), [&](std::int64_t i, auto& pack, auto& args) {
      const std::int64_t dst = i * sizes.rows * sizes.columns;
      pack.b = run.input<float>(0) + i * sizes.depth * sizes.columns;
      args.a = run.input<float>(1) + i % groups * sizes.rows * sizes.depth;
      if (bias) args.row_bias = run.input<float>(2) + i % groups * sizes.rows;
      if (residual) args.residual = run.input<float>(*residual) + dst;
      args.dst = run.output<float>(0) + dst;
    });
  }
};

PackedGemms gemms_of(const kernels::ConvProblem& problem, kernels::Target target) {
  PackedGemms gemms;
  gemms.kernel = &kernels::select_gemm_packed(target);
  gemms.count = problem.batch * problem.groups;
  kernels::GemmPackedArgs& args = gemms.args;
  args.rows = problem.group_filters();
  args.columns = volume(problem.output);
  args.depth = args.a_stride = problem.group_channels();
  args.dst_stride = args.residual_stride = args.columns;
  args.task_hint = ceil_div(problem.task_hint, gemms.count);
  gemms.pack.columns = gemms.pack.stride = args.columns;
  gemms.pack.depth = args.depth;
  return gemms;
}

}  // namespace

bool is_pointwise_gemm(const LowerContext& context, const kernels::ConvProblem& problem) {
  // With fewer, the copies that a channels-last convolution needs are small beside half-empty vectors.
  constexpr std::int64_t kLeastPositions = 16;
  constexpr kernels::Spatial kOne{1, 1, 1}, kNone{0, 0, 0};
  return context.target() != kernels::Target::ref && problem.type == kernels::ConvType::float32 &&
         problem.kernel == kOne && problem.stride == kOne && problem.pad == kNone &&
         volume(problem.output) >= kLeastPositions &&
         context.post_ops().activation != graph::Activation::prelu;
}

Step pointwise_gemm_step(LowerContext& context, const kernels::ConvProblem& problem) {
  PointwiseConvolution convolution{gemms_of(problem, context.target()), problem.groups,
                                   residual_input(context)};
  convolution.gemms.args.post_ops = context.post_ops();
  convolution.bias = !context.attrs().flag("no_bias");
  Step step;
  step.kernel = concat(convolution.gemms.kernel->name, " [", kernels::to_string(context.target()), "]");
  step.reason = "a GEMM of the weights and each image as they are stored";
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(problem.depth());
  step.scratch_bytes = convolution.gemms.scratch_bytes();
  step.run = convolution;
  return step;
}

}  // namespace mxinfer::ops
