#include "kernels/conv/implicit_gemm/tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_implicit_gemm_groups(const ImplicitGemm& g, const Stream& stream) {
  switch (g.precision) {
    case Precision::float16:
      return launch_aligned<StoredFloat16, true>(g, stream);
    case Precision::bfloat16:
      return launch_aligned<StoredBFloat16, true>(g, stream);
    default:
      return launch_aligned<float, true>(g, stream);
  }
}

}  // namespace mxinfer::kernels::cuda
