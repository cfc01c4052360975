// Convolutions, conversions and pooling of 8-bit values on a GPU, with the bits of the plain loops: sums are
// of integers, and each operation on floats rounds once. Activations that are not piecewise linear may differ
// by rounding.
#pragma once

#include "kernels/conv/int8/device/device_int8.h"
#include "kernels/cuda/stream.h"
#include "kernels/pool_nd/pool_nd.h"

namespace mxinfer::kernels::cuda {

/// Weights are packed by pack_device_int8().
Status int8_conv(const DeviceInt8Conv& conv, const Stream& stream);

/// As kernels/int8/int8_convert.h says, to or from s8 or u8.
Status int8_quantize(const float* from, Int8Type type, void* to, std::int64_t count, float scale,
                     const Stream& stream);
Status int8_dequantize(const void* from, Int8Type type, float* to, std::int64_t count, float scale,
                       const Stream& stream);

/// Elements of a window, at most.
inline constexpr std::int64_t kMostPooledBytes = std::int64_t{1} << 23;

/// As kernels/int8/int8_pool.h says, of s8 or u8. Precondition: windows have at most kMostPooledBytes.
Status int8_pool(const PoolArgs& args, Int8Type type, const void* src, void* dst, const Stream& stream);

}  // namespace mxinfer::kernels::cuda
