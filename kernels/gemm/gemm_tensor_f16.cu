#include "kernels/gemm/gemm_tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_tensor_f16(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                         const Stream& stream) {
  return args.type == FloatType::float32
             ? launch_tensor<StoredFloat16, float>(args, tile, grid, partial, stream)
             : launch_tensor<StoredFloat16, StoredFloat16>(args, tile, grid, partial, stream);
}

}  // namespace mxinfer::kernels::cuda
