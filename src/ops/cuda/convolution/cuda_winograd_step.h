// Convolutions of 3 x 3 filters on a GPU by Winograd's minimal filtering (kernels/conv/winograd).
#pragma once

#include "ops/cuda/convolution/cuda_conv_step.h"

namespace mxinfer::ops {

/// In tiles of 4 x 4 outputs and of 2 x 2. They reject other filters, other precisions than float32, and
/// weights that are computed.
std::vector<Implementation> cuda_winograd(const CudaConv& conv, kernels::Precision precision,
                                          const device::CudaDevice& device);

}  // namespace mxinfer::ops
