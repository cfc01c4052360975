#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/binary_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <string_view>

#include "kernels/common/partial-inl.h"
#include "kernels/elementwise/binary.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

/// The vector of a side at offset i, or one element repeated; LoadRest: only the first n < lanes elements.
template <bool kRow>
HWY_INLINE VF LoadSide(DF d, const float* side, VF repeated, std::int64_t i) {
  return kRow ? hn::LoadU(d, side + i) : repeated;
}
template <bool kRow>
HWY_INLINE VF LoadRest(DF d, const float* side, VF repeated, std::int64_t i, std::int64_t n) {
  return kRow ? LoadFirst(d, side + i, n, 1.0f) : repeated;
}

template <class Function, bool kRowA, bool kRowB>
void Loop(const void* a, const void* b, void* dst, std::int64_t n) {
  if (n <= 0) return;
  const DF d;
  const auto* x = static_cast<const float*>(a);
  const auto* y = static_cast<const float*>(b);
  auto* out = static_cast<float*>(dst);
  const VF repeated_x = hn::Set(d, x[0]);
  const VF repeated_y = hn::Set(d, y[0]);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const VF result =
        Function::of(d, LoadSide<kRowA>(d, x, repeated_x, i), LoadSide<kRowB>(d, y, repeated_y, i));
    hn::StoreU(result, d, out + i);
  }
  if (i == n) return;
  const VF result = Function::of(d, LoadRest<kRowA>(d, x, repeated_x, i, n - i),
                                 LoadRest<kRowB>(d, y, repeated_y, i, n - i));
  StoreFirst(d, result, out + i, n - i);
}

struct AddFn {
  static HWY_INLINE VF of(DF, VF a, VF b) { return hn::Add(a, b); }
};
struct SubFn {
  static HWY_INLINE VF of(DF, VF a, VF b) { return hn::Sub(a, b); }
};
struct MulFn {
  static HWY_INLINE VF of(DF, VF a, VF b) { return hn::Mul(a, b); }
};
struct DivFn {
  static HWY_INLINE VF of(DF, VF a, VF b) { return hn::Div(a, b); }
};
// A NaN on either side is the result.
struct MaximumFn {
  static HWY_INLINE VF of(DF, VF a, VF b) {
    return hn::IfThenElse(hn::Lt(b, a), a, hn::IfThenElse(hn::Eq(a, a), b, a));
  }
};
struct MinimumFn {
  static HWY_INLINE VF of(DF, VF a, VF b) {
    return hn::IfThenElse(hn::Lt(a, b), a, hn::IfThenElse(hn::Eq(a, a), b, a));
  }
};
struct PreluFn {
  static HWY_INLINE VF of(DF d, VF a, VF b) {
    return hn::IfThenElse(hn::Gt(a, hn::Zero(d)), a, hn::Mul(a, b));
  }
};

struct Entry {
  std::string_view name;
  BinaryKernel kernel;
};

template <class Function>
constexpr Entry MakeEntry(std::string_view name) {
  return {name,
          {"simd", Loop<Function, true, true>, Loop<Function, true, false>, Loop<Function, false, true>}};
}

constexpr Entry kEntries[] = {
    MakeEntry<AddFn>("add"),     MakeEntry<SubFn>("sub"),         MakeEntry<MulFn>("mul"),
    MakeEntry<DivFn>("div"),     MakeEntry<MaximumFn>("maximum"), MakeEntry<MinimumFn>("minimum"),
    MakeEntry<PreluFn>("prelu"),
};

}  // namespace

BinaryKernel BinaryByName(std::string_view function) {
  for (const Entry& entry : kEntries) {
    if (entry.name == function) return entry.kernel;
  }
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(BinaryByName);

BinaryKernel binary_simd_f32(std::string_view function, Target target) {
  BinaryKernel kernel = MXINFER_DISPATCH(BinaryByName, target)(function);
  kernel.target = target;
  return kernel;
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
