#include "kernels/gemm/gemm_tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_tensor_groups(const GemmArgs& args, GemmTile tile, const GemmGrid& grid, float* partial,
                            const Stream& stream) {
  switch (args.multiplied()) {
    case Precision::float16:
      return launch_tensor_of_depth<StoredFloat16, true>(args, tile, grid, partial, stream);
    case Precision::bfloat16:
      return launch_tensor_of_depth<StoredBFloat16, true>(args, tile, grid, partial, stream);
    default:
      return launch_tensor_of_depth<float, true>(args, tile, grid, partial, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
