// Convolution, and Convolution_v1, which means the same.
#include <algorithm>
#include <array>

#include "kernels/conv/conv.h"
#include "kernels/gemm/gemm_packed.h"
#include "kernels/gemm/transpose.h"
#include "ops/common/post_op_inputs.h"
#include "ops/common/scratch_layout.h"
#include "ops/nn/convolution/convolution_step.h"
#include "ops/nn/packed_products.h"

namespace mxinfer::ops {
namespace {

using kernels::volume;

struct PointwiseConvolution {
  PackedGemms gemms;  ///< one for each group of each image
  std::int64_t groups = 1;
  std::optional<std::size_t> residual{};
  bool bias = false;

  void operator()(const RunContext& run) const {
    const kernels::GemmPackedArgs& sizes = gemms.args;
    gemms.run(reinterpret_cast<float*>(run.scratch), [&](std::int64_t i, auto& pack, auto& args) {
      const std::int64_t dst = i * sizes.rows * sizes.columns;
      pack.b = run.input<float>(0) + i * sizes.depth * sizes.columns;
      args.a = run.input<float>(1) + i % groups * sizes.rows * sizes.depth;
      if (bias) args.row_bias = run.input<float>(2) + i % groups * sizes.rows;
      if (residual) args.residual = run.input<float>(*residual) + dst;
      args.dst = run.output<float>(0) + dst;
    });
  }
};

PackedGemms gemms_of(const kernels::ConvProblem& problem, kernels::Target target) {
  PackedGemms gemms{.kernel = &kernels::select_gemm_packed(target), .count = problem.batch * problem.groups};
  kernels::GemmPackedArgs& args = gemms.args;
  args.rows = problem.group_filters();
  args.columns = volume(problem.output);
  args.depth = args.a_stride = problem.group_channels();
  args.dst_stride = args.residual_stride = args.columns;
  args.task_hint = ceil_div(problem.task_hint, gemms.count);
  gemms.pack.columns = gemms.pack.stride = args.columns;
  gemms.pack.depth = args.depth;
  return gemms;
}

using kernels::volume;

/// Whether the problem is one of these, in float32 and on enough positions to fill vectors. PReLU is not: its
/// slopes would be of rows.
bool is_pointwise_gemm(const LowerContext& context, const kernels::ConvProblem& problem) {
  // With fewer, the copies that a channels-last convolution needs are small beside half-empty vectors.
  constexpr std::int64_t kLeastPositions = 16;
  constexpr kernels::Spatial kOne{1, 1, 1}, kNone{0, 0, 0};
  return context.target() != kernels::Target::ref && problem.type == kernels::ConvType::float32 &&
         problem.kernel == kOne && problem.stride == kOne && problem.pad == kNone &&
         volume(problem.output) >= kLeastPositions &&
         context.post_ops().activation != graph::Activation::prelu;
}

/// Precondition: is_pointwise_gemm(). Inputs are those of Convolution, then the residual if it has one.
Step pointwise_gemm_step(LowerContext& context, const kernels::ConvProblem& problem) {
  PointwiseConvolution convolution{gemms_of(problem, context.target()), problem.groups,
                                   residual_input(context)};
  convolution.gemms.args.post_ops = context.post_ops();
  convolution.bias = !context.attrs().flag("no_bias");
  Step step{.kernel = labelled(convolution.gemms.kernel->name, context.target()),
            .reason = "a GEMM of the weights and each image as they are stored"};
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(problem.depth());
  step.scratch_bytes = convolution.gemms.scratch_bytes();
  step.run = convolution;
  return step;
}

std::vector<TensorType> infer_convolution(const InferContext& context) {
  expect_float_inputs(context);
  const Shape data = channels_first_data(context.attrs, context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  return {
      {context.dtype(0), in_layout(context.attrs, with_spatial(data[0], p.filters, conv_output(p), p.rank))}};
}

/// The reordering of an array between (N, C, positions) and (N, positions, C). Of one channel or one position
/// both are the same.
struct Reordering {
  std::int64_t images, channels, positions;

  bool is_needed() const { return channels > 1 && positions > 1; }
  std::int64_t elements() const { return images * channels * positions; }

  template <typename T>
  void to_channels_last(const T* src, T* dst) const {
    transpose_all(src, dst, channels, positions);
  }
  template <typename T>
  void to_channels_first(const T* src, T* dst) const {
    transpose_all(src, dst, positions, channels);
  }

 private:
  /// Images of rows x columns, in pieces of some columns.
  template <typename T>
  void transpose_all(const T* src, T* dst, std::int64_t rows, std::int64_t columns) const {
    constexpr std::int64_t kPieceElements = 8192;
    const std::int64_t piece = round_up(ceil_div(kPieceElements, rows), 16),
                       pieces = ceil_div(columns, piece);
    parallel_for(images * pieces, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t t = begin; t < end; ++t) {
        const std::int64_t image = t / pieces * rows * columns, first = t % pieces * piece;
        kernels::transpose(src + image + first, columns, dst + image + first * rows, rows,
                           std::min(piece, columns - first));
      }
    });
  }
};

/// Where the inner step of a channels-last convolution finds its operands: those that are reordered in
/// scratch behind its own, the others where they are.
struct ReorderedOperands {
  Reordering src, dst;
  std::size_t src_at = 0, residual_at = 0, dst_at = 0;  ///< bytes from the step's scratch
  bool src_reordered = false, dst_reordered = false;
  std::optional<std::size_t> residual{};
  std::size_t inputs = 0;

