#include "kernels/conv/implicit_gemm/tensor-inl.h"

namespace mxinfer::kernels::cuda {

Status launch_implicit_gemm_f16(const ImplicitGemm& g, const Stream& stream) {
  return g.type == FloatType::float32 ? launch_tensor<StoredFloat16, float>(g, stream)
                                      : launch_tensor<StoredFloat16, StoredFloat16>(g, stream);
}

}  // namespace mxinfer::kernels::cuda
