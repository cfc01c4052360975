// The launchers of an implicit GEMM of each kind, for implicit_gemm_conv() in conv_cuda.h.
#pragma once

#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

// Preconditions: the rows of a phase are fewer than 2^31. Split sums are left in g.partial.

Status launch_implicit_gemm_f32(const ImplicitGemm& g, const Stream& stream);

// By tensor instructions. Values are float32, or 16-bit floats of that precision.
Status launch_implicit_gemm_f16(const ImplicitGemm& g, const Stream& stream);
Status launch_implicit_gemm_bf16(const ImplicitGemm& g, const Stream& stream);
Status launch_implicit_gemm_tf32(const ImplicitGemm& g, const Stream& stream);
// The same of g.patches.
Status launch_implicit_gemm_patches(const ImplicitGemm& g, const Stream& stream);
// The same of tiles by wgmma. Precondition: rows of src are copied as they are.
Status launch_implicit_gemm_groups(const ImplicitGemm& g, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
