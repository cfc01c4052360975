#include "ops/fused/separable_block.h"

#include <algorithm>

#include "ops/common/post_op_inputs.h"
#include "ops/common/products.h"
#include "ops/common/scratch_layout.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvArgs;
using kernels::ConvImpl;
using kernels::ConvProblem;
using kernels::SeparableShape;
using PartInput = SeparableInputs::Part;

bool expands(const Attrs& attrs) {
  return attrs.integer("expand_filters") > 0;
}

constexpr const char* kParts[] = {"expand", "depthwise", "project"};

ConvProblem pointwise(std::int64_t batch, std::int64_t channels, std::int64_t filters,
                      const kernels::Spatial& size) {
  ConvProblem shape{.batch = batch, .channels = channels, .filters = filters};
  shape.input = shape.output = size;
  return shape;
}

void expect_weights(const InferContext& context, const PartInput& inputs, const char* name,
                    const ConvProblem& s) {
  expect_shape(context, inputs.weight, name, Shape{s.filters, s.group_channels(), s.kernel[1], s.kernel[2]},
               concat("filters, channels / groups, kernel of a part of this block; data is ",
                      to_string(context.shape(0))));
  expect_shape(context, inputs.bias, "bias", Shape{s.filters}, "num_filter");
}

double conv_flops(const ConvProblem& s) {
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
                               const PartInput& inputs, const PartPostOps& part) {
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

void run_stage(const SeparableStage& stage, const RunContext& run, const void* src, void* dst,
               const void* residual) {
  if (stage.impl == nullptr) {
    constexpr std::int64_t kGrain = std::int64_t{1} << 14;
    const std::size_t read = stage.element_bytes == sizeof(float) ? sizeof(kernels::BFloat16) : sizeof(float);
    parallel_for(stage.elements, kGrain, [&](std::int64_t begin, std::int64_t end) {
      const auto first = static_cast<std::size_t>(begin);
      stage.cast(static_cast<const std::byte*>(src) + first * read,
                 static_cast<std::byte*>(dst) + first * stage.element_bytes, end - begin);
    });
    return;
  }
  ConvArgs args = stage.args;
  args.src = src;
  args.dst = dst;
  args.residual = residual;
  parallel_for(stage.impl->tasks(args.problem), 1, [&](std::int64_t begin, std::int64_t end) {
    stage.impl->run(args, begin, end, run.my_scratch());
  });
}

}  // namespace

SeparableInputs::SeparableInputs(const Attrs& attrs) {
  std::size_t next = 1;
  const auto take = [&] {
    const Part inputs{next, next + 1};
    next += 2;
    return inputs;
  };
  if (expands(attrs)) expand = take();
  depthwise = take();
  project = take();
}

std::vector<AttrSpec> separable_attrs() {
  return {tuple_attr("kernel"), tuple_attr("stride", "()"), tuple_attr("pad", "()"),
          integer_attr("num_filter").at_least(1), integer_attr("expand_filters", 0).at_least(0)};
}

PortNames separable_ports(const Attrs& attrs) {
  PortNames names{{"data"}};
  for (const std::string part : kParts) {
    if (part == "expand" && !expands(attrs)) continue;
    names.names.insert(names.names.end(), {part + "_weight", part + "_bias"});
  }
  return names;
}

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

Shape infer_separable_shape(const InferContext& context) {
  const SeparableShape shape = separable_shape(context.attrs, context.shape(0));
  const SeparableInputs inputs(context.attrs);
  if (shape.expands) expect_weights(context, inputs.expand, "expand_weight", shape.expand);
  expect_weights(context, inputs.depthwise, "depthwise_weight", shape.depthwise);
  expect_weights(context, inputs.project, "project_weight", shape.project);
  const ConvProblem& last = shape.project;
  return {last.batch, last.output[1], last.output[2], last.filters};
}

double separable_flops(const SeparableShape& shape) {
  const double flops = conv_flops(shape.depthwise) + conv_flops(shape.project);
  return shape.expands ? flops + conv_flops(shape.expand) : flops;
}

kernels::SeparableArgs separable_args(LowerContext& context, const SeparableShape& shape,
                                      const SeparableImpls& impls) {
  const SeparableInputs inputs(context.attrs());
  kernels::SeparableArgs args;
  args.shape = shape;
  if (shape.expands) {
    args.expand = packed_separable_args(context, shape.expand, impls.expand, inputs.expand,
                                        inner_part(context, 0, shape.expand));
  }
  args.depthwise = packed_separable_args(context, shape.depthwise, impls.depthwise, inputs.depthwise,
                                         inner_part(context, shape.expands ? 1 : 0, shape.depthwise));
  args.project = packed_separable_args(context, shape.project, impls.project, inputs.project,
                                       last_part(context, shape.project));
  return args;
}

SeparableStage convolution_stage(const ConvArgs& args, const ConvImpl& impl) {
  const ConvProblem& s = args.problem;
  return {.impl = &impl, .args = args, .elements = s.batch * s.filters * kernels::volume(s.output)};
}

void set_task_hints(SeparableShape& shape, int threads) {
  for (ConvProblem* problem : {&shape.expand, &shape.depthwise, &shape.project})
    problem->task_hint = task_hint(threads);
}

Step separable_stages_step(LowerContext& context, std::vector<SeparableStage> stages) {
  ScratchLayout layout;
  std::vector<std::size_t> between;
  std::string names;
  Step step;
  for (const SeparableStage& stage : stages) {
    const auto bytes = static_cast<std::int64_t>(stage.element_bytes);
    if (&stage != &stages.back()) between.push_back(layout.take<std::byte>(stage.elements * bytes));
    if (stage.impl == nullptr) continue;
    names += (names.empty() ? "" : ", ") + std::string(stage.impl->name);
    step.thread_scratch_bytes =
        std::max(step.thread_scratch_bytes, stage.impl->scratch_bytes(stage.args.problem));
  }
  step.kernel = labelled(names, context.target());
  step.scratch_bytes = layout.bytes();
  step.run = [stages = std::move(stages), between,
              residual = residual_input(context)](const RunContext& run) {
    const void* src = run.inputs[0];
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const bool last = i + 1 == stages.size();
      void* dst = last ? run.outputs[0] : run.scratch + between[i];
      run_stage(stages[i], run, src, dst, last && residual ? run.inputs[*residual] : nullptr);
      src = dst;
    }
  };
  return step;
}

}  // namespace mxinfer::ops
