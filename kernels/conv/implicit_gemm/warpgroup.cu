#include "kernels/conv/implicit_gemm/tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_implicit_gemm_groups(const ImplicitGemm& g, const Stream& stream) {
  switch (g.precision) {
    case Precision::float16:
      return launch_groups<StoredFloat16>(g, stream);
    case Precision::bfloat16:
      return launch_groups<StoredBFloat16>(g, stream);
    default:
      return launch_groups<float>(g, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
