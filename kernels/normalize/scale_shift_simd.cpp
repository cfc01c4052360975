#include "kernels/normalize/scale_shift.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/normalize/scale_shift_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/dispatch.h"
#include "kernels/common/limits.h"
#include "kernels/common/partial-inl.h"
#include "kernels/common/post_ops-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = HWY_LANES(float);

struct Float32 {
  using Element = float;
  static HWY_INLINE V Load(const float* from) { return hn::LoadU(D(), from); }
  static HWY_INLINE void Store(V v, float* to) { hn::StoreU(v, D(), to); }
};

template <Rounding kRounding>
struct Rounded {
  using Element = BFloat16;
  static HWY_INLINE V Load(const BFloat16* from) { return LoadBFloat16(D(), from); }
  static HWY_INLINE void Store(V v, BFloat16* to) { StoreRounded<kRounding>(v, to); }
};

/// dst[i] = f(src[i]): f takes a vector, the index of its first element, and how many of its elements exist.
/// A last, partial vector is computed as a whole one, so that its elements get the same bits as others would.
template <class In, class Out, class F>
HWY_INLINE void Map(const typename In::Element* src, std::int64_t count, typename Out::Element* dst, F f) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Out::Store(f(In::Load(src + i), i, kLanes), dst + i);
  if (i == count) return;
  HWY_ALIGN typename In::Element in[kLanes] = {};
  HWY_ALIGN typename Out::Element out[kLanes];
  std::copy_n(src + i, count - i, in);
  Out::Store(f(In::Load(in), i, count - i), out);
  std::copy_n(out, count - i, dst + i);
}

HWY_INLINE V LoadFactors(const float* from, std::int64_t count) {
  return count == kLanes ? hn::LoadU(D(), from) : LoadFirst(D(), from, count, 0.0f);
}

/// A row, or a part of one. With `step` 0 all elements have the first scale and shift.
template <class In, class Out>
void Affine(const typename In::Element* src, const float* scale, const float* shift, std::int64_t step,
            const Limits& limits, std::int64_t count, typename Out::Element* dst) {
  const V low = hn::Set(D(), limits.low), high = hn::Set(D(), limits.high);
  if (step == 0) {
    const V a = hn::Set(D(), *scale), b = hn::Set(D(), *shift);
    return Map<In, Out>(src, count, dst, [=](V x, std::int64_t, std::int64_t) HWY_ATTR {
      return Limit(hn::MulAdd(x, a, b), low, high);
    });
  }
  Map<In, Out>(src, count, dst, [=](V x, std::int64_t i, std::int64_t n) HWY_ATTR {
    return Limit(hn::MulAdd(x, LoadFactors(scale + i, n), LoadFactors(shift + i, n)), low, high);
  });
}

template <class E>
void ScaleShift(const ScaleShiftArgs<float, typename E::Element>& args, std::int64_t begin,
                std::int64_t end) {
  constexpr std::int64_t kBlock = 512;
  const bool by_row = args.inner > 1;
  const std::int64_t width = by_row ? args.inner : args.channels;
  const std::int64_t src_step = args.src_stride != 0 ? args.src_stride : width, step = by_row ? 0 : 1;
  const Limits limits = limits_of(args.post_ops);
  for (std::int64_t row = begin; row < end; ++row) {
    const auto* src = args.src + row * src_step;
    auto* dst = args.dst + row * width;
    const std::int64_t channel = by_row ? row % args.channels : 0;
    const float *scale = args.scale + channel, *shift = args.shift + channel;
    if (limits.exist) {
      Affine<E, E>(src, scale, shift, step, limits, width, dst);
      continue;
    }
    for (std::int64_t i = 0; i < width; i += kBlock) {
      HWY_ALIGN float block[kBlock];
      const std::int64_t n = std::min(kBlock, width - i);
      Affine<E, Float32>(src + i, scale + i * step, shift + i * step, step, {}, n, block);
      ActivateRow(args.post_ops, block, n);
      Map<Float32, E>(block, n, dst + i, [](V x, std::int64_t, std::int64_t) HWY_ATTR { return x; });
    }
  }
}

}  // namespace

ScaleShiftFn<float> ScaleShiftF32() {
  return ScaleShift<Float32>;
}
ScaleShiftFn<float, BFloat16> ScaleShiftBf16(bool at_once) {
  return HWY_TARGET == HWY_AVX3 && at_once ? ScaleShift<Rounded<Rounding::at_once>>
                                           : ScaleShift<Rounded<Rounding::in_steps>>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/cpu_products.h"

namespace mxinfer::kernels {

MXINFER_TABLE(ScaleShiftF32);
MXINFER_TABLE(ScaleShiftBf16);

ScaleShiftFn<float> select_scale_shift_f32(Target target) {
  if (target == Target::ref) return scale_shift_ref;
  return MXINFER_DISPATCH(ScaleShiftF32, target)();
}
ScaleShiftFn<float, BFloat16> select_scale_shift_bf16(Target target) {
  if (target == Target::ref) return scale_shift_ref;
  return MXINFER_DISPATCH(ScaleShiftBf16, target)(rounds_at_once(target));
}

}  // namespace mxinfer::kernels
#endif
