#include "kernels/common/bfloat16.h"
#include "kernels/elementwise/bfloat16.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/bfloat16_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kLanes = HWY_LANES(float);

void FromFloat32(const void* from, void* to, std::int64_t count) {
  const auto* src = static_cast<const float*>(from);
  auto* dst = static_cast<BFloat16*>(to);
  const hn::ScalableTag<float> d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) StoreBFloat16(d, hn::LoadU(d, src + i), dst + i);
  for (; i < count; ++i) dst[i] = BFloat16(src[i]);
}

void ToFloat32(const void* from, void* to, std::int64_t count) {
  const auto* src = static_cast<const BFloat16*>(from);
  auto* dst = static_cast<float*>(to);
  const hn::ScalableTag<float> d;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(LoadBFloat16(d, src + i), d, dst + i);
  for (; i < count; ++i) dst[i] = static_cast<float>(src[i]);
}

constexpr BFloat16Casts kCasts{FromFloat32, ToFloat32};

}  // namespace

const BFloat16Casts& BFloat16CastsImpl() {
  return kCasts;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {
namespace {

void from_float32_ref(const void* from, void* to, std::int64_t count) {
  const auto* src = static_cast<const float*>(from);
  auto* dst = static_cast<BFloat16*>(to);
  for (std::int64_t i = 0; i < count; ++i) dst[i] = BFloat16(src[i]);
}

void to_float32_ref(const void* from, void* to, std::int64_t count) {
  const auto* src = static_cast<const BFloat16*>(from);
  auto* dst = static_cast<float*>(to);
  for (std::int64_t i = 0; i < count; ++i) dst[i] = static_cast<float>(src[i]);
}

constexpr BFloat16Casts kReference{from_float32_ref, to_float32_ref};

}  // namespace

MXINFER_TABLE(BFloat16CastsImpl);

const BFloat16Casts& select_bfloat16_casts(Target target) {
  if (target == Target::ref) return kReference;
  return MXINFER_DISPATCH(BFloat16CastsImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
