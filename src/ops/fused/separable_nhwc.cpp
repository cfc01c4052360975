// _mxinfer_separable_nhwc: what a pass makes of a 1 x 1 convolution, one filter for each channel and another
// 1 x 1, one behind the other, as MobileNets are made of. If the shape allows it the values between them
// never leave the cache (kernels/conv/separable/separable.h); else the three run one after another.
#include <algorithm>

#include "kernels/conv/separable/separable.h"
#include "ops/common/post_op_inputs.h"
#include "ops/common/products.h"
#include "ops/common/scratch_layout.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvArgs;
using kernels::ConvImpl;
using kernels::ConvProblem;
using kernels::SeparableArgs;
using kernels::SeparableShape;

bool expands(const Attrs& attrs) {
  return attrs.integer("expand_filters") > 0;
}

constexpr const char* kParts[] = {"expand", "depthwise", "project"};

PortNames separable_ports(const Attrs& attrs) {
  PortNames names{{"data"}};
  for (const std::string part : kParts) {
    if (part == "expand" && !expands(attrs)) continue;
    names.names.insert(names.names.end(), {part + "_weight", part + "_bias"});
  }
  return names;
}

struct PartInputs {
  std::size_t weight, bias;
};

struct Inputs {
  PartInputs expand{}, depthwise{}, project{};
  explicit Inputs(const Attrs& attrs) {
    std::size_t next = 1;
    const auto take = [&] {
      const PartInputs inputs{next, next + 1};
      next += 2;
      return inputs;
    };
    if (expands(attrs)) expand = take();
    depthwise = take();
    project = take();
  }
};

ConvProblem pointwise(std::int64_t batch, std::int64_t channels, std::int64_t filters,
                      const kernels::Spatial& size) {
  ConvProblem shape{.batch = batch, .channels = channels, .filters = filters};
  shape.input = shape.output = size;
  return shape;
}

/// Data is (N, H, W, C).
SeparableShape separable_shape(const Attrs& attrs, const Shape& data) {
  if (data.rank() != 4) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data),
         ": expected 4 dimensions (N, H, W, C)");
  }
  SeparableShape shape;
  shape.expands = expands(attrs);
  const kernels::Spatial size{1, data[1], data[2]};
  const std::int64_t channels = shape.expands ? attrs.integer("expand_filters") : data[3];
  shape.expand = pointwise(data[0], data[3], channels, size);
  shape.depthwise = shape.expand;
  ConvProblem& filter = shape.depthwise;
  filter.channels = filter.filters = filter.groups = channels;
  filter.kernel = spatial_attr(attrs, "kernel", 2, 1, 1);
  filter.stride = spatial_attr(attrs, "stride", 2, 1, 1);
  filter.pad = spatial_attr(attrs, "pad", 2, 0, 0);
  for (std::size_t i = 1; i < 3; ++i) {
    const std::int64_t padded = filter.input[i] + 2 * filter.pad[i];
    if (filter.kernel[i] > padded) {
      fail(ErrorCode::invalid_argument, "the kernel covers ", filter.kernel[i],
           " elements of spatial dimension ", i - 1, ", data has ", filter.input[i], " and ",
           2 * filter.pad[i], " of padding");
    }
    filter.output[i] = (padded - filter.kernel[i]) / filter.stride[i] + 1;
  }
  shape.project = pointwise(data[0], channels, attrs.integer("num_filter"), filter.output);
  return shape;
}

void expect_weights(const InferContext& context, const PartInputs& inputs, const char* name,
                    const ConvProblem& s) {
  expect_shape(context, inputs.weight, name, Shape{s.filters, s.group_channels(), s.kernel[1], s.kernel[2]},
               concat("filters, channels / groups, kernel of a part of this block; data is ",
                      to_string(context.shape(0))));
  expect_shape(context, inputs.bias, "bias", Shape{s.filters}, "num_filter");
}

std::vector<TensorType> infer_separable(const InferContext& context) {
  expect_float_inputs(context);
  const SeparableShape shape = separable_shape(context.attrs, context.shape(0));
  const Inputs inputs(context.attrs);
  if (shape.expands) expect_weights(context, inputs.expand, "expand_weight", shape.expand);
  expect_weights(context, inputs.depthwise, "depthwise_weight", shape.depthwise);
  expect_weights(context, inputs.project, "project_weight", shape.project);
  const ConvProblem& last = shape.project;
  return {{context.dtype(0), Shape{last.batch, last.output[1], last.output[2], last.filters}}};
}

double separable_flops(const ConvProblem& s) {
  return 2.0 * static_cast<double>(s.batch * s.filters * kernels::volume(s.output) * s.depth());
}

/// What follows one of the convolutions, and the input that holds its slopes.
struct PartPostOps {
  kernels::PostOps post_ops;
  std::optional<std::size_t> slopes;
};

/// Of expand and depthwise, or depthwise alone.
PartPostOps inner_part(const LowerContext& context, std::size_t k, const ConvProblem& problem) {
  return {inner_post_ops(context, k), inner_slopes_input(context, k, problem.filters)};
}
PartPostOps last_part(const LowerContext& context, const ConvProblem& problem) {
  return {context.post_ops(), slopes_input(context, problem.filters)};
}

