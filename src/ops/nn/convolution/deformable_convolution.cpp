// _contrib_DeformableConvolution and its modulated form: a block of patches is gathered into a thread's
// scratch, and multiplied by the weights.
#include <algorithm>

#include "ops/nn/convolution/column_product.h"
#include "ops/nn/convolution/deconvolution.h"

namespace mxinfer::ops {
namespace {

using kernels::DeformableBorder;
using kernels::DeformableShape;

/// Enough output pixels for blocks of the largest size; fewer are cut finer, for the sake of threads.
constexpr std::int64_t kManyPixels = 1024;
constexpr std::int64_t kSmallBlock = 16;

PortNames deformable_ports(const Attrs& attrs, bool modulated) {
  PortNames names{{"data", "offset"}};
  if (modulated) names.names.emplace_back("mask");
  names.names.emplace_back("weight");
  if (!attrs.flag("no_bias")) names.names.emplace_back("bias");
  return names;
}

void set_axes(DeformableParams& p) {
  for (std::size_t i = 0; i < 2; ++i) {
    p.shape.input[i] = p.conv.input[i + 1];
    p.shape.kernel[i] = p.conv.kernel[i + 1];
    p.shape.stride[i] = p.conv.stride[i + 1];
    p.shape.pad[i] = p.conv.pad[i + 1];
    p.shape.dilate[i] = p.conv.dilate[i + 1];
    const std::int64_t room = p.shape.input[i] + 2 * p.shape.pad[i] - p.conv.reach(i + 1);
    if (room < 0) {
      fail(ErrorCode::invalid_argument, "the kernel covers ", p.conv.reach(i + 1),
           " elements of spatial dimension ", i, ", data has ", p.shape.input[i], " and ", 2 * p.shape.pad[i],
           " of padding");
    }
    p.shape.output[i] = room / p.shape.stride[i] + 1;
  }
}

std::vector<TensorType> infer_deformable_convolution(const InferContext& context, bool modulated) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  const DeformableParams p = deformable_params(context.attrs, data, modulated);
  const auto offsets = checked_mul(p.shape.kernel[0], p.shape.kernel[1], p.shape.offset_groups, 2);
  if (!offsets)
    fail(ErrorCode::invalid_argument, "the kernel and num_deformable_group need too many offsets");
  const std::int64_t taps = *offsets / 2;
  const std::int64_t height = p.shape.output[0], width = p.shape.output[1];
  expect_shape(context, 1, "offset", Shape{data[0], 2 * taps, height, width},
               "2 * num_deformable_group * the kernel's size channels, and the output's size");
  std::size_t weight = 2;
  if (modulated) {
    expect_shape(context, weight++, "mask", Shape{data[0], taps, height, width},
                 "num_deformable_group * the kernel's size channels, and the output's size");
  }
  expect_shape(context, weight, "weight", with_kernel(p.conv.filters, data[1] / p.conv.groups, p.conv),
               "num_filter, channels / num_group, kernel");
  if (p.conv.bias) expect_shape(context, weight + 1, "bias", Shape{p.conv.filters}, "num_filter");
  return {{context.dtype(0), Shape{data[0], p.conv.filters, height, width}}};
}

template <typename T>
struct DeformableConvolution {
  DeformableParams params;
  std::int64_t batch = 0, block = 0;
  kernels::Target target = kernels::Target::ref;
  std::size_t weight = 2;    ///< which input
  std::int64_t columns = 0;  ///< elements of a thread's scratch: columns, then what is prepared of them

  std::int64_t blocks() const { return ceil_div(params.shape.pixels(), block); }

  /// The GEMM of a group over a block of `pixels` columns.
  ColumnGemm<T> product(std::int64_t pixels) const {
    const std::int64_t groups = params.conv.groups;
    return {params.conv.filters / groups, pixels, params.shape.channels / groups * params.shape.taps(),
            target, 1};
  }

  void run_block(const RunContext& run, std::int64_t image, std::int64_t first) const {
    const DeformableShape& s = params.shape;
    const std::int64_t pixels = s.pixels(), count = std::min(block, pixels - first);
    const std::int64_t taps = s.offset_groups * s.taps();
    T* scratch = reinterpret_cast<T*>(run.my_scratch());
    kernels::DeformableArgs<T> gather;
    gather.shape = s;
    gather.src = run.input<T>(0) + image * s.channels * s.input[0] * s.input[1];
    gather.offset = run.input<T>(1) + image * 2 * taps * pixels;
    if (weight == 3) gather.mask = run.input<T>(2) + image * taps * pixels;
    kernels::deformable_columns(gather, first, count, scratch);

    T* dst = run.output<T>(0) + image * params.conv.filters * pixels + first;
    const ColumnGemm<T> p = product(count);
    for (std::int64_t group = 0; group < params.conv.groups; ++group) {
      p.prepare(scratch + group * p.depth * count, scratch + columns, 0, p.pieces());
      p.run(run.input<T>(weight) + group * p.rows * p.depth, scratch + columns, dst + group * p.rows * pixels,
            pixels, 0, p.tasks());
    }
    if (params.conv.bias) add_bias(run.input<T>(weight + 1), count, dst);
  }

