// Convolutions and transposed convolutions on a GPU.
#pragma once

#include "kernels/conv/direct/device_direct.h"
#include "kernels/conv/implicit_gemm/implicit_gemm.h"
#include "kernels/conv/winograd/device_winograd.h"
#include "kernels/cuda/stream.h"

namespace mxinfer::kernels::cuda {

// Arrays are 16-byte aligned. Deterministic: a sum is added in one order, which sizes and tiles give.

Status direct_conv(const DirectConv& direct, const Stream& stream);
/// pack_direct_conv() of weights that are on the device, elements of the convolution's type.
Status direct_conv_pack(const DirectConv& direct, const void* weight, float* packed, const Stream& stream);

Status implicit_gemm_conv(const ImplicitGemm& gemm, const Stream& stream);

/// pack_implicit_gemm() of weights that are on the device, elements of the convolution's type.
Status implicit_gemm_pack(const ImplicitGemm& gemm, const void* weight, std::uint32_t* packed,
                          const Stream& stream);

Status winograd_conv(const DeviceWinograd& winograd, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