/// The arguments of one of the convolutions, its weights packed for `impl`.
ConvArgs packed_separable_args(LowerContext& context, const ConvProblem& problem, const ConvImpl& impl,
                               const PartInputs& inputs, const PartPostOps& part) {
  ConvArgs args{.problem = problem, .post_ops = part.post_ops};
  const Tensor* bias = context.constant(inputs.bias);
  const Tensor* slopes = part.slopes ? context.constant(*part.slopes) : nullptr;
  if (bias == nullptr || (part.slopes && slopes == nullptr))
    fail(ErrorCode::internal, "weights are not parameters");
  args.bias = bias->raw();
  if (slopes != nullptr) args.slopes = slopes->data<float>();
  args.weight = packed_conv_weight(context, inputs.weight, problem, impl);
  return args;
}

Step fused_separable_step(LowerContext& context, const SeparableShape& shape,
                          const kernels::SeparableKernel& kernel) {
  const Inputs inputs(context.attrs());
  const ConvImpl& pointwise = kernels::conv_direct(context.target());
  SeparableArgs args;
  args.shape = shape;
  if (shape.expands) {
    args.expand = packed_separable_args(context, shape.expand, pointwise, inputs.expand,
                                        inner_part(context, 0, shape.expand));
  }
  args.depthwise =
      packed_separable_args(context, shape.depthwise, kernels::conv_depthwise(context.target()),
                            inputs.depthwise, inner_part(context, shape.expands ? 1 : 0, shape.depthwise));
  args.project = packed_separable_args(context, shape.project, pointwise, inputs.project,
                                       last_part(context, shape.project));
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

struct SeparablePart {
  const ConvImpl* impl;
  ConvArgs args;
};

/// What lowering gathers of the parts that run one after another.
class Parts {
 public:
  explicit Parts(LowerContext& context) : context_(context) {}

  void add(ConvProblem problem, const PartInputs& inputs, const PartPostOps& part) {
    const char* reason = "";
    problem.task_hint = task_hint(context_.threads());
    const ConvImpl& impl = kernels::select_conv(problem, context_.target(), &reason);
    parts.push_back({&impl, packed_separable_args(context_, problem, impl, inputs, part)});
    names += (names.empty() ? "" : ", ") + std::string(impl.name);
    scratch = std::max(scratch, impl.scratch_bytes(problem));
  }

  std::vector<SeparablePart> parts;
  std::string names;
  std::size_t scratch = 0;

 private:
  LowerContext& context_;
};

Step depthwise_then_pointwise_step(LowerContext& context, const SeparableShape& shape) {
  const Inputs inputs(context.attrs());
  Parts gathered(context);
  if (shape.expands) gathered.add(shape.expand, inputs.expand, inner_part(context, 0, shape.expand));
  gathered.add(shape.depthwise, inputs.depthwise,
               inner_part(context, shape.expands ? 1 : 0, shape.depthwise));
  gathered.add(shape.project, inputs.project, last_part(context, shape.project));
  gathered.parts.front().args.src_stride = context.input(0).row_stride;
  gathered.parts.back().args.dst_stride = context.output(0).row_stride;

  ScratchLayout layout;
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i + 1 < gathered.parts.size(); ++i) {
    const ConvProblem& s = gathered.parts[i].args.problem;
    between.push_back(layout.take<float>(s.batch * s.filters * kernels::volume(s.output)));
  }
  Step step{.kernel = labelled(gathered.names, context.target())};
  step.reason = "one after another: too few rows for strips, or the reference kernel was requested";
  step.scratch_bytes = layout.bytes();
  step.thread_scratch_bytes = gathered.scratch;
  step.run = [parts = std::move(gathered.parts), between,
              residual = residual_input(context)](const RunContext& run) {
    const void* src = run.inputs[0];
    for (std::size_t i = 0; i < parts.size(); ++i) {
      ConvArgs args = parts[i].args;
      const bool last = i + 1 == parts.size();
      args.src = src;
      args.dst = last ? run.outputs[0] : run.scratch + between[i];
      if (last && residual) args.residual = run.input<float>(*residual);
      parallel_for(parts[i].impl->tasks(args.problem), 1, [&](std::int64_t begin, std::int64_t end) {
        parts[i].impl->run(args, begin, end, run.my_scratch());
      });
      src = args.dst;
    }
  };
  return step;
}

Step lower_separable(LowerContext& context) {
  SeparableShape shape = separable_shape(context.attrs(), context.input(0).shape);
  const kernels::SeparableKernel* kernel =
      kernels::select_separable(shape, context.target(), context.threads());
  Step step = kernel != nullptr ? fused_separable_step(context, shape, *kernel)
                                : depthwise_then_pointwise_step(context, shape);
  step.flops = separable_flops(shape.depthwise) + separable_flops(shape.project);
  if (shape.expands) step.flops += separable_flops(shape.expand);
  return step;
}

}  // namespace

std::vector<OpDef> separable_nhwc() {
  return {{.name = "_mxinfer_separable_nhwc",
           .summary =
               "Made by a pass: Convolution 1 x 1 (unless expand_filters is 0), Convolution with one filter "
               "for each channel, Convolution 1 x 1, each with its post-ops, on channels-last data.",
           .attrs = {tuple_attr("kernel"), tuple_attr("stride", "()"), tuple_attr("pad", "()"),
                     integer_attr("num_filter").at_least(1), integer_attr("expand_filters", 0).at_least(0)},
           .inputs = separable_ports,
           .traits = {.output_rank = always_same_rank,
                      .per_sample = always_per_sample,
                      .strided_input = always_strided,
                      .strided_output = always_strided},
           .made_by_passes = true,
           .fuses_activation = true,
           .fuses_residual = true,
           .infer = infer_separable,
           .lower = lower_separable,
           .unify = unify_batch}};
}

}  // namespace mxinfer::ops
