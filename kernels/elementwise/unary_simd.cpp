#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise/unary_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <string_view>

#include "kernels/common/math-inl.h"
#include "kernels/common/partial-inl.h"
#include "kernels/elementwise/unary.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

/// dst[i] = Function::of(src[i], a, b).
template <class Function>
void Loop(const void* src, void* dst, std::int64_t n, const UnaryParams& params) {
  const DF d;
  const auto* in = static_cast<const float*>(src);
  auto* out = static_cast<float*>(dst);
  const VF a = hn::Set(d, static_cast<float>(params.a));
  const VF b = hn::Set(d, static_cast<float>(params.b));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(Function::of(d, hn::LoadU(d, in + i), a, b), d, out + i);
  if (i == n) return;
  StoreFirst(d, Function::of(d, LoadFirst(d, in + i, n - i, 1.0f), a, b), out + i, n - i);
}

struct ReluFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) {
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), hn::Zero(d), x);
  }
};
struct ClipFn {
  static HWY_INLINE VF of(DF, VF x, VF a, VF b) {
    const VF y = hn::IfThenElse(hn::Lt(x, a), a, x);
    return hn::IfThenElse(hn::Gt(x, b), b, y);
  }
};
struct FillNanFn {
  static HWY_INLINE VF of(DF, VF x, VF a, VF) { return hn::IfThenElse(hn::IsNaN(x), a, x); }
};
struct LeakyFn {
  static HWY_INLINE VF of(DF d, VF x, VF a, VF) { return Leaky(d, x, a); }
};
struct EluFn {
  static HWY_INLINE VF of(DF d, VF x, VF a, VF) { return Elu(d, x, a); }
};
struct SeluFn {
  static HWY_INLINE VF of(DF d, VF x, VF a, VF b) { return hn::Mul(b, Elu(d, x, a)); }
};
struct GeluFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return GeluErf(d, x); }
};
struct SwishFn {
  static HWY_INLINE VF of(DF d, VF x, VF a, VF) { return Swish(d, x, a); }
};
struct SigmoidFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Sigmoid(d, x); }
};
struct HardSigmoidFn {
  static HWY_INLINE VF of(DF d, VF x, VF a, VF b) { return HardSigmoid(d, x, a, b); }
};
struct HardSwishFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return HardSwish(d, x); }
};
struct MishFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Mish(d, x); }
};
struct GeluTanhFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return GeluTanh(d, x); }
};
struct TanhFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Tanh(d, x); }
};
struct SoftreluFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Softrelu(d, x); }
};
struct SoftsignFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Softsign(d, x); }
};
struct ExpFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Exp(d, x); }
};
struct Expm1Fn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Expm1(d, x); }
};
struct LogFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Log(d, x); }
};
struct ErfFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return Erf(d, x); }
};
struct AbsFn {
  static HWY_INLINE VF of(DF, VF x, VF, VF) { return hn::Abs(x); }
};
struct NegativeFn {
  static HWY_INLINE VF of(DF, VF x, VF, VF) { return hn::Neg(x); }
};
struct SquareFn {
  static HWY_INLINE VF of(DF, VF x, VF, VF) { return hn::Mul(x, x); }
};
struct SqrtFn {
  static HWY_INLINE VF of(DF, VF x, VF, VF) { return hn::Sqrt(x); }
};
struct RsqrtFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return hn::Div(hn::Set(d, 1.0f), hn::Sqrt(x)); }
};
struct ReciprocalFn {
  static HWY_INLINE VF of(DF d, VF x, VF, VF) { return hn::Div(hn::Set(d, 1.0f), x); }
};

struct Entry {
  std::string_view name;
  UnaryFn run;
};

constexpr Entry kEntries[] = {
    {"relu", Loop<ReluFn>},
    {"clip", Loop<ClipFn>},
    {"fill_nan", Loop<FillNanFn>},
    {"leaky", Loop<LeakyFn>},
    {"elu", Loop<EluFn>},
    {"selu", Loop<SeluFn>},
    {"gelu", Loop<GeluFn>},
    {"swish", Loop<SwishFn>},
    {"sigmoid", Loop<SigmoidFn>},
    {"hard_sigmoid", Loop<HardSigmoidFn>},
    {"hard_swish", Loop<HardSwishFn>},
    {"mish", Loop<MishFn>},
    {"gelu_tanh", Loop<GeluTanhFn>},
    {"tanh", Loop<TanhFn>},
    {"softrelu", Loop<SoftreluFn>},
    {"softsign", Loop<SoftsignFn>},
    {"exp", Loop<ExpFn>},
    {"expm1", Loop<Expm1Fn>},
    {"log", Loop<LogFn>},
    {"erf", Loop<ErfFn>},
    {"abs", Loop<AbsFn>},
    {"negative", Loop<NegativeFn>},
    {"square", Loop<SquareFn>},
    {"sqrt", Loop<SqrtFn>},
    {"rsqrt", Loop<RsqrtFn>},
    {"reciprocal", Loop<ReciprocalFn>},
};

}  // namespace

UnaryFn UnaryByName(std::string_view function) {
  for (const Entry& entry : kEntries) {
    if (entry.name == function) return entry.run;
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(UnaryByName);

UnaryFn unary_simd_f32(std::string_view function, Target target) {
  return MXINFER_DISPATCH(UnaryByName, target)(function);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
