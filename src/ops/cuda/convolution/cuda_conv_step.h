// Operators that are a convolution or a transposed one on a GPU: the choice of a kernel, and its step.
//
//   CudaConv conv{device_conv(problem, Direction::forward, SrcLayout::nhwc)};
//   conv.bias = 2;
//   return cuda_convolution(conv, node.precision(), device);
#pragma once

#include "kernels/conv/device_conv.h"
#include "ops/cuda/cuda_op.h"
#include "ops/cuda/float_operands.h"

namespace mxinfer::ops {

/// Sizes and layouts, and which inputs are what; input 0 is the data, input 1 the weights.
struct CudaConv {
  kernels::DeviceConv sizes;
  std::optional<std::size_t> bias{}, border{};
  bool has_weights_of_model = false;  ///< they are a parameter
};

/// Where post-ops have the slopes of PReLU, if they have any.
std::optional<std::size_t> conv_slopes(const OpProblem& node);

/// The implementations of a node, whose output 0 they write. GEMMs of float32 multiply in `precision`,
/// kernels without tiles in float32: they wait for memory. Of 16-bit values both use what the values are. The
/// residual and PReLU slopes are where post-ops have them (ops/common/post_op_inputs.h). Weights that are
/// parameters are packed once, others in each run.
Implementations cuda_convolution(const CudaConv& conv, kernels::Precision precision,
                                 const device::CudaDevice& device);

/// The inputs of a step, and where its parts of scratch memory are, in bytes.
struct ConvOperands {
  FloatVector bias, slopes;
  std::optional<StoredOperand> border{};
  std::optional<std::size_t> residual{};
  const void* weight = nullptr;  ///< packed; null if that is made in each run
  std::size_t weight_at = 0, partial_at = 0;

  void set(const RunContext& run, kernels::DeviceConv* conv) const;
};

/// Without weights and scratch memory.
ConvOperands conv_operands(LowerContext& context, const CudaConv& conv);

/// How far the rows of input 0 and output 0 lie apart.
void set_row_strides(const LowerContext& context, kernels::DeviceConv* conv);

/// Additions and multiplications of the sums as the operator defines them.
double conv_flops(const kernels::DeviceConv& conv);

/// An estimate by which implementations are compared: multiplications of one multiprocessor.
kernels::Work products_work(double products);

/// In tiles of 4 x 4 outputs and of 2 x 2, in float32. They reject other filters, 16-bit floats, and weights
/// that are computed.
std::vector<Implementation> cuda_winograd(const CudaConv& conv, kernels::Precision precision,
                                          const device::CudaDevice& device);

}  // namespace mxinfer::ops
