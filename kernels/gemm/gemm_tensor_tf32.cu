#include "kernels/gemm/gemm_tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_tensor_tf32(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream) {
  return launch_tensor<float, float>(args, tile, grid, partial, stream);
}

}  // namespace mxinfer::kernels::cuda
