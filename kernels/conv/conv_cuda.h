// Convolutions and transposed convolutions on a GPU, float32.
#pragma once

#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

/// Arrays are 16-byte aligned. Deterministic: a sum is added in one order, which tile and splits give.
Status implicit_gemm_f32(const ImplicitGemm& gemm, const Stream& stream);

/// pack_implicit_gemm() of weights that are on the device.
Status implicit_gemm_pack(const ImplicitGemm& gemm, const float* weight, float* packed, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
