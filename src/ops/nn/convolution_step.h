// What Convolution and its channels-last form share: inputs, sizes, and the step of a chosen kernel row.
//
//   step = convolution_step(context, shape, kernels::conv_nhwc_direct(target));
#pragma once

#include <optional>

#include "kernels/conv/conv.h"
#include "ops/nn/conv_params.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

/// Tasks to hand to a thread at once, of so many that are `flops` together: what it then computes is worth
/// the handing over, a few microseconds.
std::int64_t grain_of(std::int64_t tasks, double flops);

PortNames convolution_ports(const Attrs& attrs);

/// The sizes of the output's spatial dimensions; fails where the kernel is larger than the padded data.
kernels::Spatial conv_output(const ConvParams& p);

/// Checks the shapes of weight and bias; `data` is (N, C, spatial...).
void expect_conv_weights(const InferContext& context, const ConvParams& p, const Shape& data);

/// What only a channels-last convolution has: which inputs hold ConvArgs::border and ConvArgs::slopes, an
/// activation that graph::Epilogue does not have, in place of its own, and ConvArgs::src_stride and
/// dst_stride.
struct ConvExtras {
  std::optional<std::size_t> border{}, slopes{};
  std::optional<kernels::Activation> activation{};
  std::int64_t src_stride = 0, dst_stride = 0;
};

/// The step of a chosen row; step.reason is for the caller to complete. Weights that are parameters are
/// packed once for the model, others at every run. T: float, double.
template <typename T>
Step convolution_step(LowerContext& context, const kernels::ConvShape& shape, const kernels::ConvRow<T>& row,
                      const ConvExtras& extras = {});

}  // namespace mxinfer::ops
