// Vectors of float32 from and to bfloat16 in memory. Included by kernels inside Highway's foreach_target
// loop.
//
//   v = LoadBFloat16(d, src + i);                  // whole vectors
//   StoreBFloat16(d, v, dst + i);                  // rounds to nearest even
//   StoreRounded<Rounding::at_once>(v, dst + i);   // if rounds_at_once() (cpu_products.h)
#if defined(MXINFER_KERNELS_COMMON_BFLOAT16_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_BFLOAT16_INL_H_
#undef MXINFER_KERNELS_COMMON_BFLOAT16_INL_H_
#else
#define MXINFER_KERNELS_COMMON_BFLOAT16_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/common/bfloat16.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
HWY_INLINE hn::Vec<D> LoadBFloat16(D d, const BFloat16* src) {
  const hn::RebindToUnsigned<D> u32;
  const hn::Rebind<std::uint16_t, D> u16;
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(u32, hn::LoadU(u16, &src->bits))));
}

template <class D>
HWY_INLINE void StoreBFloat16(D d, hn::Vec<D> v, BFloat16* dst) {
  const hn::RebindToUnsigned<D> u;
  const hn::Rebind<std::uint16_t, D> u16;
  const auto bits = hn::BitCast(u, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(u, 1u));
  const auto rounded = hn::BitCast(d, hn::Add(bits, hn::Add(odd, hn::Set(u, 0x7fffu))));
  const auto quiet = hn::BitCast(d, hn::Or(bits, hn::Set(u, 0x400000u)));
  const auto upper = hn::ShiftRight<16>(hn::BitCast(u, hn::IfThenElse(hn::Ne(v, v), quiet, rounded)));
  hn::StoreU(hn::DemoteTo(u16, hn::BitCast(hn::RebindToSigned<D>(), upper)), u16, &dst->bits);
}

/// By instructions of every CPU of the target, or by one of some CPUs, which flushes denormals to zero.
enum class Rounding : std::uint8_t { in_steps, at_once };

template <Rounding kRounding>
HWY_INLINE void StoreRounded(hn::Vec<hn::ScalableTag<float>> v, BFloat16* dst) {
#if HWY_TARGET == HWY_AVX3
  // Highway 1.0.3 lacks the instruction.
  if constexpr (kRounding == Rounding::at_once) {
    __m256i rounded;
    __asm__("vcvtneps2bf16 %1, %0" : "=v"(rounded) : "v"(v.raw));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(dst), rounded);
    return;
  }
#endif
  StoreBFloat16(hn::ScalableTag<float>(), v, dst);
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#endif  // MXINFER_KERNELS_COMMON_BFLOAT16_INL_H_
