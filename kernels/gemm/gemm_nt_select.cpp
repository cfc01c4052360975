#include "kernels/gemm/gemm.h"

namespace mxinfer::kernels {

const GemmNtKernel& select_gemm_nt(Target) {
  return gemm_nt_ref<float>();
}

}  // namespace mxinfer::kernels
