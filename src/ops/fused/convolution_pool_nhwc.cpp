// _mxinfer_convolution_pool_nhwc: what a pass makes of a network's first convolution and the max pooling
// behind it. If a kernel computes both, the convolution's outputs never leave the cache
// (kernels/conv/pool/conv_pool.h); else one runs after the other.

#include "kernels/conv/pool/conv_pool.h"
#include "kernels/pool_nd/pool_nd.h"
#include "ops/common/post_op_inputs.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/nn/kernel_args.h"

namespace mxinfer::ops {
namespace {

using kernels::ConvArgs;
using kernels::ConvImpl;
using kernels::ConvPoolShape;

ConvPoolShape with_windows(const Attrs& attrs, const kernels::ConvProblem& conv) {
  ConvPoolShape shape{.conv = conv, .kernel = spatial_attr(attrs, "pool_kernel", 2, 1, 1)};
  shape.stride = spatial_attr(attrs, "pool_stride", 2, 1, 1);
  shape.pad = spatial_attr(attrs, "pool_pad", 2, 0, 0);
  for (std::size_t d = 1; d < 3; ++d) {
    shape.output[d] = pool_windows(attrs.choice("pool_convention"), conv.output[d], shape.kernel[d],
                                   shape.stride[d], shape.pad[d]);
  }
  return shape;
}

std::vector<TensorType> infer_convolution_pool(const InferContext& context) {
  TensorType type = infer_conv_nhwc(context);
  if (type.shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(context.shape(0)),
         ": expected two spatial dimensions");
  }
  kernels::ConvProblem conv;
  conv.output = {1, type.shape[1], type.shape[2]};
  const ConvPoolShape shape = with_windows(context.attrs, conv);
  type.shape[1] = shape.output[1];
  type.shape[2] = shape.output[2];
  return {type};
}

struct Problem {
  ConvPoolShape shape;
  kernels::PoolArgs pool;  ///< what the windows are by themselves
};

Problem problem_of(const OpProblem& context) {
  const kernels::ConvProblem conv = conv_nhwc_problem(context);
  Problem problem{with_windows(context.attrs(), conv), {}};
  kernels::PoolArgs& pool = problem.pool;
  pool.planes = conv.batch;
  pool.inner = conv.filters;
  for (std::size_t d = 0; d < 3; ++d) {
    pool.in[d] = conv.output[d];
    pool.out[d] = problem.shape.output[d];
    pool.kernel[d] = problem.shape.kernel[d];
    pool.stride[d] = problem.shape.stride[d];
    pool.pad[d] = problem.shape.pad[d];
  }
  return problem;
}

kernels::PoolKernel pool_kernel(const OpProblem& context, const Problem& problem) {
  return kernels::select_pool(problem.pool, sizeof(float), context.target());
}

std::string two_names(const ConvImpl& impl, const kernels::PoolKernel& pool) {
  return concat(impl.name, ", ", pool.name);
}

kernels::Work work_of_both(const ConvImpl& impl, const Problem& problem) {
  kernels::ConvProblem conv = problem.shape.conv;
  conv.task_hint = 1;
  kernels::Work work = impl.work(conv);
  const kernels::PoolArgs& pool = problem.pool;
  const auto outputs = static_cast<double>(pool.planes * pool.out_plane());
  work.activation_bytes += sizeof(float) * (static_cast<double>(pool.planes * pool.in_plane()) + outputs);
  work.cache_bytes += sizeof(float) * outputs * static_cast<double>(kernels::volume(problem.shape.kernel));
  return work;
}

struct ConvInputs {
  bool bias;
  std::optional<std::size_t> border, slopes;

  explicit ConvInputs(const LowerContext& context)
      : bias(!context.attrs().flag("no_bias")),
        border(conv_nhwc_extras(context.attrs()).border),
        slopes(inner_slopes_input(context, 0, context.attrs().integer("num_filter"))) {}

  void set(const RunContext& run, ConvArgs& args) const {
    args.src = run.inputs[0];
    if (bias) args.bias = run.inputs[2];
    if (border) args.border = run.input<float>(*border);
    if (slopes) args.slopes = run.input<float>(*slopes);
  }
};

/// The convolution's arguments, but for what a run sets, with weights packed for `impl`.
ConvArgs packed_pool_args(LowerContext& context, const kernels::ConvProblem& problem, const ConvImpl& impl) {
  return {.problem = problem,
          .post_ops = inner_post_ops(context, 0),
          .weight = packed_conv_weight(context, 1, problem, impl)};
}

Step fused_pool_step(LowerContext& context, const Problem& problem) {
  const kernels::ConvPoolKernel& kernel =
      kernels::conv_pool_strips(problem.shape.conv.src_layout, context.target());
  kernels::ConvPoolArgs args;
  args.shape = problem.shape;
  args.conv = packed_pool_args(context, problem.shape.conv,
                               kernels::conv_strip(problem.shape.conv.src_layout, context.target()));
  // Where a piece begins, rows are computed that the one before has too: as few pieces as keep all threads
  // busy.
  const std::int64_t tasks = kernel.tasks(args.shape);
  const std::int64_t pieces = context.threads() == 1 ? 1 : 2 * context.threads();
  Step step{.kernel = labelled(kernel.name, context.target())};
  step.thread_scratch_bytes = static_cast<std::size_t>(kernel.scratch_elements(args.shape)) * sizeof(float);
  step.run = [args, &kernel, inputs = ConvInputs(context), tasks,
              grain = ceil_div(tasks, pieces)](const RunContext& run) {
    kernels::ConvPoolArgs a = args;
    inputs.set(run, a.conv);
    a.dst = run.output<float>(0);
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
      kernel.run(a, begin, end, reinterpret_cast<float*>(run.my_scratch()));
    });
  };
  return step;
}

