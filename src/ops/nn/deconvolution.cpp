// Deconvolution: a transposed convolution, as a matrix product whose columns are then folded into the output.
#include <optional>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "kernels/deconv/deconv.h"
#include "ops/common/unify_sizes.h"
#include "ops/fused/fused_epilogue.h"
#include "ops/nn/conv_params.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

using kernels::volume;

PortNames deconvolution_ports(const Attrs& attrs) {
  if (attrs.flag("no_bias")) return {{"data", "weight"}};
  return {{"data", "weight", "bias"}};
}

/// Pads and output sizes: from pad and adj, or from target_shape where one of its elements is not 0.
struct Placement {
  kernels::Spatial pad, output;
};

/// Spatial dimension i (0..2) as people count it.
std::size_t number(const ConvParams& p, std::size_t i) {
  return i + p.rank - 3;
}

std::int64_t uncut_size(const ConvParams& p, std::size_t i) {
  return p.stride[i] * (p.input[i] - 1) + p.reach(i);
}

Placement place_at_target(const ConvParams& p, const kernels::Spatial& target) {
  Placement result{{0, 0, 0}, {1, 1, 1}};
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

Placement place_taps(const Attrs& attrs, const ConvParams& p) {
  const kernels::Spatial target = spatial_attr(attrs, "target_shape", p.rank, 0, 0);
  if (target != kernels::Spatial{0, 0, 0}) return place_at_target(p, target);
  const kernels::Spatial adj = spatial_attr(attrs, "adj", p.rank, 0, 0);
  Placement result{p.pad, {1, 1, 1}};
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
  const Shape& data = context.shape(0);
  const ConvParams p = conv_params(context.attrs, data);
  expect_shape(context, 1, "weight", with_kernel(data[1], p.filters / p.groups, p),
               concat("channels of data, num_filter / num_group, kernel; data is ", to_string(data),
                      ", num_filter is ", p.filters, ", num_group is ", p.groups));
  if (p.bias) expect_shape(context, 2, "bias", Shape{p.filters}, "num_filter");
  return {{context.dtype(0), with_spatial(data[0], p.filters, place_taps(context.attrs, p).output, p.rank)}};
}

kernels::DeconvShape deconv_shape(const LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const ConvParams p = conv_params(context.attrs(), data);
  const Placement placement = place_taps(context.attrs(), p);
  kernels::DeconvShape shape = to_kernel_shape(p, data, context.threads());
  shape.pad = placement.pad;
  shape.output = placement.output;
  return shape;
}

/// The weights as the row of the product wants them.
template <typename T>
void prepare_weight(const kernels::DeconvShape& shape, const kernels::ConvRow<T>& row, const T* weight,
                    T* transposed, T* prepared) {
  if (row.packing == nullptr) {
    kernels::transpose_deconv_weight(shape, weight, prepared);
  } else {
    kernels::transpose_deconv_weight(shape, weight, transposed);
    row.pack(kernels::column_shape(shape), transposed, prepared);
  }
}

/// Where things lie in the step's scratch, in elements: the columns of one image come first.
struct Scratch {
  std::int64_t transposed, prepared, total;
};

/// a * b rounded up to whole cache lines, which also keeps sums of a few of them far from overflow.
std::int64_t elements_of(std::int64_t a, std::int64_t b) {
  const std::optional<std::int64_t> product = checked_mul(a, b);
  if (!product || *product > (std::int64_t{1} << 48)) {
    fail(ErrorCode::out_of_memory, "its columns would take ", a, " x ", b, " elements");
  }
  return round_up(*product, 16);
}

template <typename T>
Scratch lay_out(const kernels::ConvShape& product, const kernels::ConvRow<T>& row, bool constant_weight) {
  const std::int64_t weight = elements_of(product.filters, product.depth());
  Scratch scratch{};
  std::int64_t end = elements_of(product.filters, volume(product.output));
  scratch.transposed = end;
  if (!constant_weight && row.packing != nullptr) end += weight;
  scratch.prepared = end;
  if (!constant_weight) end += row.packing == nullptr ? weight : elements_of(row.packed_elements(product), 1);
  scratch.total = end;
  return scratch;
}

template <typename T>
const T* packed_deconvolution_weight(LowerContext& context, const kernels::DeconvShape& shape,
                                     const kernels::ConvRow<T>& row) {
  if (!context.is_constant(1)) return nullptr;
  const kernels::ConvShape product = kernels::column_shape(shape);
  const std::int64_t elements =
      row.packing == nullptr ? product.weight_elements() : row.packed_elements(product);
  const std::string packing =
      concat("deconv ", row.packing == nullptr ? "transposed" : row.packing, " groups=", shape.groups);
  const auto pack = [shape, &row](const TensorView& weight, std::byte* dst) {
    Tensor transposed = Tensor::uninitialized(weight.dtype(), weight.shape());
    prepare_weight(shape, row, weight.data<T>(), transposed.data<T>(), reinterpret_cast<T*>(dst));
  };
  return reinterpret_cast<const T*>(
      context.packed(1, packing, static_cast<std::size_t>(elements) * sizeof(T), pack));
}

/// What a run needs to know; image by image, so that the columns of one image are all that scratch holds.
template <typename T>
struct Deconvolution {
  kernels::ConvArgs<T> product;
  kernels::FoldArgs<T> folding;
  const kernels::ConvRow<T>* row;
  const T* packed;  ///< null where weights are computed
  bool bias;
  Scratch layout;
  std::int64_t batch;

  void run(const RunContext& context) const {
    T* scratch = reinterpret_cast<T*>(context.scratch);
    kernels::ConvArgs<T> p = product;
    p.weight = packed;
    if (packed == nullptr) {
      T* prepared = scratch + layout.prepared;
      prepare_weight(folding.shape, *row, context.input<T>(1), scratch + layout.transposed, prepared);
      p.weight = prepared;
    }
    p.dst = scratch;
    kernels::FoldArgs<T> f = folding;
    f.columns = scratch;
    if (bias) f.bias = context.input<T>(2);
    const std::int64_t src_image = p.shape.channels * volume(p.shape.input);
    const std::int64_t dst_image = f.shape.filters * volume(f.shape.output);
    for (std::int64_t n = 0; n < batch; ++n) {
      p.src = context.input<T>(0) + n * src_image;
      f.dst = context.output<T>(0) + n * dst_image;
      parallel_for(row->tasks(p.shape), 1, [&](std::int64_t begin, std::int64_t end) {
        row->run(p, begin, end, reinterpret_cast<T*>(context.my_scratch()));
      });
      parallel_for(kernels::fold_tasks(f.shape), 1,
                   [&](std::int64_t begin, std::int64_t end) { fold(f, begin, end); });
    }
  }
};

template <typename T>
Step deconvolution_step(LowerContext& context, kernels::DeconvShape shape, const kernels::ConvRow<T>& row) {
  Deconvolution<T> deconvolution{};
  deconvolution.batch = std::exchange(shape.batch, 1);
  const kernels::ConvShape product = kernels::column_shape(shape);
  deconvolution.layout = lay_out(product, row, context.is_constant(1));
  deconvolution.product.shape = product;
  deconvolution.folding.shape = shape;
  deconvolution.folding.epilogue = kernel_epilogue(context.epilogue());
  deconvolution.row = &row;
  deconvolution.packed = packed_deconvolution_weight(context, shape, row);
  deconvolution.bias = !context.attrs().flag("no_bias");

  Step step;
  step.flops = 2.0 * static_cast<double>(deconvolution.batch * product.filters) *
               static_cast<double>(volume(product.output) * product.depth());
  step.scratch_bytes = static_cast<std::size_t>(deconvolution.layout.total) * sizeof(T);
  step.thread_scratch_bytes = static_cast<std::size_t>(row.scratch_elements(product)) * sizeof(T);
  step.run = [deconvolution](const RunContext& run) { deconvolution.run(run); };
  return step;
}

Step lower_deconvolution(LowerContext& context) {
  const kernels::DeconvShape shape = deconv_shape(context);
  if (context.input(0).dtype == DType::float64) {
    Step step = deconvolution_step(context, shape, kernels::conv_ref<double>());
    step.kernel = "deconv_fold_f64 [ref]";
    step.reason = "float64 has the reference kernel only";
    return step;
  }
  const char* reason = "";
  const kernels::ConvKernel& row = context.target() == kernels::Target::ref
                                       ? select_conv(shape, context.target(), &reason)
                                       : kernels::conv_gemm(context.target());
  Step step = deconvolution_step(context, shape, row);
  step.kernel = concat("deconv_fold_f32 [", kernels::to_string(context.target()), "]");
  step.reason = concat("a product by ", row.name, ", then its columns are folded into the output");
  return step;
}

}  // namespace

std::vector<OpDef> deconvolution() {
  OpDef op;
  op.name = "Deconvolution";
  op.aliases = {"_npx_deconvolution"};
  op.summary =
      "a transposed convolution: dst[n, m, i * stride + k * dilate - pad] sums weight[c, m, k] * data[n, c, "
      "i], plus "
      "bias[m]";
  op.attrs = conv_attr_specs(true);
  op.attrs.push_back(graph::tuple_attr("adj", "()"));
  op.attrs.push_back(graph::tuple_attr("target_shape", "()"));
  op.inputs = deconvolution_ports;
  op.fuses_activation = true;
  op.traits.output_rank = always_same_rank;
  op.traits.per_sample = always_per_sample;
  op.traits.input_shape = [](const Attrs&, const Shape& weight) -> std::optional<Shape> {
    if (weight.rank() < 3) return std::nullopt;
    Shape shape{-1, weight[0]};
    while (shape.rank() < weight.rank()) shape.push_back(-1);
    return shape;
  };
  op.infer = infer_deconvolution;
  op.unify = unify_batch;
  op.lower = lower_deconvolution;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
