#include <math.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/common/post_ops.h"
#include "kernels/elementwise/unary.h"
#include "kernels/elementwise/wrapping.h"

namespace mxinfer::kernels {
namespace {

template <auto F, typename T, typename Compute>
void loop(const void* src, void* dst, std::int64_t n, const UnaryParams& params) {
  const T* in = static_cast<const T*>(src);
  T* out = static_cast<T*>(dst);
  for (std::int64_t i = 0; i < n; ++i) out[i] = convert<T>(F(convert<Compute>(in[i]), params));
}

struct Entry {
  std::string_view name;
  PerType<UnaryFn> run;
};

/// A function computed in float; in `Whole` for integers, and in double for float64.
template <auto F, typename Whole = double>
constexpr Entry real(std::string_view name) {
  return {
      name,
      {loop<F, float, float>, loop<F, double, double>, loop<F, Float16, float>, loop<F, std::uint8_t, Whole>,
       loop<F, std::int32_t, Whole>, loop<F, std::int8_t, Whole>, loop<F, std::int64_t, Whole>, nullptr}};
}

/// As real(), but null for integers.
template <auto F>
constexpr Entry real_only(std::string_view name) {
  return {name,
          {loop<F, float, float>, loop<F, double, double>, loop<F, Float16, float>, nullptr, nullptr, nullptr,
           nullptr, nullptr}};
}

/// A function computed in the type of the elements.
template <auto F>
constexpr Entry own(std::string_view name) {
  return {name,
          {loop<F, float, float>, loop<F, double, double>, loop<F, Float16, float>,
           loop<F, std::uint8_t, std::uint8_t>, loop<F, std::int32_t, std::int32_t>,
           loop<F, std::int8_t, std::int8_t>, loop<F, std::int64_t, std::int64_t>, nullptr}};
}

/// As own(), for bool too.
template <auto F>
constexpr Entry own_and_bool(std::string_view name) {
  Entry entry = own<F>(name);
  entry.run[static_cast<std::size_t>(ElementType::boolean)] = loop<F, bool, bool>;
  return entry;
}

/// A function of integers and booleans alone, computed in their type.
template <auto F>
constexpr Entry whole(std::string_view name) {
  return {
      name,
      {nullptr, nullptr, nullptr, loop<F, std::uint8_t, std::uint8_t>, loop<F, std::int32_t, std::int32_t>,
       loop<F, std::int8_t, std::int8_t>, loop<F, std::int64_t, std::int64_t>, loop<F, bool, bool>}};
}

template <auto F, typename T, typename Compute>
void truth_loop(const void* src, void* dst, std::int64_t n, const UnaryParams& params) {
  const T* in = static_cast<const T*>(src);
  bool* out = static_cast<bool*>(dst);
  for (std::int64_t i = 0; i < n; ++i) out[i] = F(convert<Compute>(in[i]), params);
}

/// A function whose results are bool.
template <auto F>
constexpr Entry boolean(std::string_view name) {
  return {name,
          {truth_loop<F, float, float>, truth_loop<F, double, double>, truth_loop<F, Float16, float>,
           truth_loop<F, std::uint8_t, std::uint8_t>, truth_loop<F, std::int32_t, std::int32_t>,
           truth_loop<F, std::int8_t, std::int8_t>, truth_loop<F, std::int64_t, std::int64_t>,
           truth_loop<F, bool, bool>}};
}

using P = const UnaryParams&;

template <typename T>
T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

// log |gamma(x)|; the reentrant form, as std::lgamma writes a global.
float log_gamma(float x) {
  int sign = 0;
  return lgammaf_r(x, &sign);
}
double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// The x with erf(x) = y: a start from the asymptotic form, then Newton steps on erf (on erfc far from zero).
double inverse_erf(double y) {
  if (!(std::abs(y) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(y) == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
  if (y == 0) return y;
  const double target = std::abs(y);
  const double l = std::log1p(-target * target);
  const double t = 4.3307467508 + l / 2;  // 2 / (pi 0.147)
  double x = std::sqrt(std::sqrt(t * t - l / 0.147) - t);
  for (int i = 0; i < 4; ++i) {
    const double error = target < 0.5 ? std::erf(x) - target : (1 - target) - std::erfc(x);
    x -= error * 0.88622692545275801 * std::exp(x * x);  // sqrt(pi) / 2
  }
  return std::copysign(x, y);
}

// Halves go towards the smaller number (-1.5 to -2, 0.5 to 0), as MXNet's rint does.
template <typename T>
T rint_down(T x) {
  const T low = std::floor(x);
  const T high = std::ceil(x);
  return x - low <= high - x ? low : high;
}

/// That many decimals are beyond the digits of every double.
constexpr double kMostDecimals = 700;

/// x to that many decimals, halves to even digits. As MXNet, digit by digit: each product with 10 is rounded.
template <typename T>
T round_decimals(T x, double decimals) {
  constexpr T kTen = 10;
  const int count = static_cast<int>(std::clamp(decimals, -kMostDecimals, kMostDecimals));
  if (std::is_integral_v<T> && count >= 0) return x;
  T scaled = x;
  for (int d = 0; d < count; ++d) scaled = wrapping_mul(scaled, kTen);
  for (int d = 0; d > count; --d) scaled = static_cast<T>(scaled / kTen);
  T rounded = convert<T>(std::round(static_cast<double>(scaled)));
  if (convert<std::int32_t>(rounded) % 2 != 0) {
    const auto above = rounded - scaled;
    if (above == 0.5) {
      rounded -= T(1);
    } else if (above == -0.5) {
      rounded += T(1);
    }
  }
  if (rounded == T(0)) return rounded;
  for (int d = 0; d < count; ++d) rounded = static_cast<T>(rounded / kTen);
  for (int d = 0; d > count; --d) rounded = wrapping_mul(rounded, kTen);
  return rounded;
}

template <typename T>
T replace_broken(T x, const UnaryParams& params) {
  if (std::isnan(x)) return static_cast<T>(params.a);
  if (std::isinf(x)) return static_cast<T>(x > T(0) ? params.b : params.c);
  return x;
}

// Of integers and booleans: neither infinite nor NaN.
template <typename T>
bool is_infinite(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isinf(x);
  return false;
}

template <typename T>
T smooth_l1(T x, T sigma) {
  const T squared = sigma * sigma;
  const T border = T(1) / squared;
  if (x > border) return x - T(0.5) * border;
  if (x < -border) return -x - T(0.5) * border;
  return T(0.5) * x * x * squared;
}

template <typename T>
T sign_of(T x) {
  return x > T(0) ? T(1) : (x < T(0) ? static_cast<T>(-1) : T(0));
}

template <typename T>
T leaky(T x, T slope) {
  return x > T(0) ? x : x * slope;
}

template <typename T>
T elu(T x, T alpha) {
  return x > T(0) ? x : alpha * std::expm1(x);
}

// Compared as double, so that bounds outside an integer type have no effect.
template <typename T>
T clip(T x, double low, double high) {
  if (static_cast<double>(x) > high) return convert<T>(high);
  return static_cast<double>(x) < low ? convert<T>(low) : x;
}

template <typename T>
T softrelu(T x) {
  return (x > T(0) ? x : T(0)) + std::log1p(std::exp(-std::abs(x)));
}

constexpr float kDegreesPerRadian = 57.2957763671875f;  // as in MXNet, one unit below the nearest
constexpr float kRadiansPerDegree = 0.0174532924f;

constexpr Entry kEntries[] = {
    own_and_bool<[](auto x, P) { return x; }>("identity"),
    own_and_bool<[](auto x, P) { return decltype(x)(0); }>("zeros_like"),
    own_and_bool<[](auto x, P) { return decltype(x)(1); }>("ones_like"),

    // Activations. A NaN stays NaN.
    own<[](auto x, P) { return x <= decltype(x)(0) ? decltype(x)(0) : x; }>("relu"),
    real<[](auto x, P) { return sigmoid(x); }>("sigmoid"),
    real<[](auto x, P) { return std::tanh(x); }>("tanh"),
    real<[](auto x, P) { return softrelu(x); }>("softrelu"),
    real<[](auto x, P) { return x / (decltype(x)(1) + std::abs(x)); }>("softsign"),
    real_only<[](auto x, P p) {
      using T = decltype(x);
      return clip(static_cast<T>(p.a) * x + static_cast<T>(p.b), 0.0, 1.0);
    }>("hard_sigmoid"),
    real<[](auto x, P p) {
      using T = decltype(x);
      return smooth_l1(x, static_cast<T>(p.a));
    },
         float>("smooth_l1"),
    // a: slope
    real_only<[](auto x, P p) { return leaky(x, static_cast<decltype(x)>(p.a)); }>("leaky"),
    real_only<[](auto x, P p) { return elu(x, static_cast<decltype(x)>(p.a)); }>("elu"),
    // a: alpha, b: lambda
    real_only<[](auto x, P p) {
      using T = decltype(x);
      return static_cast<T>(p.b) * elu(x, static_cast<T>(p.a));
    }>("selu"),
    real_only<[](auto x, P) {
      using T = decltype(x);
      return T(0.5) * x * (T(1) + std::erf(x * T(0.70710678118654752440)));
    }>("gelu"),
    // a: beta
    real_only<[](auto x, P p) { return x * sigmoid(x * static_cast<decltype(x)>(p.a)); }>("swish"),
    real_only<[](auto x, P) { return activate(PostOps{Activation::hard_swish}, x); }>("hard_swish"),
    real_only<[](auto x, P) { return activate(PostOps{Activation::mish}, x); }>("mish"),
    real_only<[](auto x, P) { return activate(PostOps{Activation::gelu_tanh}, x); }>("gelu_tanh"),
    // a: lower bound, b: upper bound
    own<[](auto x, P p) { return clip(x, p.a, p.b); }>("clip"),
    // a: in place of NaN
    real_only<[](auto x, P p) { return std::isnan(x) ? static_cast<decltype(x)>(p.a) : x; }>("fill_nan"),
    // a, b, c: in place of NaN, infinity and -infinity
    real_only<[](auto x, P p) { return replace_broken(x, p); }>("nan_to_num"),

    // Arithmetic
    real<[](auto x, P) { return x < decltype(x)(0) ? decltype(x)(0) - x : x; }>("abs"),
    own<[](auto x, P) { return sign_of(x); }>("sign"),
    real<[](auto x, P) { return x * x; }, float>("square"),
    own<[](auto x, P) {
      if constexpr (std::is_floating_point_v<decltype(x)>)
        return -x;
      else
        return wrapping_sub(decltype(x)(0), x);
    }>("negative"),
    own<[](auto x, P) { return x == decltype(x)(0) ? decltype(x)(1) : decltype(x)(0); }>("logical_not"),
    real<[](auto x, P) { return decltype(x)(1) / x; }>("reciprocal"),

    // Rounding
    real<[](auto x, P) { return std::round(x); }>("round"),
    real<[](auto x, P) { return rint_down(x); }>("rint"),
    real<[](auto x, P) { return std::ceil(x); }>("ceil"),
    real<[](auto x, P) { return std::floor(x); }>("floor"),
    real<[](auto x, P) { return std::trunc(x); }>("trunc"),

    // a: decimals
    own<[](auto x, P p) { return round_decimals(x, p.a); }>("around"),
    own<[](auto x, P) { return round_decimals(x, 0); }>("round_even"),

    // Bits
    whole<[](auto x, P) {
      if constexpr (std::is_same_v<decltype(x), bool>)
        return !x;
      else
        return static_cast<decltype(x)>(~x);
    }>("bitwise_not"),

    // Roots
    real<[](auto x, P) { return std::sqrt(x); }>("sqrt"),
    real<[](auto x, P) { return decltype(x)(1) / std::sqrt(x); }>("rsqrt"),
    real<[](auto x, P) { return std::cbrt(x); }>("cbrt"),
    real<[](auto x, P) { return decltype(x)(1) / std::cbrt(x); }>("rcbrt"),

    // Exponentials and logarithms
    real<[](auto x, P) { return std::exp(x); }>("exp"),
    real<[](auto x, P) { return std::expm1(x); }>("expm1"),
    real<[](auto x, P) { return std::log(x); }>("log"),
    real<[](auto x, P) { return std::log10(x); }>("log10"),
    real<[](auto x, P) { return std::log2(x); }>("log2"),
    real<[](auto x, P) { return std::log1p(x); }>("log1p"),

    // Trigonometry
    real<[](auto x, P) { return std::sin(x); }>("sin"),
    real<[](auto x, P) { return std::cos(x); }>("cos"),
    real<[](auto x, P) { return std::tan(x); }>("tan"),
    real<[](auto x, P) { return std::asin(x); }>("arcsin"),
    real<[](auto x, P) { return std::acos(x); }>("arccos"),
    real<[](auto x, P) { return std::atan(x); }>("arctan"),
    real<[](auto x, P) { return std::sinh(x); }>("sinh"),
    real<[](auto x, P) { return std::cosh(x); }>("cosh"),
    real<[](auto x, P) { return std::asinh(x); }>("arcsinh"),
    real<[](auto x, P) { return std::acosh(x); }>("arccosh"),
    real<[](auto x, P) { return std::atanh(x); }>("arctanh"),
    real<[](auto x, P) { return x * kDegreesPerRadian; }, float>("degrees"),
    real<[](auto x, P) { return x * kRadiansPerDegree; }, float>("radians"),

    // Special functions
    real<[](auto x, P) { return std::tgamma(x); }>("gamma"),
    real<[](auto x, P) { return log_gamma(x); }>("gammaln"),
    real<[](auto x, P) { return std::erf(x); }>("erf"),
    real<[](auto x, P) { return static_cast<decltype(x)>(inverse_erf(x)); }>("erfinv"),
};

constexpr Entry kPredicates[] = {
    boolean<[](auto x, P) { return x != x; }>("isnan"),
    boolean<[](auto x, P) { return is_infinite(x); }>("isinf"),
    boolean<[](auto x, P) { return is_infinite(x) && decltype(x)(0) < x; }>("isposinf"),
    boolean<[](auto x, P) { return is_infinite(x) && x < decltype(x)(0); }>("isneginf"),
    boolean<[](auto x, P) { return x == x && !is_infinite(x); }>("isfinite"),
    boolean<[](auto x, P) { return x == decltype(x)(0); }>("logical_not"),
};

}  // namespace

UnaryFn predicate_ref(std::string_view function, ElementType type) {
  for (const Entry& entry : kPredicates) {
    if (entry.name == function) return pick(entry.run, type);
  }
  return nullptr;
}

UnaryFn unary_ref(std::string_view function, ElementType type) {
  for (const Entry& entry : kEntries) {
    if (entry.name == function) return pick(entry.run, type);
  }
  return nullptr;
}

UnaryKernel select_unary(std::string_view function, ElementType type, Target target) {
  if (target != Target::ref && type == ElementType::float32) {
    if (const UnaryFn simd = unary_simd_f32(function, target)) return {"simd", simd, target};
  }
  return {"ref", unary_ref(function, type)};
}

}  // namespace mxinfer::kernels
