// _mxinfer_convolution_nhwc: what a pass makes of a Convolution whose weights are parameters. Its data and
// output are channels-last; its weights are Convolution's own, so that the model keeps one copy of them.
#include "base/fail.h"
#include "kernels/conv_nhwc/conv_nhwc.h"
#include "ops/channels_last.h"
#include "ops/convolution_step.h"

namespace mxinfer::ops {
namespace {

/// The shape of data as Convolution has it, (N, C, spatial...).
Shape planes_shape(const Attrs& attrs, const Shape& data) {
  return attrs.flag("planes") ? data : to_channels_first(data);
}

std::vector<TensorType> infer(const InferContext& context) {
  expect_float_inputs(context);
  const Shape data = planes_shape(context.attrs, context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  return {{context.dtype(0), to_channels_last(with_spatial(data[0], p.filters, conv_output(p), p.rank))}};
}

Step lower(LowerContext& context) {
  const Shape data = planes_shape(context.attrs(), context.input(0).shape);
  const ConvParams p = conv_params(context.attrs(), data);
  kernels::ConvShape shape = to_kernel_shape(p, data, context.threads());
  shape.output = conv_output(p);
  const kernels::Source source =
      context.attrs().flag("planes") ? kernels::Source::channels_first : kernels::Source::channels_last;
  const char* reason = "";
  const kernels::ConvKernel& row = kernels::select_conv_nhwc(shape, source, context.target(), &reason);
  Step step = convolution_step(context, shape, row);
  step.kernel = concat(row.name, " [", kernels::to_string(context.target()), "]");
  step.reason += reason;
  return step;
}

}  // namespace

std::vector<OpDef> convolution_nhwc() {
  OpDef op;
  op.name = "_mxinfer_convolution_nhwc";
  op.summary =
      "Made by a pass: Convolution whose data and output are channels-last, (N, spatial..., C); with planes, "
      "data "
      "is channels-first.";
  op.attrs = conv_attr_specs(false);
  op.attrs.push_back(graph::flag_attr("planes", false));
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer;
  op.lower = lower;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
