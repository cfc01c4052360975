// The GEMM of kernels/gemm/gemm_cuda.h by tensor instructions, for its launcher.
#pragma once

#include "kernels/gemm/gemm_device.h"

namespace mxinfer::kernels::cuda {

/// Launches GemmKernel::tensor_tile for the precision of the arguments, which is not float32.
Status launch_tensor_tile(const GemmArgs& args, const GemmGrid& grid, float* partial, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
