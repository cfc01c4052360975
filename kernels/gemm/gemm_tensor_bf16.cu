#include "kernels/gemm/gemm_tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_tensor_bf16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                          const Stream& stream) {
  return args.type == FloatType::float32
             ? launch_tensor<StoredBFloat16, float>(args, tile, grid, partial, stream)
             : launch_tensor<StoredBFloat16, StoredBFloat16>(args, tile, grid, partial, stream);
}

}  // namespace mxinfer::kernels::cuda
