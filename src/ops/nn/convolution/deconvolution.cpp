// Deconvolution: a transposed convolution, as a GEMM whose columns are then folded into the output.
#include "ops/nn/convolution/deconvolution.h"

#include "kernels/deconv/deconv.h"
#include "ops/common/post_op_inputs.h"
#include "ops/nn/convolution/column_product.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {
namespace {

/// Pads and output sizes: from pad and adj, or from target_shape if one of its elements is not 0.
struct DeconvolutionPlacement {
  kernels::Spatial pad, output;
};

/// Spatial dimension i (0..2) as people count it.
std::size_t number(const ConvParams& p, std::size_t i) {
  return i + p.rank - 3;
}

std::int64_t uncut_size(const ConvParams& p, std::size_t i) {
  return p.stride[i] * (p.input[i] - 1) + p.reach(i);
}

DeconvolutionPlacement place_at_target(const ConvParams& p, const kernels::Spatial& target) {
  DeconvolutionPlacement result{{0, 0, 0}, {1, 1, 1}};
  for (std::size_t i = 3 - p.rank; i < 3; ++i) {
    const std::int64_t surplus = uncut_size(p, i) - target[i];
    if (target[i] < 1 || surplus < 0) {
      fail(ErrorCode::invalid_argument, "attribute target_shape asks for ", target[i],
           " in spatial dimension ", number(p, i), ": expected 1 to ", uncut_size(p, i), " for data with ",
           p.input[i]);
    }
    result.pad[i] = (surplus + 1) / 2;
    result.output[i] = target[i];
  }
  return result;
}

using kernels::volume;

DeconvolutionPlacement place_deconvolution(const Attrs& attrs, const ConvParams& p) {
  const kernels::Spatial target = spatial_attr(attrs, "target_shape", p.rank, 0, 0);
  if (target != kernels::Spatial{0, 0, 0}) return place_at_target(p, target);
  const kernels::Spatial adj = spatial_attr(attrs, "adj", p.rank, 0, 0);
  DeconvolutionPlacement result{p.pad, {1, 1, 1}};
  for (std::size_t i = 3 - p.rank; i < 3; ++i) {
    if (adj[i] >= p.stride[i]) {
      fail(ErrorCode::malformed, "attribute adj: ", adj[i], " in spatial dimension ", number(p, i),
           " must be smaller than the stride, ", p.stride[i]);
    }
    result.output[i] = uncut_size(p, i) - 2 * p.pad[i] + adj[i];
    if (result.output[i] < 1) {
      fail(ErrorCode::invalid_argument, "spatial dimension ", number(p, i), " of the output would be ",
           result.output[i], ": data has ", p.input[i], " and pad=", p.pad[i], " is too much for it");
    }
  }
  return result;
}

std::vector<TensorType> infer_deconvolution(const InferContext& context) {
  expect_float_inputs(context);
  const Attrs& attrs = context.attrs;
  const Shape data = channels_first_data(attrs, context.shape(0));
  const ConvParams p = conv_params(attrs, data);
  expect_shape(
      context, 1, "weight", in_layout(attrs, with_kernel(data[1], p.filters / p.groups, p)),
      concat(has_channels_last(attrs) ? "channels of data, kernel, num_filter / num_group; data is "
                                      : "channels of data, num_filter / num_group, kernel; data is ",
             to_string(context.shape(0)), ", num_filter is ", p.filters, ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
  return {{context.dtype(0),
           in_layout(attrs, with_spatial(data[0], p.filters, place_deconvolution(attrs, p).output, p.rank))}};
}

/// a * b rounded up to whole cache lines, which also keeps sums of a few of them far from overflow.
std::int64_t elements_of(std::int64_t a, std::int64_t b) {
  const std::optional<std::int64_t> product = checked_mul(a, b);
  if (!product || *product > (std::int64_t{1} << 48)) {
    fail(ErrorCode::out_of_memory, "its columns would take ", a, " x ", b, " elements");
  }
  return round_up(*product, 16);
}

/// Where things lie in the step's scratch, in elements: the columns of one image come first.
struct Scratch {
  std::int64_t data, weight, total;
};

template <typename T>
Scratch lay_out(const kernels::DeconvShape& shape, const ColumnGemm<T>& product, bool constant_weight) {
  Scratch scratch{};
  scratch.data = elements_of(shape.groups * product.rows, product.columns);
  scratch.weight = scratch.data + elements_of(shape.groups, product.prepared_elements());
  scratch.total = scratch.weight;
  if (!constant_weight) scratch.total += elements_of(shape.groups * product.rows, product.depth);
  return scratch;
}

template <typename T>
const T* transposed_weight(LowerContext& context, const kernels::DeconvShape& shape) {
  if (!context.is_constant(1)) return nullptr;
  const auto pack = [shape](const TensorView& weight, std::byte* dst) {
    kernels::transpose_deconv_weight(shape, weight.data<T>(), reinterpret_cast<T*>(dst));
  };
  const auto bytes =
      static_cast<std::size_t>(shape.filters * volume(shape.kernel) * shape.group_channels()) * sizeof(T);
  return reinterpret_cast<const T*>(
      context.packed(1, concat("deconv transposed groups=", shape.groups), bytes, pack));
}

/// What a run needs to know; image by image, so that the columns of one image are all that scratch holds.
template <typename T>
struct Deconvolution {
  ColumnGemm<T> product;  ///< of a group
  kernels::FoldArgs<T> folding;
  const T* weight;  ///< transposed; null if weights are computed
  bool bias;
  Scratch layout;
  std::int64_t batch;

  void run(const RunContext& context) const {
    T* scratch = reinterpret_cast<T*>(context.scratch);
    const T* transposed = weight;
    if (transposed == nullptr) {
      kernels::transpose_deconv_weight(folding.shape, context.input<T>(1), scratch + layout.weight);
      transposed = scratch + layout.weight;
    }
    kernels::FoldArgs<T> f = folding;
    f.columns = scratch;
    if (bias) f.bias = context.input<T>(2);
    const std::int64_t src_image = f.shape.channels * volume(f.shape.input);
    const std::int64_t dst_image = f.shape.filters * volume(f.shape.output);
    for (std::int64_t n = 0; n < batch; ++n) {
      multiply(context.input<T>(0) + n * src_image, transposed, scratch + layout.data, scratch);
      f.dst = context.output<T>(0) + n * dst_image;
      parallel_for(kernels::fold_tasks(f.shape), 1, [&](auto begin, auto end) { fold(f, begin, end); });
    }
  }

  /// The columns of one image, group by group.
  void multiply(const T* src, const T* transposed, T* prepared, T* columns) const {
    const std::int64_t groups = folding.shape.groups, data = product.depth * product.columns;
    const std::int64_t pieces = product.pieces(), tasks = product.tasks();
    parallel_for(groups * pieces, product.piece_grain(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t group = t / pieces, piece = t % pieces;
        product.prepare(src + group * data, prepared + group * product.prepared_elements(), piece, piece + 1);
      }
    });
    parallel_for(groups * tasks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t group = t / tasks, task = t % tasks;
        product.run(transposed + group * product.rows * product.depth,
                    prepared + group * product.prepared_elements(),
                    columns + group * product.rows * product.columns, product.columns, task, task + 1);
      }
    });
  }
};

