// What the steps of convolutions on a GPU have in common: the addresses of their operands, and estimates.
#pragma once

#include <optional>

#include "ops/cuda/convolution/cuda_conv_step.h"

namespace mxinfer::ops {

/// The inputs of a step, and where its parts of scratch memory are, in bytes.
struct ConvOperands {
  std::optional<std::size_t> bias, border, slopes, residual;
  const void* weight = nullptr;  ///< packed; null if that is made in each run
  std::size_t weight_at = 0, partial_at = 0;

  /// Sets the addresses of a run.
  void set(const RunContext& run, kernels::DeviceConv* conv) const;
};

/// Without weights and scratch memory.
ConvOperands conv_operands(const LowerContext& context, const CudaConv& conv);

/// How far the rows of input 0 and output 0 lie apart.
void set_row_strides(const LowerContext& context, kernels::DeviceConv* conv);

/// Additions and multiplications of the sums as the operator defines them.
double conv_flops(const kernels::DeviceConv& conv);

/// An estimate by which implementations are compared: multiplications of one multiprocessor.
kernels::Work products_work(double products);

}  // namespace mxinfer::ops
