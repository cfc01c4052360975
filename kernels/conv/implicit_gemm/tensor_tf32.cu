#include "kernels/conv/implicit_gemm/tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_implicit_gemm_tf32(const ImplicitGemm& g, const Stream& stream) {
  return launch_tensor<float, float>(g, stream);
}

}  // namespace mxinfer::kernels::cuda
