// _mxinfer_convolution_bf16 and _mxinfer_fully_connected_bf16: what a pass makes of a channels-last
// convolution and of a FullyConnected for precision bfloat16. Data and residual are bfloat16, weights and
// bias the float32 parameters that the model has, the output bfloat16 or, with `wide`, float32.
#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/common/matrix_of_data.h"
#include "ops/common/unify_sizes.h"
#include "ops/common/wanted_tasks.h"
#include "ops/fused/convolution_nhwc.h"
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

Step product_step(LowerContext& context, const kernels::ConvProblem& problem) {
  if (!context.is_constant(1)) fail(ErrorCode::internal, "its weight is no parameter");
  std::string reason;
  const kernels::ConvImpl& impl = chosen_conv(context, problem, reason);
  ConvExtras extras;
  extras.dst_is_float32 = context.attrs().flag("wide");
  Step step = convolution_step(context, problem, impl, extras);
  step.reason = reason;
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

kernels::ConvProblem convolution_problem(const LowerContext& context) {
  const Shape data = to_channels_first(context.input(0).shape);
  kernels::ConvProblem problem = conv_problem(context.attrs(), data, context.threads());
  problem.type = kernels::ConvType::bfloat16;
  return in_fewest_dimensions(problem);
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
  op.lower = [](LowerContext& context) { return product_step(context, convolution_problem(context)); };
  op.variants = [](const LowerContext& context) {
    return conv_variants(convolution_problem(context), context.target());
  };
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
  kernels::ConvProblem problem;
  problem.type = kernels::ConvType::bfloat16;
  problem.channels = matrix.depth;
  problem.filters = context.attrs().integer("num_hidden");
  problem.input = problem.output = {1, 1, matrix.rows};
  problem.wanted_tasks = wanted_tasks(context.threads());
  return product_step(context, problem);
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
