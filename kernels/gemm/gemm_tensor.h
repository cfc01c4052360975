// The GEMM of kernels/gemm/gemm_cuda.h by tensor instructions, for its launcher.
#pragma once

#include "kernels/gemm/gemm_device.h"

namespace mxinfer::kernels::cuda {

// Launches GemmKernel::tensor_tile. Operands are as they lie in memory, or rounded from float32.
Status launch_tensor_f16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                         const Stream& stream);
Status launch_tensor_bf16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream);
Status launch_tensor_tf32(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream);
// The same of tiles by wgmma.
Status launch_tensor_groups(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                            const Stream& stream);

}  // namespace mxinfer::kernels::cuda
