// UpSampling: enlargement by a whole factor, nearest or with given (bilinear) weights.
// _mxinfer_upsampling_nhwc: what a pass makes of a nearest UpSampling of one input that is channels-last. All
// the channels of a position move together.
#include <algorithm>

#include "kernels/upsample/upsample.h"
#include "ops/common/axes.h"
#include "ops/common/copy_step.h"
#include "ops/common/float_types.h"
#include "ops/layout/layout_rewriter.h"
#include "ops/registry.h"

namespace mxinfer::ops {
namespace {

constexpr std::int64_t kUpsampledElements = 1 << 13;

bool is_bilinear(const Attrs& attrs) {
  return attrs.choice("sample_type") == "bilinear";
}

// A transposed convolution of each channel by itself is what the bilinear kind is.
Attrs deconvolution_attrs(const Attrs& attrs) {
  const std::int64_t scale = attrs.integer("scale");
  const auto pair = [](std::int64_t value) { return concat("(", value, ", ", value, ")"); };
  const std::string filters = std::to_string(attrs.integer("num_filter"));
  const OpDef* op = find_op("Deconvolution");
  if (op == nullptr) fail(ErrorCode::unsupported, "sample_type=bilinear needs the operator Deconvolution");
  return graph::parse_attrs(op->attrs, {{"kernel", pair(2 * scale - scale % 2)},
                                        {"stride", pair(scale)},
                                        {"pad", pair(scale / 2)},
                                        {"num_filter", filters},
                                        {"num_group", filters},
                                        {"no_bias", "True"}});
}

void become_deconvolution(graph::Node& node) {
  if (!is_bilinear(node.attrs)) return;
  node.attrs = deconvolution_attrs(node.attrs);
  node.op = find_op("Deconvolution");
}

std::vector<TensorType> infer_bilinear(const InferContext& context) {
  const Shape& data = context.shape(0);
  if (data.rank() == 4 && data[1] != context.attrs.integer("num_filter")) {
    fail(ErrorCode::invalid_argument, "num_filter=", context.attrs.integer("num_filter"),
         ", the input's shape is ", to_string(data), "; each channel has a filter of its own");
  }
  const Attrs attrs = deconvolution_attrs(context.attrs);
  return find_op("Deconvolution")->infer(InferContext{attrs, context.inputs});
}

std::vector<TensorType> infer_nearest(const InferContext& context) {
  if (context.count() == 0) fail(ErrorCode::malformed, "at least one input is expected, none was given");
  for (std::size_t i = 0; i < context.count(); ++i) {
    if (context.shape(i).rank() != 4 || context.dtype(i) != context.dtype(0)) {
      fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.inputs[i]),
           "; expected (n, c, h, w) and one dtype");
    }
  }
  Shape out = context.shape(0);
  const bool sum = context.attrs.choice("multi_input_mode") == "sum";
  const bool adds = context.dtype(0) == DType::float32 || context.dtype(0) == DType::float64;
  if (sum && context.count() > 1 && !adds) {
    fail(ErrorCode::unsupported, "multi_input_mode=sum of ", to_string(context.dtype(0)),
         "; floating point is expected");
  }
  for (std::size_t d = 2; d < 4; ++d) {
    const auto size = checked_mul(out[d], context.attrs.integer("scale"));
    if (!size)
      fail(ErrorCode::invalid_argument, "scale makes an input of shape ", to_string(out), " too large");
    out[d] = *size;
  }
  for (std::size_t i = 1; i < context.count(); ++i) {
    const Shape& other = context.shape(i);
    const bool fits = other[0] == out[0] && other[2] > 0 && other[3] > 0 && out[2] % other[2] == 0 &&
                      out[3] % other[3] == 0 && out[2] / other[2] == out[3] / other[3] &&
                      (!sum || other[1] == out[1]);
    if (!fits) {
      fail(ErrorCode::invalid_argument, "input ", i, " of shape ", to_string(other),
           " does not enlarge by a whole factor to fit beside input 0 of shape ",
           to_string(context.shape(0)));
    }
    if (!sum) out[1] += other[1];
  }
  return {{context.dtype(0), out}};
}

// One input and how it is enlarged into the output.
struct Job {
  std::size_t input = 0;
  kernels::UpsampleArgs args;
  kernels::UpsampleFn run = nullptr;
  std::int64_t rows = 0;
  std::int64_t grain = 1;
};

std::vector<Job> nearest_jobs(LowerContext& context) {
  const Shape& out = context.output(0).shape;
  const bool sum = context.attrs().choice("multi_input_mode") == "sum";
  std::vector<Job> jobs;
  std::int64_t channel = 0;
  for (std::size_t i = 0; i < context.num_inputs(); ++i) {
    const Shape& in = context.input(i).shape;
    if (in.elements() == 0) continue;
    Job job;
    job.input = i;
    job.args.channels = in[1];
    job.args.height = in[2];
    job.args.width = in[3];
    job.args.scale = out[2] / in[2];
    job.args.dst_image = out.elements(1, 4);
    job.args.dst_offset = sum ? 0 : channel * out[2] * out[3];
    const DType dtype = context.input(0).dtype;
    const auto add = dtype == DType::float64 ? kernels::upsample_add<double> : kernels::upsample_add<float>;
    job.run = sum && i > 0 ? add : kernels::select_upsample(size_of(dtype));
    job.rows = in.elements(0, 3);
    job.grain = std::max<std::int64_t>(1, kUpsampledElements / (in[3] * job.args.scale * job.args.scale));
    channel += in[1];
    jobs.push_back(job);
  }
  return jobs;
}

