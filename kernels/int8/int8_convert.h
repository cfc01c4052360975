// 8-bit values from floats, and back:
//
//   quantize    to[i] = saturate(from[i] * scale)            (kernels/int8/rounding.h)
//   dequantize  to[i] = from[i] * scale
#pragma once

#include <cstdint>

#include "kernels/common/target.h"
#include "kernels/int8/int8_type.h"

namespace mxinfer::kernels {

using QuantizeFn = void (*)(const float* from, void* to, std::int64_t count, float scale);
using DequantizeFn = void (*)(const void* from, float* to, std::int64_t count, float scale);

/// Of s8 or u8.
QuantizeFn quantize_ref(Int8Type to);
QuantizeFn select_quantize(Int8Type to, Target target);
DequantizeFn dequantize_ref(Int8Type from);
DequantizeFn select_dequantize(Int8Type from, Target target);

}  // namespace mxinfer::kernels
