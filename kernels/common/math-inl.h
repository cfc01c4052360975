// Functions of one float32 for Highway vectors, for every kernel that applies an activation.
//
//   #include "kernels/common/math-inl.h"   // after foreach_target.h
//   v = Sigmoid(d, v);
//
// Largest errors, measured against double over the whole range:
//   Exp 1 ulp, Expm1 1.5, Log 1, Softrelu 2, Sigmoid 2.5, Tanh 1.5, Erf 1.5, Softsign 1.5, Swish 2.5; GeluErf
//   2 ulp above -0.5 and 1e-7 absolute below, because of cancellation.
// NaN stays NaN; at infinities the results are the limits; Exp overflows to infinity and underflows through
// the subnormals to zero. The polynomials are weighted minimax fits of degree as small as keeps their error
// below 0.3 ulp.
#if defined(MXINFER_KERNELS_COMMON_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_MATH_INL_H_
#undef MXINFER_KERNELS_COMMON_MATH_INL_H_
#else
#define MXINFER_KERNELS_COMMON_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using IntTag = hn::Rebind<std::int32_t, D>;

/// What Exp and Expm1 share: x = q ln 2 + r with |r| <= ln 2 / 2, and expm1(r).
template <class D>
struct ExpParts {
  hn::Vec<D> expm1_r;
  hn::Vec<IntTag<D>> q;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE ExpParts<D> ReduceExp(D d, V x) {
  const IntTag<D> di;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  const V magic = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), magic);
  const V q = hn::Sub(shifted, magic);
  // ln 2 in two parts, the first with so few bits that q times it is exact.
  V r = hn::NegMulAdd(q, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(q, hn::Set(d, -2.12194440e-4f), r);
  V p = hn::MulAdd(hn::Set(d, 0.00138131366f), r, hn::Set(d, 0.00836941972f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.041668456f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.166665152f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.49999994f));
  const V expm1_r = hn::MulAdd(p, hn::Mul(r, r), r);
  return {expm1_r, hn::Sub(hn::BitCast(di, shifted), hn::BitCast(di, magic))};
}

/// 2^q for -126 <= q <= 127.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V PowerOfTwo(D d, hn::Vec<IntTag<D>> q) {
  const IntTag<D> di;
  return hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(q, hn::Set(di, 127))));
}

/// Whether Max and Min return their second operand if one is NaN. x86's vector instructions do; others
/// differ.
constexpr bool kSecondOfNaN = HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3;

/// x limited to [low, high]; a NaN stays NaN.
template <class V>
HWY_INLINE V Limit(V x, V low, V high) {
  if constexpr (kSecondOfNaN) return hn::Min(high, hn::Max(low, x));
  return hn::IfThenElse(hn::Lt(x, low), low, hn::IfThenElse(hn::Gt(x, high), high, x));
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Limit(D d, V x, float low, float high) {
  return Limit(x, hn::Set(d, low), hn::Set(d, high));
}

/// x if it is not negative, else 0; a NaN stays NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Rectify(D d, V x) {
  if constexpr (kSecondOfNaN) return hn::Max(hn::Zero(d), x);
  return hn::IfThenZeroElse(hn::Lt(x, hn::Zero(d)), x);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Exp(D d, V x) {
  const ExpParts<D> parts = ReduceExp(d, Limit(d, x, -104.0f, 89.0f));
  // 2^q in two factors: q reaches from -150 to 128.
  const auto half = hn::ShiftRight<1>(parts.q);
  const V y = hn::Add(parts.expm1_r, hn::Set(d, 1.0f));
  return hn::Mul(hn::Mul(y, PowerOfTwo(d, half)), PowerOfTwo(d, hn::Sub(parts.q, half)));
}

/// exp(x) - 1, exact near zero.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Expm1(D d, V x) {
  // Below -17.4 the result rounds to -1; above 88.4 the scale would need two factors, so one is taken out
  // first.
  const V limited = Limit(d, x, -18.0f, 89.0f);
  const ExpParts<D> parts = ReduceExp(d, limited);
  const auto half = hn::ShiftRight<1>(parts.q);
  const V low = PowerOfTwo(d, half);
  const V high = PowerOfTwo(d, hn::Sub(parts.q, half));
  // (2^q (1 + e) - 1) = high * (low e + low - 1 / high)
  const V inverse = PowerOfTwo(d, hn::Sub(half, parts.q));
  const V y = hn::Mul(high, hn::MulAdd(low, parts.expm1_r, hn::Sub(low, inverse)));
  // A zero keeps its sign.
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, y);
}

