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

constexpr double kLastActivation = static_cast<double>(kernels::Activation::gelu_tanh);

PortNames ports(const Attrs& attrs) {
  PortNames names = convolution_ports(attrs);
  for (const char* extra : {"border", "slopes"}) {
    if (attrs.flag(extra)) names.names.emplace_back(extra);
  }
  return names;
}

ConvExtras extras_of(const Attrs& attrs) {
  ConvExtras extras;
  std::size_t next = attrs.flag("no_bias") ? 2 : 3;
  if (attrs.flag("border")) extras.border = next++;
  if (attrs.flag("slopes")) extras.slopes = next;
  if (attrs.integer("activation") != 0)
    extras.activation = static_cast<kernels::Activation>(attrs.integer("activation"));
  return extras;
}

std::vector<TensorType> infer(const InferContext& context) {
  expect_float_inputs(context);
  const Shape data = planes_shape(context.attrs, context.shape(0));
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  const ConvExtras extras = extras_of(context.attrs);
  if (extras.border) expect_shape(context, *extras.border, "border", Shape{data[1]}, "channels");
  if (extras.slopes) expect_shape(context, *extras.slopes, "slopes", Shape{p.filters}, "num_filter");
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
  Step step = convolution_step(context, shape, row, extras_of(context.attrs()));
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
      "data is channels-first. border holds what data is outside its bounds, for each channel; slopes, for "
      "each filter, what results are multiplied by where they are not positive; activation, a number of "
      "kernels::Activation.";
  op.attrs = conv_attr_specs(false);
  for (const char* flag : {"planes", "border", "slopes"}) op.attrs.push_back(graph::flag_attr(flag, false));
  op.attrs.push_back(graph::integer_attr("activation", 0).at_least(0).at_most(kLastActivation));
  op.inputs = ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.infer = infer;
  op.lower = lower;
  return {std::move(op)};
}

}  // namespace mxinfer::ops