Step convolution_then_pool_step(LowerContext& context, const Problem& problem, const ConvImpl& impl) {
  const kernels::PoolKernel pool = pool_kernel(context, problem);
  const ConvArgs args = packed_pool_args(context, problem.shape.conv, impl);
  const std::int64_t conv_tasks = impl.tasks(args.problem), pool_tasks = pool.tasks(problem.pool);
  Step step{.kernel = labelled(two_names(impl, pool), context.target())};
  step.scratch_bytes =
      static_cast<std::size_t>(problem.pool.planes * problem.pool.in_plane()) * sizeof(float);
  step.thread_scratch_bytes = impl.scratch_bytes(args.problem);
  step.run = [args, &impl, pool, windows = problem.pool, inputs = ConvInputs(context), conv_tasks,
              pool_tasks](const RunContext& run) {
    ConvArgs a = args;
    inputs.set(run, a);
    a.dst = run.scratch;
    parallel_for(conv_tasks, 1, [&](auto begin, auto end) { impl.run(a, begin, end, run.my_scratch()); });
    parallel_for(pool_tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      pool.run(windows, run.scratch, run.outputs[0], begin, end);
    });
  };
  return step;
}

double flops_of(const Problem& problem) {
  const ConvPoolShape& s = problem.shape;
  const auto sums = static_cast<double>(s.conv.batch * s.conv.filters * kernels::volume(s.conv.output));
  const auto outputs = static_cast<double>(problem.pool.planes * problem.pool.out_plane());
  return 2.0 * sums * static_cast<double>(s.conv.depth()) +
         outputs * static_cast<double>(kernels::volume(s.kernel));
}

Implementation one_kernel(const Problem& problem, kernels::Target target) {
  const kernels::ConvPoolKernel& kernel = kernels::conv_pool_strips(problem.shape.conv.src_layout, target);
  Implementation one;
  one.name = kernel.name;
  one.reason = "rows of the convolution stay in cache until they are pooled";
  one.work = kernel.work(problem.shape);
  one.lower = [problem](LowerContext& context) {
    Step step = fused_pool_step(context, problem);
    step.flops = flops_of(problem);
    return step;
  };
  return one;
}

Implementation two_kernels(const OpProblem& node, const Problem& problem, const ConvImpl& impl) {
  Implementation one;
  one.name = two_names(impl, pool_kernel(node, problem));
  one.reason = "running one after the other is cheaper than keeping rows of the convolution in cache";
  if (impl.work != nullptr) one.work = work_of_both(impl, problem);
  one.lower = [problem, &impl](LowerContext& context) {
    Step step = convolution_then_pool_step(context, problem, impl);
    step.flops = flops_of(problem);
    return step;
  };
  return one;
}

Implementations convolution_pool_implementations(const OpProblem& node) {
  const Problem problem = problem_of(node);
  Implementations result;
  if (node.target() == kernels::Target::ref) {
    result.all.push_back(two_kernels(node, problem, kernels::conv_ref(problem.shape.conv)));
    result.all.back().reason = "the reference kernels were requested";
    return result;
  }
  const ConvPoolShape& s = problem.shape;
  result.shape =
      describe(s.conv) + concat(", largest of ", s.kernel[1], " x ", s.kernel[2], ", stride ", s.stride[1],
                                " x ", s.stride[2], ", pad ", s.pad[1], " x ", s.pad[2]);
  result.all.push_back(one_kernel(problem, node.target()));
  for (const auto& candidate : kernels::conv_candidates(s.conv, node.target()))
    result.all.push_back(two_kernels(node, problem, *candidate.impl));
  return result;
}

}  // namespace

std::vector<OpDef> convolution_pool_nhwc() {
  OpDef op{.name = "_mxinfer_convolution_pool_nhwc", .made_by_passes = true};
  op.traits.per_sample = always_per_sample;
  op.traits.output_rank = always_same_rank;
  op.summary =
      "Made by a pass: _mxinfer_convolution_nhwc in two dimensions, with its post-ops, and max Pooling of "
      "its output.";
  op.attrs = conv_nhwc_attrs();
  op.attrs.insert(op.attrs.end(),
                  {tuple_attr("pool_kernel"), tuple_attr("pool_stride", "()"), tuple_attr("pool_pad", "()"),
                   choice_attr("pool_convention", {"full", "valid"}, "valid")});
  op.inputs = conv_nhwc_ports;
  op.infer = infer_convolution_pool;
  op.unify = unify_batch;
  op.implementations = convolution_pool_implementations;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