  void add_bias(const T* bias, std::int64_t count, T* dst) const {
    const std::int64_t pixels = params.shape.pixels();
    for (std::int64_t m = 0; m < params.conv.filters; ++m) {
      for (std::int64_t i = 0; i < count; ++i) dst[m * pixels + i] += bias[m];
    }
  }

  void operator()(const RunContext& run) const {
    parallel_for(batch * blocks(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) run_block(run, t / blocks(), t % blocks() * block);
    });
  }
};

/// Elements of the columns of a block, which must fit into memory.
std::int64_t column_elements(const DeformableParams& p, std::int64_t block) {
  const auto rows = checked_mul(p.shape.channels, p.shape.taps());
  if (!rows || *rows > (std::int64_t{1} << 40)) {
    fail(ErrorCode::out_of_memory, "its columns would take ", p.shape.channels, " x ", p.shape.taps(), " x ",
         block, " elements");
  }
  return round_up(*rows * block, 16);
}

template <typename T>
Step deformable_step(LowerContext& context, const DeformableParams& params, bool modulated) {
  DeformableConvolution<T> run{.params = params, .batch = context.input(0).shape[0]};
  run.target = context.target();
  run.weight = modulated ? 3 : 2;
  run.block = run.batch * params.shape.pixels() >= kManyPixels ? kernels::kDeformablePixels : kSmallBlock;
  run.columns = column_elements(params, run.block);

  Step step;
  const ColumnGemm<T> product = run.product(run.block);
  step.kernel = concat("deformable_", product.kernel_name());
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(product.depth);
  step.thread_scratch_bytes = static_cast<std::size_t>(run.columns + product.prepared_elements()) * sizeof(T);
  step.reason = concat("patches of ", run.block, " pixels, then a GEMM");
  step.run = std::move(run);
  return step;
}

Step lower_deformable_convolution(LowerContext& context, bool modulated) {
  const DeformableParams params = deformable_params(context.attrs(), context.input(0).shape, modulated);
  if (context.input(0).dtype == DType::float64) {
    Step step = deformable_step<double>(context, params, modulated);
    step.kernel += " [ref]";
    return step;
  }
  Step step = deformable_step<float>(context, params, modulated);
  step.kernel += labelled("", context.target());
  return step;
}

OpDef deformable(std::string name, std::string summary, bool modulated) {
  OpDef op;
  op.traits.float16_on_gpus = true;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.attrs = {tuple_attr("kernel"),
              tuple_attr("stride", "()"),
              tuple_attr("dilate", "()"),
              tuple_attr("pad", "()"),
              integer_attr("num_filter").at_least(1),
              integer_attr("num_group", 1).at_least(1),
              integer_attr("num_deformable_group", 1).at_least(1),
              integer_attr("workspace", 1024).without_effect(),
              flag_attr("no_bias", false),
              choice_attr("layout", {"NCDHW", "NCHW", "NCW"}, "None").optional_none()};
  if (modulated) op.attrs.push_back(integer_attr("im2col_step", 64).at_least(1).without_effect());
  op.inputs = [modulated](const Attrs& attrs) { return deformable_ports(attrs, modulated); };
  op.infer = [modulated](const InferContext& context) {
    return infer_deformable_convolution(context, modulated);
  };
  op.lower = [modulated](LowerContext& context) { return lower_deformable_convolution(context, modulated); };
  return op;
}

}  // namespace

DeformableParams deformable_params(const Attrs& attrs, const Shape& data, bool modulated) {
  DeformableParams p;
  p.conv = conv_params(attrs, data);
  if (p.conv.rank != 2) {
    fail(ErrorCode::unsupported, "attribute kernel has ", p.conv.rank,
         " dimensions: a deformable convolution has 2, in MXNet too");
  }
  p.shape.border = modulated ? DeformableBorder::faded : DeformableBorder::clamped;
  p.shape.channels = data[1];
  p.shape.offset_groups = attrs.integer("num_deformable_group");
  if (p.shape.channels % p.shape.offset_groups != 0) {
    fail(ErrorCode::invalid_argument, "data has shape ", to_string(data), ": ", data[1],
         " channels are not a multiple of num_deformable_group=", p.shape.offset_groups);
  }
  set_axes(p);
  return p;
}

std::vector<OpDef> deformable_convolution_ops() {
  return {
      deformable("_contrib_DeformableConvolution",
                 "A convolution whose taps are moved by offsets (y, x) and sampled bilinearly. Positions "
                 "outside [0, size) give 0; positions beyond the last row or column give that row or column.",
                 false),
      deformable("_contrib_ModulatedDeformableConvolution",
                 "A convolution whose taps are moved by offsets (y, x), sampled bilinearly and scaled by "
                 "mask; outside, the image is 0.",
                 true),
  };
}

}  // namespace mxinfer::ops
