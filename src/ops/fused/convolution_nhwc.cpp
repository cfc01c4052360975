// _mxinfer_convolution_nhwc: what a pass makes of a Convolution whose weights are parameters. Its data and
// output are channels-last; its weights are Convolution's own, so that the model keeps one copy of them.
// _mxinfer_convolution_bf16 and _mxinfer_fully_connected_bf16: what a pass makes of a channels-last
// convolution and of a FullyConnected for precision bfloat16. Data and residual are bfloat16, weights and
// bias the float32 parameters that the model has, the output bfloat16 or, with `wide`, float32.
#include "ops/fused/convolution_nhwc.h"

#include "kernels/conv/conv.h"
#include "ops/common/products.h"
#include "ops/layout/channels_last.h"
#include "ops/nn/convolution/convolution_step.h"

namespace mxinfer::ops {
namespace {

/// The shape of data in channels-first order, (N, C, spatial...).
Shape nchw_shape(const Attrs& attrs, const Shape& data) {
  return attrs.flag("planes") ? data : to_channels_first(data);
}

Implementations implementations_nhwc(const OpProblem& node) {
  const kernels::ConvProblem problem = conv_nhwc_problem(node);
  return conv_implementations(problem, node.target(),
                              [problem](LowerContext& context, const kernels::ConvImpl& impl) {
                                ConvExtras extras = conv_nhwc_extras(context.attrs());
                                extras.src_stride = context.input(0).row_stride;
                                extras.dst_stride = context.output(0).row_stride;
                                return convolution_step(context, problem, impl, extras);
                              });
}

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
                                extras.dst_stride = context.output(0).row_stride;
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
  OpDef op{.name = "_mxinfer_convolution_bf16", .made_by_passes = true};
  op.summary =
      "Made by a pass: Convolution of channels-last bfloat16 data; with wide, its output is float32.";
  op.attrs = conv_attr_specs(false);
  op.attrs.push_back(flag_attr("wide", false));
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.per_sample = always_per_sample;
  // The kernels have one row stride for output and residual.
  op.traits.strided_output = [](const graph::Node& node, DType dtype, std::size_t) {
    return dtype == DType::bfloat16 && !node.post_ops.residual;
  };
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
  kernels::ConvProblem problem{.channels = matrix.depth, .type = kernels::ConvType::bfloat16};
  problem.filters = node.attrs().integer("num_hidden");
  problem.input = problem.output = {1, 1, matrix.rows};
  problem.task_hint = task_hint(node.threads());
  return product_implementations(node, problem);
}

}  // namespace

std::vector<AttrSpec> conv_nhwc_attrs() {
  std::vector<AttrSpec> attrs = conv_attr_specs(false);
  for (const char* flag : {"planes", "border", "adds_last"}) attrs.push_back(flag_attr(flag, false));
  return attrs;
}

PortNames conv_nhwc_ports(const Attrs& attrs) {
  PortNames names = convolution_ports(attrs);
  if (attrs.flag("border")) names.names.emplace_back("border");
  return names;
}

ConvExtras conv_nhwc_extras(const Attrs& attrs) {
  ConvExtras extras;
  if (attrs.flag("border")) extras.border = attrs.flag("no_bias") ? 2 : 3;
  extras.adds_last = attrs.flag("adds_last");
  return extras;
}

TensorType infer_conv_nhwc(const InferContext& context) {
  expect_float_inputs(context);
  const Shape data = nchw_shape(context.attrs, context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  const ConvExtras extras = conv_nhwc_extras(context.attrs);
  if (extras.border) expect_shape(context, *extras.border, "border", Shape{data[1]}, "channels");
  return {context.dtype(0), to_channels_last(with_spatial(data[0], p.filters, conv_output(p), p.rank))};
}

kernels::ConvProblem in_fewest_dimensions(kernels::ConvProblem s) {
  const auto is_pointwise = [&](std::size_t d) {
    return s.kernel[d] == 1 && s.stride[d] == 1 && s.pad[d] == 0;
  };
  if (s.input[0] == 1 && s.output[0] == 1) return s;
  if (is_pointwise(0)) {
    s.batch *= s.input[0];
    s.input[0] = s.output[0] = s.dilate[0] = 1;
  } else if (is_pointwise(1) && is_pointwise(2)) {
    const auto moved = [](const kernels::Spatial& v, std::int64_t last) {
      return kernels::Spatial{1, v[0], last};
    };
    const std::int64_t plane = s.input[1] * s.input[2];
    s.input = moved(s.input, plane);
    s.output = moved(s.output, plane);
    s.kernel = moved(s.kernel, 1);
    s.stride = moved(s.stride, 1);
    s.dilate = moved(s.dilate, 1);
    s.pad = {0, s.pad[0], 0};
  }
  return s;
}

kernels::ConvProblem conv_nhwc_problem(const OpProblem& context) {
  const bool planes = context.attrs().flag("planes");
  const Shape data = nchw_shape(context.attrs(), context.input(0).shape);
  kernels::ConvProblem problem = conv_problem(context.attrs(), data, context.threads());
  if (!planes) return in_fewest_dimensions(problem);
  problem.src_layout = kernels::SrcLayout::nchw;
  return problem;
}

std::vector<OpDef> convolution_nhwc() {
  OpDef op{.name = "_mxinfer_convolution_nhwc", .made_by_passes = true};
  op.traits.per_sample = always_per_sample;
  op.traits.output_rank = always_same_rank;
  op.summary =
      "Made by a pass: Convolution whose data and output are channels-last, (N, spatial..., C); with planes, "
      "data is channels-first. border holds the value of data outside its bounds, for each channel.";
  op.attrs = conv_nhwc_attrs();
  op.inputs = conv_nhwc_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.strided_output = strided_float32;
  op.traits.strided_input = [](const graph::Node& node, DType dtype, std::size_t) {
    return dtype == DType::float32 && !node.attrs.flag("planes");
  };
  op.infer = [](const InferContext& context) { return std::vector<TensorType>{infer_conv_nhwc(context)}; };
  op.unify = unify_batch;
  op.implementations = implementations_nhwc;
  return {std::move(op)};
}

std::vector<OpDef> products_bf16() {
  return {
      convolution_op(),
      {.name = "_mxinfer_fully_connected_bf16",
       .summary = "Made by a pass: FullyConnected of bfloat16 data; with wide, its output is float32.",
       .attrs = {integer_attr("num_hidden").at_least(1), flag_attr("no_bias", false),
                 flag_attr("flatten", true), flag_attr("wide", false)},
       .inputs = convolution_ports,
       .made_by_passes = true,
       .fuses_activation = true,
       .fuses_residual = true,
       .infer = infer_fully_connected_bf16,
       .implementations = fully_connected_implementations,
       .unify = unify_rows},
  };
}

}  // namespace mxinfer::ops
