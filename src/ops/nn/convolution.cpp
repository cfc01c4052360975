// Convolution, and Convolution_v1, which means the same.
#include "base/fail.h"
#include "kernels/conv/conv.h"
#include "ops/common/unify_sizes.h"
#include "ops/nn/convolution_layout.h"
#include "ops/nn/convolution_step.h"
#include "ops/op_def.h"

namespace mxinfer::ops {
namespace {

std::vector<TensorType> infer_convolution(const InferContext& context) {
  expect_float_inputs(context);
  const Shape& data = context.shape(0);
  const ConvParams p = conv_params(context.attrs, data);
  expect_conv_weights(context, p, data);
  return {{context.dtype(0), with_spatial(data[0], p.filters, conv_output(p), p.rank)}};
}

kernels::ConvShape conv_shape(const LowerContext& context) {
  const Shape& data = context.input(0).shape;
  const ConvParams p = conv_params(context.attrs(), data);
  kernels::ConvShape shape = to_kernel_shape(p, data, context.threads());
  shape.output = conv_output(p);
  return shape;
}

Step lower_convolution(LowerContext& context) {
  const kernels::ConvShape shape = conv_shape(context);
  const kernels::Target target = context.target();
  if (context.input(0).dtype == DType::float64) {
    Step step = convolution_step(context, shape, kernels::conv_ref<double>());
    step.kernel = concat(kernels::conv_ref<double>().name, " [ref]");
    step.reason += "float64 has the reference kernel only";
    return step;
  }
  const char* reason = "";
  const kernels::ConvKernel& row = kernels::select_conv(shape, target, &reason);
  Step step = convolution_step(context, shape, row);
  step.kernel = concat(row.name, " [", kernels::to_string(target), "]");
  step.reason += reason;
  return step;
}

OpDef convolution_def(std::string name) {
  OpDef op;
  op.name = std::move(name);
  op.summary =
      "dst[n, m, o] = bias[m] + sum over c, k of weight[m, c, k] * data[n, c, o * stride + k * dilate - "
      "pad], with 1, 2 "
      "or 3 spatial dimensions";
  op.attrs = conv_attr_specs(false);
  op.inputs = convolution_ports;
  op.fuses_activation = true;
  op.fuses_residual = true;
  op.traits.output_rank = always_same_rank;
  op.traits.channels_last = convolution_layout;
  op.traits.begins_channels_last = true;
  op.traits.per_sample = always_per_sample;
  op.traits.input_shape = [](const Attrs& attrs, const Shape& weight) -> std::optional<Shape> {
    if (weight.rank() < 3) return std::nullopt;
    Shape shape{-1, weight[1] * attrs.integer("num_group")};
    while (shape.rank() < weight.rank()) shape.push_back(-1);
    return shape;
  };
  op.infer = infer_convolution;
  op.unify = unify_batch;
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
