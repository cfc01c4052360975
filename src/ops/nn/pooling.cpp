// Pooling and Pooling_v1: the largest value, the average, the sum or the p-norm over windows in 1, 2 or 3
// dimensions.
// _contrib_AdaptiveAvgPooling2D: averages over as many windows as the output has elements.
#include <algorithm>

#include "kernels/pool_nd/adaptive_pool.h"
#include "kernels/pool_nd/pool_nd.h"
#include "ops/common/axes.h"
#include "ops/common/float_types.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/nn/convolution/conv_params.h"
#include "ops/nn/kernel_args.h"
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
  const kernels::AdaptivePoolArgs<T> args{
      .height = in[2], .width = in[3], .out_height = out[2], .out_width = out[3]};
  const std::int64_t planes = in[0] * in[1];
  const std::int64_t grain = std::max<std::int64_t>(1, kAdaptiveElements / (in[2] * in[3]));
  Step step{.kernel = ref_kernel("adaptive_avg_pool", context.input(0).dtype)};
  step.reason = "windows overlap: the sizes do not divide";
  step.run = [=](const RunContext& run) {
    kernels::AdaptivePoolArgs<T> now = args;
    now.src = run.input<T>(0);
    now.dst = run.output<T>(0);
    parallel_for(planes, grain, [&](auto begin, auto end) { kernels::adaptive_avg_pool(now, begin, end); });
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
  Step step{.kernel = labelled(kernel.name, kernel.target), .reason = kernel.reason};
  step.run = [args, run = kernel.run, tasks, grain](const RunContext& at_run) {
    const void* src = at_run.inputs[0];
    void* dst = at_run.outputs[0];
    parallel_for(tasks, grain, [&](auto begin, auto end) { run(args, src, dst, begin, end); });
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

using kernels::PoolArgs;
using kernels::PoolDivisor;
using kernels::PoolKind;

// About 32 Ki window elements to a piece of work.
constexpr std::int64_t kPooledElements = 1 << 15;

// Whether channels come last. The layout's letters must be as many as the input has dimensions.
bool channels_last(const Attrs& attrs, const Shape& shape) {
  if (!attrs.has("layout")) return false;
  const std::string& layout = attrs.choice("layout");
  if (layout.size() != shape.rank()) {
    fail(ErrorCode::invalid_argument, "layout=", layout, " does not fit an input of shape ",
         to_string(shape));
  }
  return layout.back() == 'C';
}

// A tuple of `count` sizes, `fallback` each if the attribute is empty.
std::vector<std::int64_t> sizes(const Attrs& attrs, std::string_view name, std::size_t count,
                                std::int64_t fallback, std::int64_t minimum) {
  std::vector<std::int64_t> values = attrs.tuple(name);
  if (values.empty()) return std::vector<std::int64_t>(count, fallback);
  if (values.size() != count) {
    fail(ErrorCode::malformed, "attribute ", name, " has ", values.size(), " sizes; the input has ", count,
         " spatial dimensions");
  }
  for (std::int64_t value : values) {
    if (value < minimum || value > (std::int64_t{1} << 31)) {
      fail(ErrorCode::malformed, "attribute ", name, " holds ", value, "; expected at least ", minimum);
    }
  }
  return values;
}

PoolKind kind_of(const Attrs& attrs, bool v1) {
  const std::string& type = attrs.choice("pool_type");
  if (type == "max") return PoolKind::max;
  if (type == "avg") return PoolKind::avg;
  if (type == "sum") return PoolKind::sum;
  if (v1 || !attrs.has("p_value")) fail(ErrorCode::malformed, "pool_type=lp needs the attribute p_value");
  return PoolKind::lp;
}

/// Error if the elements of a kernel, or of the padded input, are too many to be counted: averages divide
/// by them.
void require_countable(const PoolArgs& args) {
  const auto padded = [&](int d) { return args.in[d] + 2 * args.pad[d]; };
  if (checked_mul(args.kernel[0], args.kernel[1], args.kernel[2]) &&
      checked_mul(padded(0), padded(1), padded(2)))
    return;
  fail(ErrorCode::invalid_argument, "a kernel of ", args.kernel[0], " x ", args.kernel[1], " x ",
       args.kernel[2], " over ", padded(0), " x ", padded(1), " x ", padded(2), " is too large");
}

void set_window(const Attrs& attrs, std::size_t spatial, PoolArgs& args) {
  const bool global = attrs.flag("global_pool");
  if (!global && attrs.tuple("kernel").empty()) {
    fail(ErrorCode::malformed, "attribute kernel is missing; expected ", spatial, " sizes");
  }
  const std::string& convention = attrs.choice("pooling_convention");
  if (convention == "same" && spatial != 1 && !global) {
    fail(ErrorCode::unsupported,
         "pooling_convention=same is for inputs with one spatial dimension; this one has ", spatial);
  }
  if (global) {
    for (std::size_t d = 3 - spatial; d < 3; ++d) args.kernel[d] = args.in[d];
    return;
  }
  const auto kernel = sizes(attrs, "kernel", spatial, 1, 1);
  const auto stride = sizes(attrs, "stride", spatial, 1, 1);
  // MXNet reads three pads for "same", whatever the rank, and wants them to be 0.
  const bool same = convention == "same";
  const auto pad = same ? std::vector<std::int64_t>(spatial, 0) : sizes(attrs, "pad", spatial, 0, 0);
  if (same) {
    for (std::int64_t value : attrs.tuple("pad")) {
      if (value != 0) fail(ErrorCode::malformed, "pooling_convention=same takes no pad; pad holds ", value);
    }
  }
  for (std::size_t i = 0; i < spatial; ++i) {
    const std::size_t d = 3 - spatial + i;
    args.kernel[d] = kernel[i];
    args.stride[d] = stride[i];
    args.pad[d] = pad[i];
    args.out[d] = pool_windows(convention, args.in[d], kernel[i], stride[i], pad[i]);
  }
  require_countable(args);
}

std::vector<TensorType> infer_pool(const InferContext& context, bool v1) {
  const PoolArgs args = pool_args(context.attrs, context.inputs[0], v1);
  Shape shape = context.shape(0);
  const std::size_t spatial = shape.rank() - 2;
  const std::size_t first = !v1 && channels_last(context.attrs, shape) ? 1 : 2;
  for (std::size_t i = 0; i < spatial; ++i) shape[first + i] = args.out[3 - spatial + i];
  return {{context.dtype(0), shape}};
}

// Whether a row of the arrays is the channels of a position.
bool takes_strided_rows(const graph::Node& node, DType dtype, std::size_t) {
  return dtype == DType::float32 && node.attrs.has("layout") && node.attrs.choice("layout").back() == 'C';
}

Step lower_pool(LowerContext& context, bool v1) {
  PoolArgs args = pool_args(context.attrs(), context.input(0), v1);
  args.src_stride = context.input(0).row_stride;
  args.dst_stride = context.output(0).row_stride;
  const kernels::PoolKernel kernel =
      kernels::select_pool(args, size_of(context.input(0).dtype), context.target());
  const std::int64_t tasks = kernel.tasks(args);
  const std::int64_t outputs = args.planes * args.out_plane();
  std::int64_t window = 1;
  for (int d = 0; d < 3; ++d) window *= std::min(args.kernel[d], args.in[d]);
  const std::int64_t task_elements =
      std::max<std::int64_t>(1, outputs / std::max<std::int64_t>(1, tasks) * window);
  const std::int64_t grain = std::max<std::int64_t>(1, kPooledElements / task_elements);

  Step step{.kernel = labelled(kernel.name, kernel.target), .reason = kernel.reason};
  step.flops = static_cast<double>(outputs) * static_cast<double>(window);
  step.run = [args, run = kernel.run, tasks, grain](const RunContext& context_of_run) {
    const void* src = context_of_run.inputs[0];
    void* dst = context_of_run.outputs[0];
    parallel_for(tasks, grain, [&](auto begin, auto end) { run(args, src, dst, begin, end); });
  };
  return step;
}

bool pooling_layout(LayoutRewriter& rewriter, std::size_t id) {
  const std::int64_t rank = rewriter.input_rank(id);
  graph::Node& node = rewriter.node(id);
  const bool is_last = node.attrs.has("layout") && node.attrs.choice("layout").back() == 'C';
  if (is_last == rewriter.to_last()) return false;
  node.attrs.set("layout", std::string(spatial_layout(static_cast<std::size_t>(rank - 2), !is_last)));
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

// The largest and the mean of a window are computed in float32 from bfloat16 if channels are innermost.
bool pooling_follows_bfloat16(const graph::Node& node) {
  const std::string& type = node.attrs.choice("pool_type");
  return (type == "max" || type == "avg") && node.attrs.has("layout") &&
         node.attrs.choice("layout").back() == 'C';
}

}  // namespace

PoolArgs pool_args(const Attrs& attrs, const TensorType& input, bool v1) {
  const DType dtype = arithmetic_type(input);
  if (dtype != DType::bfloat16) require_float(dtype);
  const Shape& shape = input.shape;
  const bool fits = v1 ? shape.rank() == 4 : shape.rank() >= 3 && shape.rank() <= 5;
  if (!fits) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape), " was given; expected ",
         v1 ? "(batch, channel, y, x)"
            : "(batch, channel, x), (batch, channel, y, x) or (batch, channel, z, y, x)");
  }
  const std::size_t spatial = shape.rank() - 2;
  const bool last = !v1 && channels_last(attrs, shape);
  PoolArgs args{.planes = last ? shape[0] : shape.elements(0, 2), .inner = last ? shape.back() : 1};
  for (std::size_t i = 0; i < spatial; ++i) {
    args.in[3 - spatial + i] = shape[(last ? 1 : 2) + i];
    if (args.in[3 - spatial + i] == 0) {
      fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape), " has nothing to pool");
    }
  }
  args.kind = kind_of(attrs, v1);
  set_window(attrs, spatial, args);
  if (v1) {
    args.divisor = PoolDivisor::kernel;
    args.old_max = true;
    if (dtype == DType::bfloat16) fail(ErrorCode::unsupported, "Pooling_v1 of bfloat16 is not supported");
    return args;
  }
  const bool exclude = attrs.has("count_include_pad") && !attrs.flag("count_include_pad");
  args.divisor = exclude ? PoolDivisor::valid : PoolDivisor::padded;
  if (args.kind == PoolKind::lp) args.p = static_cast<int>(attrs.integer("p_value"));
  if (args.kind == PoolKind::lp && dtype == DType::bfloat16)
    fail(ErrorCode::unsupported, "pool_type=lp of bfloat16 is not supported");
  return args;
}

