// _mxinfer_convolution_bf16 and _mxinfer_fully_connected_bf16: what a pass makes of a channels-last
// convolution and of a FullyConnected for precision bfloat16. Data and residual are bfloat16, weights and
// bias the float32 parameters that the model has, the output bfloat16 or, with `wide`, float32.
#include "base/fail.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "ops/common/matrix_of_data.h"
#include "ops/common/unify_sizes.h"
#include "ops/common/wanted_tasks.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/fused/fused_epilogue.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/convolution_step.h"

namespace mxinfer::ops {
namespace {

// Data is bfloat16, and so is the residual behind weight and bias; those are float32.
void expect_dtypes(const InferContext& context) {
  const std::size_t parameters = context.attrs.flag("no_bias") ? 1 : 2;
  for (std::size_t i = 0; i < context.count(); ++i) {
    const DType expected = i >= 1 && i <= parameters ? DType::float32 : DType::bfloat16;
    if (context.dtype(i) == expected) continue;
    fail(ErrorCode::invalid_argument, "input ", i, " is ", to_string(context.dtype(i)), ": expected ",
         to_string(expected));
  }
}

DType output_dtype(const Attrs& attrs) {
  return attrs.flag("wide") ? DType::float32 : DType::bfloat16;
}

const std::uint32_t* packed_weight(LowerContext& context, const kernels::ConvShape& shape,
                                   const kernels::ConvBf16Algorithm& algorithm) {
  const auto bytes = static_cast<std::size_t>(algorithm.packed_pairs(shape)) * sizeof(std::uint32_t);
  const auto pack = [shape, &algorithm](const TensorView& weight, std::byte* dst) {
    algorithm.pack(shape, weight.data<float>(), reinterpret_cast<std::uint32_t*>(dst));
  };
  const std::string packing = concat(algorithm.packing, " groups=", shape.groups);
  return reinterpret_cast<const std::uint32_t*>(context.packed(1, packing, bytes, pack));
}

Step product_step(LowerContext& context, const kernels::ConvShape& shape,
                  const kernels::ConvBf16Kernel& kernel, const std::string& reason) {
  if (!context.is_constant(1)) fail(ErrorCode::internal, "its weight is no parameter");
  kernels::ConvBf16Args args;
  args.shape = shape;
  args.epilogue = kernel_epilogue(context.epilogue());
  if (kernel.algorithm->packing != nullptr) {
    args.panels = packed_weight(context, shape, *kernel.algorithm);
  } else {
    args.weight = context.constant(1)->data<float>();
  }

  Step step;
  step.kernel = concat(kernel.name, " [", kernels::to_string(context.target()), "]");
  step.reason = reason;
  step.flops =
      2.0 * static_cast<double>(context.output(0).shape.elements()) * static_cast<double>(shape.depth());
  step.thread_scratch_bytes = kernel.scratch_bytes(shape);
  const std::int64_t tasks = kernel.tasks(shape);
  step.run = [args, &kernel, tasks, grain = grain_of(tasks, step.flops),
              bias = !context.attrs().flag("no_bias"), residual = residual_input(context),
              wide = context.attrs().flag("wide")](const RunContext& run) {
    kernels::ConvBf16Args a = args;
    a.src = run.input<kernels::BFloat16>(0);
    if (bias) a.bias = run.input<float>(2);
    if (residual) a.residual = run.input<kernels::BFloat16>(*residual);
    if (wide) {
      a.wide = run.output<float>(0);
    } else {
      a.dst = run.output<kernels::BFloat16>(0);
    }
    parallel_for(tasks, grain,
                 [&](std::int64_t begin, std::int64_t end) { kernel.run(a, begin, end, run.my_scratch()); });
  };
  return step;
}

std::vector<TensorType> infer_convolution_bf16(const InferContext& context) {
  expect_dtypes(context);
  const Shape data = to_channels_first(context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  return {{output_dtype(context.attrs),
           to_channels_last(with_spatial(data[0], p.filters, conv_output(p), p.rank))}};
}

kernels::ConvShape convolution_shape(const LowerContext& context) {
  const Shape data = to_channels_first(context.input(0).shape);
  const ConvParams p = conv_params(context.attrs(), data);
  kernels::ConvShape shape = to_kernel_shape(p, data, context.threads());
  shape.output = conv_output(p);
  return in_fewest_dimensions(shape);
}

Variants convolution_variants(const LowerContext& context) {
  kernels::ConvShape shape = convolution_shape(context);
  const auto candidates = kernels::conv_bf16_candidates(shape, context.target());
  shape.wanted_tasks = 1;  // what the choice is by must not depend on the number of threads
  Variants result{"bfloat16, " + describe({shape, kernels::Source::channels_last}), {}};
  for (const kernels::ConvBf16Candidate& candidate : candidates) {
    Variant variant{candidate.kernel->name, candidate.reason, candidate.kernel->work(shape), 0};
    if (candidate.kernel->transforms != nullptr) {
      variant.bounded_bytes =
          static_cast<std::size_t>(candidate.kernel->algorithm->packed_pairs(shape)) * sizeof(std::uint32_t);
    }
    result.all.push_back(std::move(variant));
  }
  return result;
}

Step lower_convolution_bf16(LowerContext& context) {
  const kernels::ConvShape shape = convolution_shape(context);
  if (context.variant() == nullptr) {
    const char* reason = "";
    const auto& kernel = kernels::select_conv_bf16(shape, context.target(), &reason);
    return product_step(context, shape, kernel, reason);
  }
  for (const auto& candidate : kernels::conv_bf16_candidates(shape, context.target())) {
    if (candidate.kernel->name == context.variant()->kernel)
      return product_step(context, shape, *candidate.kernel, context.variant()->reason);
  }
  fail(ErrorCode::internal, "kernel ", context.variant()->kernel, " does not compute this shape");
}

OpDef convolution_op() {
  OpDef op;
  op.name = "_mxinfer_convolution_bf16";
  op.made_by_passes = true;
  op.summary =
      "Made by a pass: Convolution of bfloat16 data that is channels-last; with wide, its output is float32.";
  op.attrs = conv_attr_specs(false);
  op.attrs.push_back(graph::flag_attr("wide", false));
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer_convolution_bf16;
  op.unify = unify_batch;
  op.lower = lower_convolution_bf16;
  op.variants = convolution_variants;
  return op;
}

std::vector<TensorType> infer_fully_connected_bf16(const InferContext& context) {
  expect_dtypes(context);
  const bool flatten = context.attrs.flag("flatten");
  const std::int64_t hidden = context.attrs.integer("num_hidden");
  const std::int64_t depth = as_matrix(context.shape(0), flatten).depth;
  expect_shape(context, 1, "weight", Shape{hidden, depth},
               concat("num_hidden, elements of a row of data; data is ", to_string(context.shape(0))));
  if (!context.attrs.flag("no_bias")) expect_shape(context, 2, "bias", Shape{hidden}, "num_hidden");
  Shape output = context.shape(0);
  if (flatten) output = Shape{output[0], hidden};
  output[output.rank() - 1] = hidden;
  return {{output_dtype(context.attrs), output}};
}

/// A row of data is a position, and its elements are channels.
Step lower_fully_connected_bf16(LowerContext& context) {
  const Matrix matrix = as_matrix(context.input(0).shape, context.attrs().flag("flatten"));
  kernels::ConvShape shape;
  shape.channels = matrix.depth;
  shape.filters = context.attrs().integer("num_hidden");
  shape.input = shape.output = {1, 1, matrix.rows};
  shape.wanted_tasks = wanted_tasks(context.threads());
  const char* reason = "";
  const auto& kernel = kernels::select_conv_bf16(shape, context.target(), &reason);
  return product_step(context, shape, kernel, reason);
}

OpDef fully_connected_op() {
  OpDef op;
  op.name = "_mxinfer_fully_connected_bf16";
  op.made_by_passes = true;
  op.summary = "Made by a pass: FullyConnected of bfloat16 data; with wide, its output is float32.";
  op.attrs = {graph::integer_attr("num_hidden").at_least(1), graph::flag_attr("no_bias", false),
              graph::flag_attr("flatten", true), graph::flag_attr("wide", false)};
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer_fully_connected_bf16;
  op.unify = unify_rows;
  op.lower = lower_fully_connected_bf16;
  return op;
}

}  // namespace

std::vector<OpDef> products_bf16() {
  return {convolution_op(), fully_connected_op()};
}

}  // namespace mxinfer::ops
