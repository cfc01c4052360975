#include "ops/nn/convolution/convolution_step.h"

#include <algorithm>

#include "kernels/conv/conv.h"
#include "ops/common/post_op_inputs.h"
#include "ops/layout/channels_last.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

using graph::Node;
using graph::Value;

bool all_ones(const std::vector<std::int64_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n == 1; });
}

bool is_eligible(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  const Parameter* weight = rewriter.constant(id, 1);
  const std::size_t rank = node.attrs.tuple("kernel").size() + 2;
  return !has_channels_last(node.attrs) && weight != nullptr && weight->dtype() == DType::float32 &&
         weight->shape().rank() == rank && rank >= 3 && rank <= 5 && node.attrs.integer("num_group") > 0;
}

// Whether its kernel can read channels-first images, so that no transpose is needed.
bool can_read_planes(const LayoutRewriter& rewriter, const Node& node, std::size_t id) {
  const std::vector<std::int64_t> dilate = node.attrs.tuple("dilate");
  kernels::ConvProblem shape;
  shape.channels = rewriter.constant(id, 1)->shape()[1];
  shape.groups = node.attrs.integer("num_group");
  return node.attrs.tuple("kernel").size() < 3 && all_ones(dilate) && kernels::reads_nchw(shape);
}

void rewrite_channels_last(LayoutRewriter& rewriter, std::size_t id) {
  const auto rank = static_cast<std::int64_t>(rewriter.node(id).attrs.tuple("kernel").size()) + 2;
  const Value data = rewriter.node(id).inputs[0];
  const bool planes = !rewriter.is_moved(data) && can_read_planes(rewriter, rewriter.node(id), id);
  const Value read = planes ? data : rewriter.as_moved(data, rank);
  rewriter.node(id).inputs[0] = read;
  if (rewriter.node(id).post_ops.residual) {
    const Value residual = rewriter.as_moved(rewriter.node(id).inputs.back(), rank);
    rewriter.node(id).inputs.back() = residual;
  }
  Node& node = rewriter.node(id);
  node.op = find_op("_mxinfer_convolution_nhwc");
  node.attrs.set("planes", planes);
  node.attrs.set("border", false, false);
  node.attrs.set("adds_last", false, false);
  rewriter.mark_outputs_moved(id, rank);
}

/// A node with the attribute layout=NHWC becomes one of channels-first.
bool rewrite_channels_first(LayoutRewriter& rewriter, std::size_t id) {
  const Attrs& attrs = rewriter.node(id).attrs;
  const std::size_t spatial = attrs.tuple("kernel").size();
  if (spatial < 1 || spatial > 3 || !attrs.has("layout")) return false;
  if (attrs.choice("layout") != spatial_layout(spatial, true)) return false;
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  const Value data = rewriter.as_moved(rewriter.node(id).inputs[0], rank);
  const Value weight = rewriter.as_moved(rewriter.node(id).inputs[1], rank);
  Node& node = rewriter.node(id);
  node.inputs[0] = data;
  node.inputs[1] = weight;
  node.notes.push_back(
      concat(node.attrs.choice("layout"), " is computed as ", spatial_layout(spatial, false)));
  node.attrs.set("layout", std::string(spatial_layout(spatial, false)));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

}  // namespace

std::int64_t grain_of(std::int64_t tasks, double flops) {
  constexpr double kWorthwhile = 50e3;
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(static_cast<double>(tasks) * kWorthwhile / std::max(flops, 1.0)));
}

PortNames convolution_ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight"}};
  return {{"data", "weight", "bias"}};
}

