// _contrib_DeformableConvolution and its modulated form: a block of patches is gathered into a thread's
// scratch, and a 1x1 convolution over it is the product with the weights.
#include <algorithm>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "kernels/deformable/deformable.h"
#include "ops/nn/conv_params.h"
#include "ops/nn/packed_conv_weight.h"
#include "ops/op_def.h"

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

/// The attributes and the sizes that follow from them.
struct Params {
  ConvParams conv;
  DeformableShape shape;
};

void set_axes(Params& p) {
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

Params params_of(const Attrs& attrs, const Shape& data, bool modulated) {
  Params p;
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
         " channels are no multiple of num_deformable_group=", p.shape.offset_groups);
  }
  set_axes(p);
  return p;
}

std::vector<TensorType> infer_deformable_convolution(const InferContext& context, bool modulated) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  const Params p = params_of(context.attrs, data, modulated);
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

/// The product over a block of `pixels` columns.
kernels::ConvShape product_shape(const Params& p, std::int64_t pixels) {
  kernels::ConvShape product;
  product.channels = p.shape.channels * p.shape.taps();
  product.filters = p.conv.filters;
  product.groups = p.conv.groups;
  product.input[2] = product.output[2] = pixels;
  product.wanted_tasks = 1;
  return product;
}

/// What a run needs to know.
template <typename T>
struct DeformableConvolution {
  Params params;
  std::int64_t batch = 0, block = 0;
  const kernels::ConvRow<T>* row = nullptr;
  const T* packed = nullptr;  ///< null where the row reads weights as stored, or they are computed
  std::size_t weight = 2;     ///< which input
  std::int64_t columns =
      0;  ///< elements of a thread's scratch: columns, then the block of dst, then the row's

  std::int64_t blocks() const { return ceil_div(params.shape.pixels(), block); }
  std::int64_t tile() const { return round_up(params.conv.filters * block, 16); }

  void run_block(const RunContext& run, const T* weights, std::int64_t image, std::int64_t first) const {
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

    kernels::ConvArgs<T> product;
    product.shape = product_shape(params, count);
    product.src = scratch;
    product.weight = weights;
    if (params.conv.bias) product.bias = run.input<T>(weight + 1);
    product.dst = scratch + columns;
    row->run(product, 0, row->tasks(product.shape), product.dst + tile());
    T* dst = run.output<T>(0) + image * params.conv.filters * pixels + first;
    for (std::int64_t m = 0; m < params.conv.filters; ++m) {
      std::copy_n(product.dst + m * count, count, dst + m * pixels);
    }
  }

  void operator()(const RunContext& run) const {
    const T* weights = packed;
    if (weights == nullptr) {
      weights = run.input<T>(weight);
      if (row->packing != nullptr) {
        T* scratch = reinterpret_cast<T*>(run.scratch);
        row->pack(product_shape(params, block), weights, scratch);
        weights = scratch;
      }
    }
    parallel_for(batch * blocks(), 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) run_block(run, weights, t / blocks(), t % blocks() * block);
    });
  }
};

/// Elements of the columns of a block, which must fit into memory.
std::int64_t column_elements(const Params& p, std::int64_t block) {
  const auto rows = checked_mul(p.shape.channels, p.shape.taps());
  if (!rows || *rows > (std::int64_t{1} << 40)) {
    fail(ErrorCode::out_of_memory, "its columns would take ", p.shape.channels, " x ", p.shape.taps(), " x ",
         block, " elements");
  }
  return round_up(*rows * block, 16);
}

template <typename T>
Step deformable_step(LowerContext& context, const Params& params, const kernels::ConvRow<T>& row,
                     bool modulated) {
  DeformableConvolution<T> run;
  run.params = params;
  run.batch = context.input(0).shape[0];
  run.row = &row;
  run.weight = modulated ? 3 : 2;
  run.block = run.batch * params.shape.pixels() >= kManyPixels ? kernels::kDeformablePixels : kSmallBlock;
  run.columns = column_elements(params, run.block);

  Step step;
  const kernels::ConvShape product = product_shape(params, run.block);
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(product.depth());
  step.thread_scratch_bytes =
      static_cast<std::size_t>(run.columns + run.tile() + row.scratch_elements(product)) * sizeof(T);
  step.reason = concat("patches of ", run.block, " pixels, then a product; ");
  if (row.packing != nullptr) {
    if (context.is_constant(run.weight)) {
      run.packed = packed_conv_weight(context, run.weight, product, row);
    } else {
      step.scratch_bytes = static_cast<std::size_t>(row.packed_elements(product)) * sizeof(T);
      step.reason += "weights are computed, and packed at every run; ";
    }
  }
  step.run = std::move(run);
  return step;
}

Step lower_deformable_convolution(LowerContext& context, bool modulated) {
  const Params params = params_of(context.attrs(), context.input(0).shape, modulated);
  const kernels::Target target = context.target();
  const bool plain = target == kernels::Target::ref;
  if (context.input(0).dtype == DType::float64) {
    Step step = deformable_step(context, params, kernels::conv_ref<double>(), modulated);
    step.kernel = concat("deformable_", kernels::conv_ref<double>().name, " [ref]");
    return step;
  }
  const kernels::ConvKernel& row = plain ? kernels::conv_ref<float>() : kernels::conv_gemm(target);
  Step step = deformable_step(context, params, row, modulated);
  step.kernel = concat("deformable_", row.name, " [", kernels::to_string(target), "]");
  return step;
}

OpDef deformable(std::string name, std::string summary, bool modulated) {
  OpDef op;
  op.name = std::move(name);
  op.summary = std::move(summary);
  op.attrs = {graph::tuple_attr("kernel"),
              graph::tuple_attr("stride", "()"),
              graph::tuple_attr("dilate", "()"),
              graph::tuple_attr("pad", "()"),
              graph::integer_attr("num_filter").at_least(1),
              graph::integer_attr("num_group", 1).at_least(1),
              graph::integer_attr("num_deformable_group", 1).at_least(1),
              graph::integer_attr("workspace", 1024).without_effect(),
              graph::flag_attr("no_bias", false),
              graph::choice_attr("layout", {"NCDHW", "NCHW", "NCW"}, "None").optional_none()};
  if (modulated) op.attrs.push_back(graph::integer_attr("im2col_step", 64).at_least(1).without_effect());
  op.inputs = [modulated](const Attrs& attrs) { return deformable_ports(attrs, modulated); };
  op.infer = [modulated](const InferContext& context) {
    return infer_deformable_convolution(context, modulated);
  };
  op.lower = [modulated](LowerContext& context) { return lower_deformable_convolution(context, modulated); };
  return op;
}

}  // namespace

std::vector<OpDef> deformable_convolution_ops() {
  return {
      deformable("_contrib_DeformableConvolution",
                 "A convolution whose taps are moved by offsets (y, x) and read bilinearly; outside of the "
                 "picture is 0, the half pixel behind its last row and column is that row or column.",
                 false),
      deformable("_contrib_ModulatedDeformableConvolution",
                 "A convolution whose taps are moved by offsets (y, x), read bilinearly and scaled by mask; "
                 "outside of the picture is 0.",
                 true),
  };
}

}  // namespace mxinfer::ops
