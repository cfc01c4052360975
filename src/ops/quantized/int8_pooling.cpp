// _mxinfer_pooling_int8.
#include "ops/quantized/int8_pooling.h"

#include <algorithm>

#include "kernels/int8/int8_pool.h"
#include "ops/layout/channels_last.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/quantized/elements.h"
#include "ops/unify.h"

namespace mxinfer::ops {

std::vector<OpDef> pooling_ops();  // the registry is not there yet when it asks for these operators

namespace {

kernels::PoolArgs args_in_order(const Attrs& attrs, const Shape& shape) {
  return attrs.flag("channels_last") ? int8_pool_args_last(attrs, shape) : int8_pool_args(attrs, shape);
}

std::vector<TensorType> infer_pooling_int8(const InferContext& context) {
  if (!is_8bit(context.dtype(0))) {
    fail(ErrorCode::invalid_argument, "data is ", to_string(context.inputs[0]), "; expected int8 or uint8");
  }
  const kernels::PoolArgs args = args_in_order(context.attrs, context.shape(0));
  Shape shape = context.shape(0);
  const std::size_t spatial = shape.rank() - 2, first = context.attrs.flag("channels_last") ? 1 : 2;
  for (std::size_t i = 0; i < spatial; ++i) shape[first + i] = args.out[3 - spatial + i];
  return {{context.dtype(0), shape}};
}

Step lower_pooling_int8(LowerContext& context) {
  return int8_pool_step(context, int8_pool_args(context));
}

/// LayoutRule: to channels-last.
bool pooling_int8_layout(LayoutRewriter& rewriter, std::size_t id) {
  if (!rewriter.to_last() || rewriter.node(id).attrs.flag("channels_last")) return false;
  rewriter.node(id).attrs.set("channels_last", true);
  rewriter.mark_outputs_moved(id, rewriter.input_rank(id));
  return true;
}

}  // namespace

kernels::PoolArgs int8_pool_args(const Attrs& attrs, const Shape& shape) {
  const std::string& type = attrs.choice("pool_type");
  if (type != "max" && type != "avg")
    fail(ErrorCode::unsupported, "pool_type=", type, " of 8-bit data: expected max or avg");
  return pool_args(attrs, {DType::float32, shape}, false);
}

kernels::PoolArgs int8_pool_args_last(const Attrs& attrs, const Shape& shape) {
  kernels::PoolArgs args = int8_pool_args(attrs, to_channels_first(shape));
  args.planes = shape[0];
  args.inner = shape.back();
  return args;
}

kernels::PoolArgs int8_pool_args(const OpProblem& node) {
  return args_in_order(node.attrs(), node.input(0).shape);
}

Step int8_pool_step(const LowerContext& context, const kernels::PoolArgs& args) {
  const DType dtype = context.input(0).dtype;
  const kernels::PoolKernel kernel = kernels::select_int8_pool(args, int8_type(dtype), context.target());
  std::int64_t window = 1;
  for (int d = 0; d < 3; ++d) window *= std::min(args.kernel[d], args.in[d]);
  const std::int64_t tasks = kernel.tasks(args);
  // Vectors of bytes take a sixteenth of the time.
  const std::int64_t worthwhile =
      kernel.target == kernels::Target::ref ? kQuantizedGrain : kQuantizedGrain * 16;
  const std::int64_t grain = piece_grain(worthwhile, args.out[2] * args.inner * window);
  Step step{.kernel = labelled(concat(kernel.name, "_", to_string(dtype)), kernel.target)};
  step.reason = kernel.reason;
  step.flops = static_cast<double>(args.planes * args.out_plane()) * static_cast<double>(window);
  step.run = [=, pool = kernel.run](const RunContext& run) {
    parallel_for(tasks, grain, [&](std::int64_t begin, std::int64_t end) {
      pool(args, run.inputs[0], run.outputs[0], begin, end);
    });
  };
  return step;
}

std::vector<OpDef> int8_pooling_ops() {
  OpDef op{.name = "_mxinfer_pooling_int8"};
  op.traits.part = ModelPart::network;
  op.summary =
      "Pooling of 8-bit values by max or avg, with the step of the data; means are rounded to the nearest, "
      "halves to even. With channels_last, which a pass sets, arrays are (N, spatial..., C).";
  op.attrs = pooling_ops().front().attrs;
  std::erase_if(op.attrs, [](const AttrSpec& spec) { return spec.name == "layout"; });
  op.attrs.push_back(flag_attr("channels_last", false));
  op.traits.output_rank = always_same_rank;
  op.traits.per_sample = always_per_sample;
  op.traits.channels_last = pooling_int8_layout;
  op.unify = unify_batch;
  op.infer = infer_pooling_int8;
  op.lower = lower_pooling_int8;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