/// log(1 + f) for sqrt(1/2) - 1 <= f <= sqrt(2) - 1, plus exponent * ln 2: with s = f / (2 + f),
/// log(1 + f) = 2 artanh(s) = f - s (f - s^2 R(s^2) ...), written so that the large term f is added last.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V LogOfReduced(D d, V f, V exponent) {
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, 2.0f)));
  const V s2 = hn::Mul(s, s);
  V r = hn::MulAdd(hn::Set(d, 0.236099407f), s2, hn::Set(d, 0.285359234f));
  r = hn::MulAdd(r, s2, hn::Set(d, 0.400003552f));
  r = hn::MulAdd(r, s2, hn::Set(d, 0.666666627f));
  // 2 s = f - s f, hence log(1 + f) = f - s (f - s^2 R) = f - (f^2/2 - s (f^2/2 + s^2 R)).
  const V half_f2 = hn::Mul(hn::Mul(f, f), hn::Set(d, 0.5f));
  const V correction =
      hn::MulAdd(s, hn::MulAdd(s2, r, half_f2), hn::Mul(exponent, hn::Set(d, -2.12194440e-4f)));
  const V small = hn::Sub(f, hn::Sub(half_f2, correction));
  return hn::MulAdd(exponent, hn::Set(d, 0.693359375f), small);
}

/// m and e with x = m 2^e and sqrt(1/2) <= m < sqrt(2), for normal x > 0.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void SplitExponent(D d, V x, V& m, V& e) {
  const IntTag<D> di;
  const auto offset = hn::Set(di, 0x3f3504f3);  // sqrt(1/2)
  const auto bits = hn::Sub(hn::BitCast(di, x), offset);
  e = hn::ConvertTo(d, hn::ShiftRight<23>(bits));
  m = hn::BitCast(d, hn::Add(hn::And(bits, hn::Set(di, 0x007fffff)), offset));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Log(D d, V x) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0f);
  const auto subnormal = hn::Lt(x, hn::Set(d, 1.17549435e-38f));
  V m, e;
  SplitExponent(d, hn::IfThenElse(subnormal, hn::Mul(x, hn::Set(d, 16777216.0f)), x), m, e);
  e = hn::Sub(e, hn::IfThenElseZero(subnormal, hn::Set(d, 24.0f)));
  V y = LogOfReduced(d, hn::Sub(m, one), e);
  const V infinity = hn::BitCast(d, hn::Set(IntTag<D>(), 0x7f800000));
  y = hn::IfThenElse(hn::Lt(x, infinity), y, x);  // infinity and NaN
  y = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(infinity), y);
  return hn::IfThenElse(hn::Lt(x, zero), hn::BitCast(d, hn::Set(IntTag<D>(), 0x7fc00000)), y);
}

/// log(1 + x) for 0 <= x <= 1, exact near zero.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Log1pUnit(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  // 1 + x and its rounding error; the derivative of log carries the error over.
  const V sum = hn::Add(x, one);
  const V lost = hn::Sub(x, hn::Sub(sum, one));
  V m, e;
  SplitExponent(d, sum, m, e);
  // Below sqrt(2) nothing was scaled and f is x itself.
  const V f = hn::IfThenElse(hn::Eq(e, hn::Zero(d)), x, hn::Sub(m, one));
  const V y = LogOfReduced(d, f, e);
  return hn::Add(y, hn::IfThenZeroElse(hn::Eq(e, hn::Zero(d)), hn::Div(lost, sum)));
}

