#include "kernels/int8/int8_convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/int8_convert_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include "kernels/int8/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The next vector of elements, rounded; NaN becomes the largest value.
template <typename T, class D, class V = hn::Vec<D>>
hn::Vec<hn::Rebind<T, D>> Rounded(D d, V x) {
  const V low = hn::Set(d, static_cast<float>(std::numeric_limits<T>::min()));
  const V high = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
  const V limited = hn::Max(hn::IfThenElse(hn::Lt(x, high), x, high), low);
  return hn::DemoteTo(hn::Rebind<T, D>(), hn::NearestInt(limited));
}

template <typename T>
void Quantize(const float* from, void* to, std::int64_t count, float scale) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<T, decltype(d)> bytes;
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  T* dst = static_cast<T*>(to);
  std::int64_t i = 0;
  for (; i + n <= count; i += n)
    hn::StoreU(Rounded<T>(d, hn::Mul(hn::LoadU(d, from + i), factor)), bytes, dst + i);
  for (; i < count; ++i) dst[i] = saturate<T>(from[i] * scale);
}

template <typename T>
void Dequantize(const void* from, float* to, std::int64_t count, float scale) {
  const hn::ScalableTag<float> d;
  const hn::Rebind<T, decltype(d)> bytes;
  const hn::Rebind<std::int32_t, decltype(d)> words;
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  const auto factor = hn::Set(d, scale);
  const T* src = static_cast<const T*>(from);
  std::int64_t i = 0;
  for (; i + n <= count; i += n) {
    const auto wide = hn::PromoteTo(words, hn::LoadU(bytes, src + i));
    hn::StoreU(hn::Mul(hn::ConvertTo(d, wide), factor), d, to + i);
  }
  for (; i < count; ++i) to[i] = static_cast<float>(src[i]) * scale;
}

// One function of each, whose address tables hold.
void QuantizeS8(const float* from, void* to, std::int64_t count, float scale) {
  Quantize<std::int8_t>(from, to, count, scale);
}
void QuantizeU8(const float* from, void* to, std::int64_t count, float scale) {
  Quantize<std::uint8_t>(from, to, count, scale);
}
void DequantizeS8(const void* from, float* to, std::int64_t count, float scale) {
  Dequantize<std::int8_t>(from, to, count, scale);
}
void DequantizeU8(const void* from, float* to, std::int64_t count, float scale) {
  Dequantize<std::uint8_t>(from, to, count, scale);
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {
namespace {

MXINFER_TABLE(QuantizeS8);
MXINFER_TABLE(QuantizeU8);
MXINFER_TABLE(DequantizeS8);
MXINFER_TABLE(DequantizeU8);

}  // namespace

QuantizeFn select_quantize(Int8Type to, Target target) {
  if (target == Target::ref) return quantize_ref(to);
  return to == Int8Type::s8 ? MXINFER_DISPATCH(QuantizeS8, target) : MXINFER_DISPATCH(QuantizeU8, target);
}

DequantizeFn select_dequantize(Int8Type from, Target target) {
  if (target == Target::ref) return dequantize_ref(from);
  return from == Int8Type::s8 ? MXINFER_DISPATCH(DequantizeS8, target)
                              : MXINFER_DISPATCH(DequantizeU8, target);
}

}  // namespace mxinfer::kernels
#endif
