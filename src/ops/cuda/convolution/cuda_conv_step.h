// Operators that are a convolution or a transposed one on a GPU: the choice of a kernel, and its step.
//
//   CudaConv conv{device_conv(problem, Direction::forward, SrcLayout::nhwc)};
//   conv.bias = 2;
//   return cuda_convolution(conv, node.precision(), device);
#pragma once

#include <optional>

#include "kernels/conv/device_conv.h"
#include "ops/cuda/cuda_op.h"

namespace mxinfer::ops {

/// Sizes and layouts, and which inputs are what; input 0 is the data, input 1 the weights.
struct CudaConv {
  kernels::DeviceConv sizes;
  std::optional<std::size_t> bias{}, border{};
  bool has_weights_of_model = false;  ///< they are a parameter
};

/// The implementations of a node, whose output 0 they write. GEMMs multiply in `precision`, kernels without
/// tiles in float32: they wait for memory. The residual and PReLU slopes are where post-ops have them
/// (ops/fused/post_op_inputs.h). Weights that are parameters are packed once, others in each run.
Implementations cuda_convolution(const CudaConv& conv, kernels::Precision precision,
                                 const device::CudaDevice& device);

}  // namespace mxinfer::ops