/// 1 / (1 + exp(-x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Sigmoid(D d, V x) {
  const V one = hn::Set(d, 1.0f);
  return hn::Div(one, hn::Add(one, Exp(d, hn::Neg(x))));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Tanh(D d, V x) {
  const V magnitude = hn::Abs(x);
  // Far from zero: 1 - 2 / (exp(2|x|) + 1); near zero an odd polynomial, as that would cancel.
  const V e = Exp(d, hn::Add(magnitude, magnitude));
  const V one = hn::Set(d, 1.0f);
  const V far = hn::CopySign(hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(e, one))), x);
  const V x2 = hn::Mul(x, x);
  V p = hn::MulAdd(hn::Set(d, -0.00570500037f), x2, hn::Set(d, 0.020639101f));
  p = hn::MulAdd(p, x2, hn::Set(d, -0.0537397191f));
  p = hn::MulAdd(p, x2, hn::Set(d, 0.133314416f));
  p = hn::MulAdd(p, x2, hn::Set(d, -0.333332807f));
  const V near = hn::MulAdd(p, hn::Mul(x2, x), x);
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.625f)), near, far);
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Erf(D d, V x) {
  const V magnitude = hn::Abs(x);
  // Far from zero: 1 - exp(-(a + a Q(a))), a = |x|; above 4 that is 1 in float32.
  const V a = Limit(d, magnitude, 0.0f, 4.0f);
  V q = hn::MulAdd(hn::Set(d, 1.04337478e-05f), a, hn::Set(d, -0.000314864126f));
  q = hn::MulAdd(q, a, hn::Set(d, 0.00361036509f));
  q = hn::MulAdd(q, a, hn::Set(d, -0.0236946121f));
  q = hn::MulAdd(q, a, hn::Set(d, 0.106159098f));
  q = hn::MulAdd(q, a, hn::Set(d, 0.635197997f));
  q = hn::MulAdd(q, a, hn::Set(d, 0.128637075f));
  const V far = hn::CopySign(hn::Sub(hn::Set(d, 1.0f), Exp(d, hn::Neg(hn::MulAdd(q, a, a)))), x);
  const V x2 = hn::Mul(x, x);
  V p = hn::MulAdd(hn::Set(d, -0.000595402613f), x2, hn::Set(d, 0.00498600863f));
  p = hn::MulAdd(p, x2, hn::Set(d, -0.0267617796f));
  p = hn::MulAdd(p, x2, hn::Set(d, 0.112816848f));
  p = hn::MulAdd(p, x2, hn::Set(d, -0.376124829f));
  p = hn::MulAdd(p, x2, hn::Set(d, 0.128379151f));
  const V near = hn::MulAdd(p, x, x);
  return hn::IfThenElse(hn::Lt(magnitude, hn::Set(d, 0.92f)), near, far);
}

/// log(1 + exp(x)).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Softrelu(D d, V x) {
  const V y = hn::Add(hn::Max(x, hn::Zero(d)), Log1pUnit(d, Exp(d, hn::Neg(hn::Abs(x)))));
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

/// x / (1 + |x|).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Softsign(D d, V x) {
  return hn::Div(x, hn::Add(hn::Set(d, 1.0f), hn::Abs(x)));
}

/// x Phi(x) = x (1 + erf(x / sqrt(2))) / 2.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V GeluErf(D d, V x) {
  const V erf = Erf(d, hn::Mul(x, hn::Set(d, 0.707106781f)));
  return hn::Mul(hn::Mul(x, hn::Set(d, 0.5f)), hn::Add(erf, hn::Set(d, 1.0f)));
}

/// x sigmoid(beta x).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Swish(D d, V x, V beta) {
  return hn::Mul(x, Sigmoid(d, hn::Mul(x, beta)));
}

/// alpha x + beta, limited to [0, 1].
template <class D, class V = hn::Vec<D>>
HWY_INLINE V HardSigmoid(D d, V x, V alpha, V beta) {
  return Limit(d, hn::Add(hn::Mul(alpha, x), beta), 0.0f, 1.0f);
}

/// x min(max(x + 3, 0), 6) / 6.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V HardSwish(D d, V x) {
  const V gate = Limit(d, hn::Add(x, hn::Set(d, 3.0f)), 0.0f, 6.0f);
  return hn::Mul(hn::Mul(x, gate), hn::Set(d, 1.0f / 6.0f));
}

/// x tanh(log(1 + exp(x))): with e = exp(x) the tanh is n / (n + 2), n = e (e + 2).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Mish(D d, V x) {
  // Above 20 the tanh is 1, and e^2 would overflow from 44 on.
  const V e = Exp(d, hn::IfThenElse(hn::Gt(x, hn::Set(d, 20.0f)), hn::Set(d, 20.0f), x));
  const V two = hn::Set(d, 2.0f);
  const V n = hn::Mul(e, hn::Add(e, two));
  return hn::Mul(x, hn::Div(n, hn::Add(n, two)));
}

/// x (1 + tanh(u)) / 2 = x sigmoid(2 u), u = sqrt(2 / pi) (x + 0.044715 x^3).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V GeluTanh(D d, V x) {
  const V cubic = hn::MulAdd(hn::Mul(x, x), hn::Set(d, 0.0713548163f), hn::Set(d, 1.59576912f));
  return hn::Mul(x, Sigmoid(d, hn::Mul(x, cubic)));
}

/// x for x > 0, alpha (exp(x) - 1) otherwise.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Elu(D d, V x, V alpha) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, Expm1(d, x)));
}

/// x for x > 0, slope x otherwise.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V Leaky(D d, V x, V slope) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(x, slope));
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#endif  // MXINFER_KERNELS_COMMON_MATH_INL_H_