template <typename T>
Step deconvolution_step(LowerContext& context, kernels::DeconvShape shape) {
  Deconvolution<T> deconvolution{};
  deconvolution.batch = std::exchange(shape.batch, 1);
  ColumnGemm<T>& product = deconvolution.product;
  product.rows = shape.group_filters() * volume(shape.kernel);
  product.columns = volume(shape.input);
  product.depth = shape.group_channels();
  product.target = context.target();
  product.task_hint = ceil_div(shape.task_hint, shape.groups);
  deconvolution.layout = lay_out(shape, product, context.is_constant(1));
  deconvolution.folding.shape = shape;
  deconvolution.folding.post_ops = context.post_ops();
  deconvolution.weight = transposed_weight<T>(context, shape);
  deconvolution.bias = !context.attrs().flag("no_bias");

  Step step{.flops = 2.0 * static_cast<double>(deconvolution.batch * shape.groups * product.rows) *
                     static_cast<double>(product.columns * product.depth)};
  step.reason = concat("a GEMM by ", product.kernel_name(), ", then its columns are folded into the output");
  step.scratch_bytes = static_cast<std::size_t>(deconvolution.layout.total) * sizeof(T);
  step.run = [deconvolution](const RunContext& run) { deconvolution.run(run); };
  return step;
}

Step lower_deconvolution(LowerContext& context) {
  const kernels::DeconvShape shape = deconvolution_shape(context);
  if (context.input(0).dtype == DType::float64) {
    Step step = deconvolution_step<double>(context, shape);
    step.kernel = "deconv_fold_f64 [ref]";
    step.reason = "float64 has the reference kernel only";
    return step;
  }
  Step step = deconvolution_step<float>(context, shape);
  step.kernel = labelled("deconv_fold_f32", context.target());
  return step;
}

std::optional<Shape> data_for_deconvolution(const Attrs& attrs, const Shape& weight) {
  if (weight.rank() < 3) return std::nullopt;
  return in_layout(attrs, with_channels(weight[0], weight.rank()));
}

}  // namespace

kernels::DeconvShape deconvolution_shape(const OpProblem& context) {
  const Shape& data = context.input(0).shape;
  const ConvParams p = conv_params(context.attrs(), data);
  const DeconvolutionPlacement placement = place_deconvolution(context.attrs(), p);
  kernels::DeconvShape shape = to_conv_problem(p, data, context.threads());
  shape.pad = placement.pad;
  shape.output = placement.output;
  return shape;
}

std::vector<OpDef> deconvolution() {
  OpDef op =
      convolution_op("Deconvolution", conv_attr_specs(true), deconvolution_layout, data_for_deconvolution);
  op.aliases = {"_npx_deconvolution"};
  op.summary =
      "A transposed convolution: dst[n, m, i * stride + k * dilate - pad] sums weight[c, m, k] * data[n, c, "
      "i], plus bias[m]; layout as in Convolution.";
  op.attrs.push_back(tuple_attr("adj", "()"));
  op.attrs.push_back(tuple_attr("target_shape", "()"));
  op.infer = infer_deconvolution;
  op.lower = lower_deconvolution;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
