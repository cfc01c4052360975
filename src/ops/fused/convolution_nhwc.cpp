// _mxinfer_convolution_nhwc: what a pass makes of a Convolution whose weights are parameters. Its data and
// output are channels-last; its weights are Convolution's own, so that the model keeps one copy of them.
#include "ops/fused/convolution_nhwc.h"

#include "base/fail.h"
#include "ops/common/unify_sizes.h"
#include "ops/layout/channels_last.h"

namespace mxinfer::ops {
namespace {

/// The shape of data in channels-first order, (N, C, spatial...).
Shape nchw_shape(const Attrs& attrs, const Shape& data) {
  return attrs.flag("planes") ? data : to_channels_first(data);
}

}  // namespace

std::vector<AttrSpec> conv_nhwc_attrs() {
  std::vector<AttrSpec> attrs = conv_attr_specs(false);
  for (const char* flag : {"planes", "border"}) attrs.push_back(graph::flag_attr(flag, false));
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

namespace {

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

}  // namespace

std::vector<OpDef> convolution_nhwc() {
  OpDef op;
  op.name = "_mxinfer_convolution_nhwc";
  op.made_by_passes = true;
  op.traits.per_sample = always_per_sample;
  op.traits.output_rank = always_same_rank;
  op.summary =
      "Made by a pass: Convolution whose data and output are channels-last, (N, spatial..., C); with planes, "
      "data is channels-first. border holds the value of data outside its bounds, for each channel.";
  op.attrs = conv_nhwc_attrs();
  op.inputs = conv_nhwc_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.strided_output = [](const Attrs&, std::size_t) { return true; };
  op.traits.strided_input = [](const Attrs& attrs, std::size_t) { return !attrs.flag("planes"); };
  op.infer = [](const InferContext& context) { return std::vector<TensorType>{infer_conv_nhwc(context)}; };
  op.unify = unify_batch;
  op.implementations = implementations_nhwc;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
