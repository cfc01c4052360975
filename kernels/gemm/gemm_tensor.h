// The GEMM of kernels/gemm/gemm_cuda.h by tensor instructions, for its launcher.
#pragma once

#include "kernels/gemm/gemm_device.h"

namespace mxinfer::kernels::cuda {

/// Launches GemmKernel::tensor_round: float32 in memory, the precision of the arguments is float16 or
/// bfloat16.
Status launch_tensor_round(const GemmArgs& args, const GemmGrid& grid, float* partial, const Stream& stream);

/// Launches GemmKernel::tensor_tile. Operands are as they lie in memory; float32 is multiplied as tf32.
Status launch_tensor_tile(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream);

// The same of one type, each in a file of its own.
Status launch_tensor_f16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                         const Stream& stream);
Status launch_tensor_bf16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream);
Status launch_tensor_tf32(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream);

}  // namespace mxinfer::kernels::cuda
