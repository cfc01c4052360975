#include "ops/nn/convolution/convolution_step.h"

#include <algorithm>

#include "base/fail.h"
#include "ops/fused/post_op_inputs.h"
#include "ops/nn/convolution/packed_conv_weight.h"

namespace mxinfer::ops {

std::int64_t grain_of(std::int64_t tasks, double flops) {
  constexpr double kWorthwhile = 50e3;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(tasks) * kWorthwhile / std::max(flops, 1.0)));
}

PortNames convolution_ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight"}};
  return {{"data", "weight", "bias"}};
}

kernels::Spatial conv_output(const ConvParams& p) {
  kernels::Spatial output{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t padded = p.input[i] + 2 * p.pad[i];
    if (p.reach(i) > padded) {
      fail(ErrorCode::invalid_argument, "the kernel covers ", p.reach(i), " elements of spatial dimension ",
           i + p.rank - 3, ", data has ", p.input[i], " and ", 2 * p.pad[i], " of padding");
    }
    output[i] = (padded - p.reach(i)) / p.stride[i] + 1;
  }
  return output;
}

kernels::ConvProblem conv_problem(const Attrs& attrs, const Shape& data, int threads) {
  const ConvParams p = conv_params(attrs, data);
  kernels::ConvProblem problem = to_conv_problem(p, data, threads);
  problem.output = conv_output(p);
  return problem;
}

void expect_conv_weights(const InferContext& context, const ConvParams& p, const Shape& data) {
  const bool last = has_channels_last(context.attrs);
  expect_shape(context, 1, "weight", in_layout(context.attrs, with_kernel(p.filters, data[1] / p.groups, p)),
               concat(last ? "num_filter, kernel, channels / num_group; data is "
                           : "num_filter, channels / num_group, kernel; data is ",
                      to_string(in_layout(context.attrs, data)), ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
}

Step convolution_step(LowerContext& context, const kernels::ConvProblem& problem,
                      const kernels::ConvImpl& impl, const ConvExtras& extras) {
  kernels::ConvArgs args;
  args.problem = problem;
  args.post_ops = context.post_ops();
  args.src_stride = extras.src_stride;
  args.dst_stride = extras.dst_stride;
  args.dst_is_float32 = extras.dst_is_float32;
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);
  const std::optional<std::size_t> slopes = slopes_input(context, problem.filters);

  Step step;
  step.kernel = concat(impl.name, " [", kernels::to_string(context.target()), "]");
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(problem.depth());
  step.thread_scratch_bytes = impl.scratch_bytes(problem);
  const bool packs_at_run = impl.packing != nullptr && !context.is_constant(1);
  if (packs_at_run) {
    step.scratch_bytes = impl.packed_bytes(problem);
    step.reason = "weights are computed, and packed at every run; ";
  } else if (impl.packing != nullptr) {
    args.weight = packed_conv_weight(context, 1, problem, impl);
  }
  step.run = [args, &impl, packs_at_run, bias, residual, slopes, extras, tasks = impl.tasks(problem),
              grain = grain_of(impl.tasks(problem), step.flops)](const RunContext& run) {
    kernels::ConvArgs a = args;
    a.src = run.inputs[0];
    if (packs_at_run) {
      impl.pack(a.problem, run.input<float>(1), run.scratch);
      a.weight = run.scratch;
    } else if (a.weight == nullptr) {
      a.weight = run.inputs[1];
    }
    if (bias) a.bias = run.inputs[2];
    if (residual) a.residual = run.inputs[*residual];
    if (extras.border) a.border = run.input<float>(*extras.border);
    if (slopes) a.slopes = run.input<float>(*slopes);
    a.dst = run.outputs[0];
    parallel_for(tasks, grain,
                 [&](std::int64_t begin, std::int64_t end) { impl.run(a, begin, end, run.my_scratch()); });
  };
  return step;
}

Implementations conv_implementations(const kernels::ConvProblem& problem, kernels::Target target,
                                     const ConvLower& lower) {
  Implementations result{describe(problem), {}};
  kernels::ConvProblem whole = problem;
  whole.task_hint = 1;  // the choice must not depend on the number of threads
  for (const kernels::ConvCandidate& candidate : kernels::conv_candidates(problem, target)) {
    const kernels::ConvImpl& impl = *candidate.impl;
    Implementation one;
    one.name = impl.name;
    one.reason = candidate.reason;
    if (impl.work != nullptr) one.work = impl.work(whole);
    if (impl.winograd) one.bounded_bytes = impl.packed_bytes(whole);
    one.lower = [lower, &impl](LowerContext& context) { return lower(context, impl); };
    result.all.push_back(std::move(one));
  }
  for (const kernels::ConvRejection& rejection : kernels::conv_rejections(problem, target)) {
    Implementation one;
    one.name = rejection.name;
    one.rejects = rejection.reason;
    result.all.push_back(std::move(one));
  }
  return result;
}

std::string describe(const kernels::ConvProblem& s) {
  const auto sizes = [](const kernels::Spatial& v) {
    return (v[0] == 1 ? "" : concat(v[0], " x ")) + concat(v[1], " x ", v[2]);
  };
  std::string text = s.type == kernels::ConvType::bfloat16 ? "bfloat16, " : "";
  text += concat(s.batch, " x ", s.channels, " x ", sizes(s.input), ", ", s.filters, " filters ",
                 sizes(s.kernel));
  if (s.stride != kernels::Spatial{1, 1, 1}) text += ", stride " + sizes(s.stride);
  if (s.pad != kernels::Spatial{0, 0, 0})
    text += concat(", pad ", s.pad[0], " x ", s.pad[1], " x ", s.pad[2]);
  if (s.dilate != kernels::Spatial{1, 1, 1}) text += ", dilate " + sizes(s.dilate);
  if (s.groups > 1) text += concat(", groups ", s.groups);
  if (s.src_layout == kernels::SrcLayout::nchw) text += ", from planes";
  return text;
}

}  // namespace mxinfer::ops
