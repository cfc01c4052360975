// _mxinfer_convolution_bf16 and _mxinfer_fully_connected_bf16: what a pass makes of a channels-last
// convolution and of a FullyConnected for precision bfloat16. Data and residual are bfloat16, weights and
// bias the float32 parameters that the model has, the output bfloat16 or, with `wide`, float32.
#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/common/matrix_of_data.h"
#include "ops/common/task_hint.h"
#include "ops/common/unify_sizes.h"
#include "ops/fused/convolution_nhwc.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/convolution/convolution_step.h"

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

Implementations product_implementations(const OpProblem& node, const kernels::ConvProblem& problem) {
  return conv_implementations(problem, node.target(),
                              [problem](LowerContext& context, const kernels::ConvImpl& impl) {
                                if (!context.is_constant(1))
                                  fail(ErrorCode::internal, "its weight is not a parameter");
                                ConvExtras extras;
                                extras.dst_is_float32 = context.attrs().flag("wide");
                                return convolution_step(context, problem, impl, extras);
                              });
}

std::vector<TensorType> infer_convolution_bf16(const InferContext& context) {
  expect_dtypes(context);
  const Shape data = to_channels_first(context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  return {{output_dtype(context.attrs),
           to_channels_last(with_spatial(data[0], p.filters, conv_output(p), p.rank))}};
}

kernels::ConvProblem convolution_problem(const OpProblem& context) {
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
      "Made by a pass: Convolution of channels-last bfloat16 data; with wide, its output is float32.";
  op.attrs = conv_attr_specs(false);
  op.attrs.push_back(graph::flag_attr("wide", false));
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer_convolution_bf16;
  op.unify = unify_batch;
  op.implementations = [](const OpProblem& node) {
    return product_implementations(node, convolution_problem(node));
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
Implementations fully_connected_implementations(const OpProblem& node) {
  const Matrix matrix = as_matrix(node.input(0).shape, node.attrs().flag("flatten"));
  kernels::ConvProblem problem;
  problem.type = kernels::ConvType::bfloat16;
  problem.channels = matrix.depth;
  problem.filters = node.attrs().integer("num_hidden");
  problem.input = problem.output = {1, 1, matrix.rows};
  problem.task_hint = task_hint(node.threads());
  return product_implementations(node, problem);
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
  op.implementations = fully_connected_implementations;
  return op;
}

}  // namespace

std::vector<OpDef> products_bf16() {
  return {convolution_op(), fully_connected_op()};
}

}  // namespace mxinfer::ops