Step lower_nearest(LowerContext& context) {
  Step step{.kernel = concat("upsample_rows_", 8 * size_of(context.input(0).dtype), "bit [ref]")};
  step.reason = "moves elements only";
  step.run = [jobs = nearest_jobs(context)](const RunContext& run) {
    for (const Job& job : jobs) {
      const std::byte* src = run.input<std::byte>(job.input);
      std::byte* dst = run.output<std::byte>(0);
      parallel_for(job.rows, job.grain,
                   [&](std::int64_t begin, std::int64_t end) { job.run(job.args, src, dst, begin, end); });
    }
  };
  return step;
}

bool upsampling_layout(LayoutRewriter& rewriter, std::size_t id) {
  graph::Node& node = rewriter.node(id);
  const std::int64_t rank = rewriter.input_rank(id);
  if (!rewriter.to_last() || rank != 4 || node.attrs.choice("sample_type") != "nearest" ||
      node.inputs.size() != 1)
    return false;
  node.op = find_op("_mxinfer_upsampling_nhwc");
  rewriter.mark_outputs_moved(id, rank);
  return true;
}

std::vector<TensorType> infer_upsampling_nhwc(const InferContext& context) {
  Shape shape = context.shape(0);
  if (shape.rank() != 4) {
    fail(ErrorCode::invalid_argument, "an input of shape ", to_string(shape),
         " was given; expected four dimensions");
  }
  for (std::size_t d = 1; d < 3; ++d) {
    const auto size = checked_mul(shape[d], context.attrs.integer("scale"));
    if (!size)
      fail(ErrorCode::invalid_argument, "scale makes an input of shape ", to_string(shape), " too large");
    shape[d] = *size;
  }
  return {{context.dtype(0), shape}};
}

// dst[n][y][i][x][j][c] = src[n][y][x][c], i and j below scale.
Step lower_upsampling_nhwc(LowerContext& context) {
  const Shape& in = context.input(0).shape;
  const std::int64_t scale = context.attrs().integer("scale");
  const std::vector<std::int64_t> src = strides_of(context.input(0));
  const std::vector<std::int64_t> dst = strides_of(context.output(0));
  Walk walk;
  walk.add(in[0], src[0], dst[0]);
  walk.add(in[1], src[1], scale * dst[1]);
  walk.add(scale, 0, dst[1]);
  walk.add(in[2], src[2], scale * dst[2]);
  walk.add(scale, 0, dst[2]);
  walk.add(in[3], 1, 1);
  return copy_step(context, {{0, 0, walk}});
}

}  // namespace

std::vector<OpDef> upsampling_ops() {
  OpDef op;
  op.name = "UpSampling";
  op.summary =
      "Enlarges height and width by scale: nearest repeats pixels (several inputs are brought to one size, "
      "then concatenated "
      "or summed); bilinear is a Deconvolution with the weights given.";
  op.attrs = {integer_attr("scale").at_least(1).at_most(1000),
              integer_attr("num_filter", 0).at_least(0),
              choice_attr("sample_type", {"bilinear", "nearest"}),
              choice_attr("multi_input_mode", {"concat", "sum"}, "concat"),
              integer_attr("num_args").at_least(1),
              integer_attr("workspace", 512).at_least(0).without_effect()};
  op.inputs = [](const Attrs& attrs) {
    return is_bilinear(attrs) ? PortNames{{"data", "weight"}} : PortNames{{}, false, "num_args"};
  };
  op.traits.output_rank = always_same_rank;
  op.traits.per_sample = always_per_sample;
  op.traits.channels_last = upsampling_layout;
  op.infer = [](const InferContext& context) {
    return is_bilinear(context.attrs) ? infer_bilinear(context) : infer_nearest(context);
  };
  op.canonicalise = become_deconvolution;
  op.lower = lower_nearest;
  return {through_float32(op)};
}

std::vector<OpDef> upsampling_nhwc() {
  return {
      {.name = "_mxinfer_upsampling_nhwc",
       .summary =
           "Made by a pass: UpSampling, nearest, of one input that is channels-last, (N, height, width, C).",
       .attrs = {integer_attr("scale").at_least(1).at_most(1000)},
       .traits = {.output_rank = always_same_rank,
                  .per_sample = always_per_sample,
                  .strided_input = strided_float32,
                  .strided_output = strided_float32},
       .made_by_passes = true,
       .infer = infer_upsampling_nhwc,
       .lower = lower_upsampling_nhwc,
       .unify = unify_batch}};
}

}  // namespace mxinfer::ops
