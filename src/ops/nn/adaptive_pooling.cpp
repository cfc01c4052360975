// _contrib_AdaptiveAvgPooling2D: averages over as many windows as the output has elements.
#include <algorithm>

#include "base/fail.h"
#include "kernels/pool_nd/adaptive_pool.h"
#include "kernels/pool_nd/pool_nd.h"
#include "ops/common/axes.h"
#include "ops/common/through_float32.h"
#include "ops/layout/layout_rules.h"
#include "ops/nn/pooling.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kAdaptiveElements = 1 << 15;

std::vector<TensorType> infer_adaptive(const InferContext& context) {
  require_float(context.dtype(0));
  Shape shape = context.shape(0);
  if (shape.rank() != 4 || shape[2] == 0 || shape[3] == 0) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected (n, c, h, w)");
  }
  const auto size = context.attrs.tuple("output_size");
  if (size.size() > 2)
    fail(ErrorCode::malformed, "attribute output_size has ", size.size(), " entries; expected 1 or 2");
  for (std::int64_t each : size) {
    if (each < 1) fail(ErrorCode::malformed, "attribute output_size holds ", each, "; expected at least 1");
  }
  shape[2] = size.empty() ? 1 : size[0];
  shape[3] = size.empty() ? 1 : size.back();
  return {{context.dtype(0), shape}};
}

template <typename T>
Step lower_overlapping(LowerContext& context) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  kernels::AdaptivePoolArgs<T> args;
  args.height = in[2];
  args.width = in[3];
  args.out_height = out[2];
  args.out_width = out[3];
  const std::int64_t planes = in[0] * in[1];
  const std::int64_t grain = std::max<std::int64_t>(1, kAdaptiveElements / (in[2] * in[3]));
  Step step;
  step.kernel = concat("adaptive_avg_pool_ref_", to_string(context.input(0).dtype), " [ref]");
  step.reason = "windows overlap: the sizes do not divide";
  step.run = [=](const RunContext& run) {
    kernels::AdaptivePoolArgs<T> now = args;
    now.src = run.input<T>(0);
    now.dst = run.output<T>(0);
    parallel_for(planes, grain,
                 [&](std::int64_t begin, std::int64_t end) { kernels::adaptive_avg_pool(now, begin, end); });
  };
  return step;
}

Step lower_even(LowerContext& context) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  const kernels::PoolArgs args = even_pool_args(in, out);
  const auto kernel = kernels::select_pool(args, size_of(context.input(0).dtype), context.target());
  const std::int64_t tasks = kernel.tasks(args);
  const std::int64_t work = std::max<std::int64_t>(1, in.elements() / std::max<std::int64_t>(1, tasks));
  const std::int64_t grain = std::max<std::int64_t>(1, kAdaptiveElements / work);
  Step step;
  step.kernel = concat(kernel.name, " [", kernels::to_string(kernel.target), "]");
  step.reason = kernel.reason;
  step.run = [args, run = kernel.run, tasks, grain](const RunContext& at_run) {
    const void* src = at_run.inputs[0];
    void* dst = at_run.outputs[0];
    parallel_for(tasks, grain,
                 [&](std::int64_t begin, std::int64_t end) { run(args, src, dst, begin, end); });
  };
  return step;
}

Step lower_adaptive(LowerContext& context) {
  const Shape &in = context.input(0).shape, &out = context.output(0).shape;
  if (in[2] % out[2] == 0 && in[3] % out[3] == 0) return lower_even(context);
  return context.input(0).dtype == DType::float64 ? lower_overlapping<double>(context)
                                                  : lower_overlapping<float>(context);
}

// To one output a channel: the mean of the plane.
bool adaptive_average_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::vector<std::int64_t> size = rewriter.node(id).attrs.tuple("output_size");
  if (!rewriter.to_last() || rewriter.input_rank(id) != 4 ||
      std::any_of(size.begin(), size.end(), [](auto n) { return n != 1; }))
    return false;
  graph::Node& node = rewriter.node(id);
  node.op = find_op("Pooling");
  node.attrs = graph::parse_attrs(node.op->attrs, {{"global_pool", "True"}, {"pool_type", "avg"}});
  return node.op->traits.channels_last(rewriter, id);
}

}  // namespace

std::vector<OpDef> adaptive_pooling_ops() {
  OpDef op;
  op.name = "_contrib_AdaptiveAvgPooling2D";
  op.summary =
      "Averages over output_size windows that cover the plane evenly; without output_size, over the whole "
      "plane.";
  op.attrs = {graph::tuple_attr("output_size", "()")};
  op.infer = infer_adaptive;
  op.traits.output_rank = always_same_rank;
  op.traits.per_sample = always_per_sample;
  op.traits.channels_last = adaptive_average_layout;
  op.lower = lower_adaptive;
  return {through_float32(op)};
}

}  // namespace mxinfer::ops
