// The post-ops of 8-bit convolutions on vectors: activations that only limit, 8-bit and float32 elements.
// Others are left to the plain loops.
#include "kernels/conv/int8/int8_post_ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/int8/int8_post_ops_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/limits.h"
#include "kernels/common/math-inl.h"
#include "kernels/conv/int8/int8_elements.h"
#include "kernels/conv/int8/int8_tile.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

struct NoResidual {};

template <class D, class T>
HWY_INLINE hn::Vec<D> LoadAsFloat(D d, const T* from) {
  if constexpr (std::is_same_v<T, float>) {
    return hn::LoadU(d, from);
  } else {
    const hn::RebindToSigned<D> di;
    return hn::ConvertTo(d, hn::PromoteTo(di, hn::LoadU(hn::Rebind<T, D>(), from)));
  }
}

/// To the nearest, of floats below 2^31; what is below -2^31 becomes negative, too.
template <class D, class V = hn::Vec<D>>
HWY_INLINE auto Nearest([[maybe_unused]] D d, V v) {
  using I = hn::Vec<hn::RebindToSigned<D>>;
  // Highway's own also limits to 31 bits, which takes longer than all the rest.
#if HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(d) == 16) return I{_mm512_cvtps_epi32(v.raw)};
#endif
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (hn::MaxLanes(d) == 8) return I{_mm256_cvtps_epi32(v.raw)};
#endif
  return I{hn::NearestInt(v)};
}

template <class DT, class D, class V>
HWY_INLINE void StoreDemoted(DT dt, [[maybe_unused]] D d, V v, hn::TFromD<DT>* to) {
#if HWY_TARGET == HWY_AVX3
  // One instruction, instead of the four by which Highway keeps to AVX-512BW's.
  if constexpr (hn::MaxLanes(d) == 16 && std::is_same_v<hn::TFromD<DT>, std::uint8_t>) {
    const __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_max_epi32(v.raw, _mm512_setzero_si512()));
    return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
  }
  if constexpr (hn::MaxLanes(d) == 16 && std::is_same_v<hn::TFromD<DT>, std::int8_t>)
    return _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm512_cvtsepi32_epi8(v.raw));
#endif
  hn::StoreU(hn::DemoteTo(dt, v), dt, to);
}

/// Rounds and limits to T; NaN becomes the largest, as in kernels/int8/rounding.h.
template <class D, class T>
HWY_INLINE void StoreRounded(D d, hn::Vec<D> v, T* to) {
  if constexpr (std::is_same_v<T, float>) {
    hn::StoreU(v, d, to);
  } else {
    const auto high = hn::Set(d, static_cast<float>(std::numeric_limits<T>::max()));
    const auto limited = kSecondOfNaN ? hn::Min(v, high) : hn::IfThenElse(hn::Lt(v, high), v, high);
    StoreDemoted(hn::Rebind<T, D>(), d, Nearest(d, limited), to);
  }
}

/// The numbers of a formula that all its elements share.
struct Shared {
  Limits before, after;
  float residual_scale, factor;
};

/// Columns [first, end), whole vectors of D. Without kGeneral, has_plain_post_ops() is true.
template <class D, class Dst, class Residual, bool kGeneral>
void ApplyToColumns(const Int8PostOpsArgs& given, const Shared& shared, std::int64_t first,
                    std::int64_t end) {
  using V = hn::Vec<D>;
  const Int8PostOpsArgs args = given;  // a copy: stores cannot alias it
  const D d;
  const hn::RebindToSigned<D> di;
  const V residual_scale = hn::Set(d, shared.residual_scale), factor = hn::Set(d, shared.factor);
  const V low = hn::Set(d, shared.before.low), high = hn::Set(d, shared.before.high);
  const V after_low = hn::Set(d, shared.after.low), after_high = hn::Set(d, shared.after.high);
  auto* dst = reinterpret_cast<Dst*>(args.dst);
  for (std::int64_t i = first; i < end; i += hn::MaxLanes(d)) {
    const V bias = args.bias != nullptr ? hn::ConvertTo(d, hn::LoadU(di, args.bias + i)) : hn::Zero(d);
    const V scale = args.scale != nullptr ? hn::LoadU(d, args.scale + i) : hn::Set(d, 1.0F);
    const std::int32_t* sums = args.sums + i;
    std::int64_t at = i;
    for (std::int64_t row = 0; row < args.rows; ++row, sums += kInt8PanelColumns, at += args.dst_stride) {
      V v = hn::Mul(hn::Add(hn::ConvertTo(d, hn::LoadU(di, sums)), bias), scale);
      if constexpr (kGeneral) v = Limit(v, low, high);
      if constexpr (!std::is_same_v<Residual, NoResidual>) {
        const auto* residual = reinterpret_cast<const Residual*>(args.residual);
        v = hn::MulAdd(LoadAsFloat(d, residual + at), residual_scale, v);
      }
      if constexpr (kGeneral) v = Limit(v, after_low, after_high);
      if constexpr (kGeneral) v = hn::Mul(factor, v);
      StoreRounded(d, v, dst + at);
    }
  }
}