OpDef convolution_op(std::string name, std::vector<AttrSpec> attrs, LayoutRule layout,
                     std::optional<Shape> (*input_shape)(const Attrs& attrs, const Shape& weight)) {
  OpDef op{.name = std::move(name), .attrs = std::move(attrs), .inputs = convolution_ports};
  op.traits = {.output_rank = always_same_rank,
               .per_sample = always_per_sample,
               .channels_last = layout,
               .begins_channels_last = true,
               .float16_on_gpus = true,
               .input_shape = input_shape};
  op.fuses_activation = true;
  op.unify = [input_shape](const Attrs& given, PartialShapes& inputs, PartialShapes& outputs) {
    unify_batch(given, inputs, outputs);
    unify_with_weight(input_shape, given, inputs);
  };
  return op;
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

namespace {

/// Weights that fit but for the channels of data are right: the data is not what the network takes.
/// `weight`: channels-first.
void expect_channels(const InferContext& context, const ConvParams& p, const Shape& data,
                     const Shape& weight) {
  if (weight.rank() != p.rank + 2) return;
  const std::int64_t channels = weight[1] * p.groups;
  if (channels == data[1] || weight != with_kernel(p.filters, weight[1], p)) return;
  const Shape given = in_layout(context.attrs, data);
  const bool last = has_channels_last(context.attrs);
  const std::size_t axis = last ? given.rank() - 1 : 1, other = last ? 1 : given.rank() - 1;
  std::string advice;
  if (given[other] == channels) {
    advice =
        concat("; dimension ", other, " has ", channels, ": is its layout ",
               last ? "channels-first" : "channels-last", "? Transpose it, or change the input's layout");
  }
  fail(ErrorCode::invalid_argument, "data has ", data[1], " channels (dimension ", axis, " of ",
       to_string(given), "): expected ", channels, ", as the weights ", to_string(context.shape(1)), " take",
       advice);
}

}  // namespace

void expect_conv_weights(const InferContext& context, const ConvParams& p, const Shape& data) {
  const bool last = has_channels_last(context.attrs);
  expect_channels(context, p, data, last ? to_channels_first(context.shape(1)) : context.shape(1));
  expect_shape(context, 1, "weight", in_layout(context.attrs, with_kernel(p.filters, data[1] / p.groups, p)),
               concat(last ? "num_filter, kernel, channels / num_group; data is "
                           : "num_filter, channels / num_group, kernel; data is ",
                      to_string(in_layout(context.attrs, data)), ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
}

namespace {

/// dst += residual, both dense.
void add_behind(const RunContext& run, std::size_t residual, std::int64_t elements) {
  parallel_for(elements, std::int64_t{1} << 14, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) run.output<float>(0)[i] += run.input<float>(residual)[i];
  });
}

}  // namespace

Step convolution_step(LowerContext& context, const kernels::ConvProblem& problem,
                      const kernels::ConvImpl& impl, const ConvExtras& extras) {
  kernels::ConvArgs args{.problem = problem, .post_ops = context.post_ops(), .src_stride = extras.src_stride};
  args.dst_stride = extras.dst_stride;
  args.dst_is_float32 = extras.dst_is_float32;
  const bool bias = !context.attrs().flag("no_bias");
  const std::optional<std::size_t> residual = residual_input(context);
  const std::optional<std::size_t> slopes = slopes_input(context, problem.filters);

  Step step{.kernel = labelled(impl.name, context.target())};
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
  const std::int64_t elements = context.output(0).shape.elements();
  if (extras.adds_last && (context.output(0).dtype != DType::float32 || context.output(0).row_stride != 0))
    fail(ErrorCode::internal, "a residual behind the activation is dense float32");
  step.run = [args, &impl, packs_at_run, bias, residual, slopes, extras, elements,
              tasks = impl.tasks(problem),
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
    if (residual && !extras.adds_last) a.residual = run.inputs[*residual];
    if (extras.border) a.border = run.input<float>(*extras.border);
    if (slopes) a.slopes = run.input<float>(*slopes);
    a.dst = run.outputs[0];
    parallel_for(tasks, grain, [&](auto begin, auto end) { impl.run(a, begin, end, run.my_scratch()); });
    if (residual && extras.adds_last) add_behind(run, *residual, elements);
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
    Implementation one{.name = impl.name, .reason = candidate.reason};
    if (impl.work != nullptr) one.work = impl.work(whole);
    if (impl.winograd) {
      const auto stored = static_cast<std::size_t>(whole.weight_elements()) * sizeof(float);
      one.bounded_bytes = impl.packed_bytes(whole);
      one.extra_weight_bytes = one.bounded_bytes - std::min(one.bounded_bytes, stored);
    }
    one.lower = [lower, &impl](LowerContext& context) { return lower(context, impl); };
    result.all.push_back(std::move(one));
  }
  for (const kernels::ConvRejection& rejection : kernels::conv_rejections(problem, target)) {
    Implementation one{.name = rejection.name, .rejects = rejection.reason};
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

bool deconvolution_layout(LayoutRewriter& rewriter, std::size_t id) {
  return !rewriter.to_last() && rewrite_channels_first(rewriter, id);
}

bool convolution_layout(LayoutRewriter& rewriter, std::size_t id) {
  if (!rewriter.to_last()) return rewrite_channels_first(rewriter, id);
  if (!is_eligible(rewriter, rewriter.node(id), id)) return false;
  rewrite_channels_last(rewriter, id);
  return true;
}

}  // namespace mxinfer::ops
