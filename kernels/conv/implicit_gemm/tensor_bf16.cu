#include "kernels/conv/implicit_gemm/tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_implicit_gemm_bf16(const ImplicitGemm& g, const Stream& stream) {
  return g.type == FloatType::float32 ? launch_tensor<StoredBFloat16, float>(g, stream)
                                      : launch_tensor<StoredBFloat16, StoredBFloat16>(g, stream);
}

}  // namespace mxinfer::kernels::cuda