  template <typename T>
  void run(const Step& inner, const RunContext& run) const {
    const auto at = [&](std::size_t offset) { return reinterpret_cast<T*>(run.scratch + offset); };
    std::array<const void*, 5> operands{};  // data, weight, bias, slopes, residual
    std::copy_n(run.inputs, inputs, operands.begin());
    void* output = dst_reordered ? run.scratch + dst_at : run.outputs[0];
    if (src_reordered) {
      src.to_channels_last(run.input<T>(0), at(src_at));
      operands[0] = at(src_at);
    }
    if (dst_reordered && residual) {
      dst.to_channels_last(run.input<T>(*residual), at(residual_at));
      operands[*residual] = at(residual_at);
    }
    RunContext context = run;
    context.inputs = operands.data();
    context.outputs = &output;
    inner.run(context);
    if (dst_reordered) dst.to_channels_first(at(dst_at), run.output<T>(0));
  }
};

/// The implementation for weights that are computed, which it packs at every run: none of Winograd's, whose
/// packing takes longer than it saves.
kernels::ConvCandidate computed_weights_impl(const kernels::ConvProblem& problem, kernels::Target target) {
  const std::vector<kernels::ConvCandidate> all = kernels::conv_candidates(problem, target);
  return *std::find_if(all.begin(), all.end(), [](const auto& one) { return !one.impl->winograd; });
}

/// A pass makes channels-last convolutions of those whose weights are float32 parameters; here data and
/// output are reordered around such a convolution.
template <typename T>
Step reordered_step(LowerContext& context, const kernels::ConvProblem& problem) {
  const kernels::ConvCandidate chosen = computed_weights_impl(problem, context.target());
  Step inner = convolution_step(context, problem, *chosen.impl);
  ReorderedOperands operands{{problem.batch, problem.channels, volume(problem.input)},
                             {problem.batch, problem.filters, volume(problem.output)}};
  operands.src_reordered = problem.src_layout == kernels::SrcLayout::nhwc && operands.src.is_needed();
  operands.dst_reordered = operands.dst.is_needed();
  operands.residual = residual_input(context);
  operands.inputs = context.num_inputs();

  Step step;
  ScratchLayout layout(inner.scratch_bytes);
  if (operands.src_reordered) operands.src_at = layout.take<T>(operands.src.elements());
  if (operands.dst_reordered) {
    operands.dst_at = layout.take<T>(operands.dst.elements());
    if (operands.residual) operands.residual_at = layout.take<T>(operands.dst.elements());
  }
  step.kernel = inner.kernel;
  step.reason =
      concat(inner.reason, "data and output are reordered around a channels-last kernel; ", chosen.reason);
  step.flops = inner.flops;
  step.scratch_bytes = layout.bytes();
  step.thread_scratch_bytes = inner.thread_scratch_bytes;
  step.run = [operands, inner = std::move(inner)](const RunContext& run) { operands.run<T>(inner, run); };
  return step;
}

/// Of a batch of none.
Step empty_step() {
  Step step{.kernel = "nothing to compute"};
  step.run = [](const RunContext&) {};
  return step;
}

Step lower_convolution(LowerContext& context) {
  kernels::ConvProblem problem = conv_problem(context.attrs(), context.input(0).shape, context.threads());
  if (problem.batch == 0) return empty_step();
  if (context.input(0).dtype == DType::float32 && is_pointwise_gemm(context, problem))
    return pointwise_gemm_step(context, problem);
  if (kernels::reads_nchw(problem)) problem.src_layout = kernels::SrcLayout::nchw;
  if (context.input(0).dtype != DType::float64) return reordered_step<float>(context, problem);
  problem.type = kernels::ConvType::float64;
  Step step = reordered_step<double>(context, problem);
  step.kernel = concat(kernels::conv_ref(problem).name, " [ref]");
  return step;
}

OpDef convolution_def(std::string name) {
  OpDef op =
      convolution_op(std::move(name), conv_attr_specs(false), convolution_layout, data_for_convolution);
  op.summary =
      "dst[n, m, o] = bias[m] + sum over c, k of weight[m, c, k] * data[n, c, o * stride + k * dilate - "
      "pad], with 1, 2 or 3 spatial dimensions. With layout=NHWC, which MXNet supports on GPUs only, "
      "channels come last in data, weight and output.";
  op.fuses_residual = true;
  op.infer = infer_convolution;
  op.lower = lower_convolution;
  return op;
}

}  // namespace

std::vector<OpDef> convolution() {
  OpDef op = convolution_def("Convolution");
  op.aliases = {"_npx_convolution"};
  return {std::move(op), convolution_def("Convolution_v1")};
}

}  // namespace mxinfer::ops
