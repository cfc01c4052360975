#include "kernels/int8/int8_convert.h"
#include "kernels/int8/rounding.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
void quantize_plain(const float* from, void* to, std::int64_t count, float scale) {
  for (std::int64_t i = 0; i < count; ++i) static_cast<T*>(to)[i] = saturate<T>(from[i] * scale);
}

template <typename T>
void dequantize_plain(const void* from, float* to, std::int64_t count, float scale) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(static_cast<const T*>(from)[i]) * scale;
}

}  // namespace

QuantizeFn quantize_ref(Int8Type to) {
  return to == Int8Type::s8 ? quantize_plain<std::int8_t> : quantize_plain<std::uint8_t>;
}

DequantizeFn dequantize_ref(Int8Type from) {
  return from == Int8Type::s8 ? dequantize_plain<std::int8_t> : dequantize_plain<std::uint8_t>;
}

}  // namespace mxinfer::kernels