PoolArgs even_pool_args(const Shape& in, const Shape& out) {
  PoolArgs args{.planes = in[0] * in[1], .kind = kernels::PoolKind::avg};
  for (std::size_t d = 1; d < 3; ++d) {
    args.in[d] = in[d + 1];
    args.out[d] = out[d + 1];
    args.kernel[d] = args.stride[d] = in[d + 1] / out[d + 1];
  }
  return args;
}

std::vector<OpDef> pooling_ops() {
  OpDef pooling{.name = "Pooling", .aliases = {"_npx_pooling"}};
  pooling.summary = "The maximum, average, sum or p-norm over windows of size kernel, stride apart.";
  pooling.attrs = {tuple_attr("kernel", "()"),
                   choice_attr("pool_type", {"avg", "lp", "max", "sum"}, "max"),
                   flag_attr("global_pool", false),
                   flag_attr("cudnn_off", false).without_effect(),
                   choice_attr("pooling_convention", {"full", "same", "valid"}, "valid"),
                   tuple_attr("stride", "()"),
                   tuple_attr("pad", "()"),
                   integer_attr("p_value").at_least(1).at_most(3).optional_none(),
                   AttrSpec{"count_include_pad", graph::AttrKind::flag, false, true, "None"},
                   choice_attr("layout", {"NCDHW", "NCHW", "NCW", "NDHWC", "NHWC", "NWC"}, "None")};
  pooling.traits.strided_output = takes_strided_rows;
  pooling.traits.strided_input = takes_strided_rows;
  pooling.unify = unify_batch;
  pooling.traits.output_rank = always_same_rank;
  pooling.traits.per_sample = always_per_sample;
  pooling.traits.channels_last = pooling_layout;
  pooling.traits.follows_bfloat16 = pooling_follows_bfloat16;
  pooling.infer = [](const InferContext& context) { return infer_pool(context, false); };
  pooling.lower = [](LowerContext& context) { return lower_pool(context, false); };

  OpDef v1;
  v1.name = "Pooling_v1";
  v1.summary = "The old Pooling: maxima treat padding as 0, and averages divide by the whole kernel.";
  v1.attrs = {tuple_attr("kernel", "()"),      choice_attr("pool_type", {"avg", "max", "sum"}, "max"),
              flag_attr("global_pool", false), choice_attr("pooling_convention", {"full", "valid"}, "valid"),
              tuple_attr("stride", "()"),      tuple_attr("pad", "()")};
  v1.unify = unify_batch;
  v1.infer = [](const InferContext& context) { return infer_pool(context, true); };
  v1.lower = [](LowerContext& context) { return lower_pool(context, true); };

  return {through_float32(pooling), through_float32(v1)};
}

std::vector<OpDef> adaptive_pooling_ops() {
  return {through_float32({.name = "_contrib_AdaptiveAvgPooling2D",
                           .summary = "Averages over output_size windows that cover the plane evenly; "
                                      "without output_size, over the whole plane.",
                           .attrs = {tuple_attr("output_size", "()")},
                           .traits = {.output_rank = always_same_rank,
                                      .per_sample = always_per_sample,
                                      .channels_last = adaptive_average_layout},
                           .infer = infer_adaptive,
                           .lower = lower_adaptive})};
}

}  // namespace mxinfer::ops