/// Columns [first, columns) in plain loops.
void ApplyToRest(const Int8PostOpsArgs& args, std::int64_t first) {
  for (std::int64_t row = 0; row < args.rows; ++row) {
    for (std::int64_t i = first; i < args.columns; ++i) {
      const Int8Operands of{args.bias != nullptr ? args.bias + i : nullptr,
                            args.scale != nullptr ? args.scale + i : nullptr, args.residual};
      finish_element(*args.conv, args.sums[row * kInt8PanelColumns + i], of, args.dst,
                     row * args.dst_stride + i);
    }
  }
}

template <class Dst, class Residual, bool kGeneral>
void Apply(const Int8PostOpsArgs& args) {
  std::int64_t done = 0;
#if HWY_TARGET != HWY_SCALAR
  using D = hn::ScalableTag<float>;
  constexpr std::int64_t kLanes = HWY_LANES(float);
  const Int8ConvArgs& conv = *args.conv;
  const Shared shared{limits_of(conv.before), limits_of(conv.after), conv.residual_scale, conv.dst_factor};
  done = args.columns / kLanes * kLanes;
  if (done > 0) ApplyToColumns<D, Dst, Residual, kGeneral>(args, shared, 0, done);
#if HWY_TARGET == HWY_AVX3
  // Filters are often a multiple of 8.
  if (args.columns - done >= kLanes / 2) {
    ApplyToColumns<hn::Half<D>, Dst, Residual, kGeneral>(args, shared, done, done + kLanes / 2);
    done += kLanes / 2;
  }
#endif
#endif
  if (done < args.columns) ApplyToRest(args, done);
}

void ApplyPlain(const Int8PostOpsArgs& args) {
  ApplyToRest(args, 0);
}

template <class Dst, class Residual>
Int8PostOpsFn WithActivation(const Int8ConvArgs& conv) {
  return has_plain_post_ops(conv) ? Apply<Dst, Residual, false> : Apply<Dst, Residual, true>;
}

template <class Dst>
Int8PostOpsFn WithResidual(const Int8ConvArgs& conv) {
  if (conv.residual == nullptr) return WithActivation<Dst, NoResidual>(conv);
  switch (conv.residual_type) {
    case Int8Type::s8:
      return WithActivation<Dst, std::int8_t>(conv);
    case Int8Type::u8:
      return WithActivation<Dst, std::uint8_t>(conv);
    case Int8Type::f32:
      return WithActivation<Dst, float>(conv);
    case Int8Type::s32:
      break;
  }
  return ApplyPlain;
}

}  // namespace

Int8PostOpsFn Int8PostOpsImpl(const Int8ConvArgs& conv) {
  if (!limits_of(conv.before).exist || !limits_of(conv.after).exist) return ApplyPlain;
  switch (conv.dst_type) {
    case Int8Type::s8:
      return WithResidual<std::int8_t>(conv);
    case Int8Type::u8:
      return WithResidual<std::uint8_t>(conv);
    case Int8Type::f32:
      return WithResidual<float>(conv);
    case Int8Type::s32:
      break;
  }
  return ApplyPlain;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Int8PostOpsImpl);

Int8PostOpsFn int8_post_ops(const Int8ConvArgs& conv, Target target) {
  return MXINFER_DISPATCH(Int8PostOpsImpl, target)(conv);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
