#include "ops/cuda/convolution/cuda_conv_operands.h"

#include "ops/fused/post_op_inputs.h"

namespace mxinfer::ops {

void ConvOperands::set(const RunContext& run, kernels::DeviceConv* conv) const {
  conv->src = run.input<float>(0);
  conv->weight = weight != nullptr ? weight : run.scratch + weight_at;
  if (border) conv->border = run.input<float>(*border);
  if (bias) conv->epilogue.bias = run.input<float>(*bias);
  if (slopes) conv->epilogue.slopes = run.input<float>(*slopes);
  if (residual) conv->epilogue.residual = run.input<float>(*residual);
  conv->epilogue.dst = run.output<float>(0);
}

ConvOperands conv_operands(const LowerContext& context, const CudaConv& conv) {
  ConvOperands operands;
  operands.bias = conv.bias;
  operands.border = conv.border;
  operands.slopes = slopes_input(context, conv.sizes.epilogue.filters);
  operands.residual = residual_input(context);
  return operands;
}

void set_row_strides(const LowerContext& context, kernels::DeviceConv* conv) {
  kernels::set_row_strides(context.input(0).row_stride, context.output(0).row_stride, conv);
}

double conv_flops(const kernels::DeviceConv& c) {
  // Of a transposed one each input meets each tap of a filter.
  const double positions = c.transposed ? static_cast<double>(c.batch) * c.input[0] * c.input[1] * c.input[2]
                                        : static_cast<double>(c.batch * c.epilogue.positions);
  return 2.0 * positions * static_cast<double>(c.epilogue.filters) * c.channels * c.taps();
}

kernels::Work products_work(double products) {
  kernels::Work work;
  work.flops = 2 * products;
  return work;
}

}  // namespace mxinfer::ops
