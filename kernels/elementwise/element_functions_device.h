// The functions of unary.h and binary.h in CUDA C++, for the kernels of elementwise.cu: real_function for
// float and double, whole_function for int32 and int64.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/cuda/dialect.h"
#include "kernels/elementwise/elementwise_cuda.h"

namespace mxinfer::kernels::cuda {

/// The elements of a thread that are computed together.
template <int W, typename T>
struct Pack {
  T v[W];
};

template <int W, typename T, typename F>
__device__ __forceinline__ Pack<W, T> each(const Pack<W, T>& a, const F& f) {
  Pack<W, T> r;
#pragma unroll
  for (int i = 0; i < W; ++i) r.v[i] = f(a.v[i]);
  return r;
}
template <int W, typename T, typename F>
__device__ __forceinline__ Pack<W, T> each(const Pack<W, T>& a, const Pack<W, T>& b, const F& f) {
  Pack<W, T> r;
#pragma unroll
  for (int i = 0; i < W; ++i) r.v[i] = f(a.v[i], b.v[i]);
  return r;
}

template <typename T>
__device__ __forceinline__ T truth(bool value) {
  return value ? T(1) : T(0);
}

template <typename T>
__device__ __forceinline__ T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}
template <typename T>
__device__ __forceinline__ T elu(T x, T alpha) {
  return x > T(0) ? x : alpha * std::expm1(x);
}
template <typename T>
__device__ __forceinline__ T softrelu(T x) {
  return (x > T(0) ? x : T(0)) + std::log1p(std::exp(-std::fabs(x)));
}
template <typename T>
__device__ __forceinline__ T limited(T x, T low, T high) {
  return x > high ? high : x < low ? low : x;
}
template <typename T>
__device__ __forceinline__ T smooth_l1(T x, T sigma) {
  const T squared = sigma * sigma;
  const T border = T(1) / squared;
  if (x > border) return x - T(0.5) * border;
  if (x < -border) return -x - T(0.5) * border;
  return T(0.5) * x * x * squared;
}
template <typename T>
__device__ __forceinline__ T rint_down(T x) {
  const T low = std::floor(x), high = std::ceil(x);
  return x - low <= high - x ? low : high;
}
template <typename T>
__device__ __forceinline__ T modulo(T a, T b) {
  if (b == T(0)) return T(0);
  const T rest = std::fmod(a, b);
  return rest != T(0) && ((rest < T(0)) != (b < T(0))) ? rest + b : rest;
}
template <typename T>
__device__ __forceinline__ bool same_sign(T a, T b) {
  return (a >= T(0) && b >= T(0)) || (a < T(0) && b < T(0));
}
// As in binary_ref.cpp.
template <typename T>
__device__ __forceinline__ T common_multiple(T a, T b) {
  using U = std::make_unsigned_t<T>;
  if (a == T(0) || b == T(0)) return T(0);
  const U x = a < T(0) ? U(0) - static_cast<U>(a) : static_cast<U>(a);
  const U y = b < T(0) ? U(0) - static_cast<U>(b) : static_cast<U>(b);
  U divisor = x, rest = y;
#pragma unroll 1
  while (rest != U(0)) {
    const U next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  return static_cast<T>(x / divisor * y);
}
// As round_decimals in unary_ref.cpp.
__device__ __forceinline__ float around(float x, float decimals) {
  const int count = static_cast<int>(limited(decimals, -700.0f, 700.0f));
  float scaled = x;
#pragma unroll 1
  for (int d = 0; d < count; ++d) scaled *= 10.0f;
#pragma unroll 1
  for (int d = 0; d > count; --d) scaled /= 10.0f;
  float rounded = std::rint(scaled);
#pragma unroll 1
  for (int d = 0; d < count; ++d) rounded /= 10.0f;
#pragma unroll 1
  for (int d = 0; d > count && rounded != 0.0f; --d) rounded *= 10.0f;
  return rounded;
}
// As in unary_ref.cpp.
__device__ __forceinline__ double inverse_erf(double y) {
  if (!(std::fabs(y) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(y) == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
  if (y == 0) return y;
  const double target = std::fabs(y);
  const double l = std::log1p(-target * target);
  const double t = 4.3307467508 + l / 2;  // 2 / (pi 0.147)
  double x = std::sqrt(std::sqrt(t * t - l / 0.147) - t);
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const double error = target < 0.5 ? std::erf(x) - target : (1 - target) - std::erfc(x);
    x -= error * 0.88622692545275801 * std::exp(x * x);  // sqrt(pi) / 2
  }
  return std::copysign(x, y);
}

/// Comparisons and logical functions, of any type.
template <int W, typename T>
__device__ __forceinline__ Pack<W, T> comparison(ElementOp op, const Pack<W, T>& a, const Pack<W, T>& b) {
  switch (op) {
    case ElementOp::equal:
      return each(a, b, [](T x, T y) { return truth<T>(x == y); });
    case ElementOp::not_equal:
      return each(a, b, [](T x, T y) { return truth<T>(x != y); });
    case ElementOp::greater:
      return each(a, b, [](T x, T y) { return truth<T>(x > y); });
    case ElementOp::greater_equal:
      return each(a, b, [](T x, T y) { return truth<T>(x >= y); });
    case ElementOp::lesser:
      return each(a, b, [](T x, T y) { return truth<T>(x < y); });
    case ElementOp::lesser_equal:
      return each(a, b, [](T x, T y) { return truth<T>(x <= y); });
    case ElementOp::logical_and:
      return each(a, b, [](T x, T y) { return truth<T>(x != T(0) && y != T(0)); });
    case ElementOp::logical_or:
      return each(a, b, [](T x, T y) { return truth<T>(x != T(0) || y != T(0)); });
    case ElementOp::logical_xor:
      return each(a, b, [](T x, T y) { return truth<T>((x != T(0)) != (y != T(0))); });
    case ElementOp::logical_not:
      return each(a, [](T x) { return truth<T>(x == T(0)); });
    case ElementOp::zeros_like:
      return each(a, [](T) { return T(0); });
    case ElementOp::ones_like:
      return each(a, [](T) { return T(1); });
    case ElementOp::sign:
      return each(a, [](T x) { return x > T(0) ? T(1) : x < T(0) ? T(-1) : T(0); });
    case ElementOp::relu:
      return each(a, [](T x) { return x <= T(0) ? T(0) : x; });
    case ElementOp::maximum:
      return each(a, b, [](T x, T y) { return x != x || y < x ? x : y; });
    case ElementOp::minimum:
      return each(a, b, [](T x, T y) { return x != x || x < y ? x : y; });
    default:
      return a;  // identity
  }
}

/// The functions that are not common, of float.
__device__ __forceinline__ float rare_function(ElementOp op, float x, float y, float p) {
  switch (op) {
    case ElementOp::around:
      return around(x, p);
    case ElementOp::arccos:
      return std::acos(x);
    case ElementOp::arccosh:
      return std::acosh(x);
    case ElementOp::arcsin:
      return std::asin(x);
    case ElementOp::arcsinh:
      return std::asinh(x);
    case ElementOp::arctan:
      return std::atan(x);
    case ElementOp::arctan2:
      return std::atan2(x, y);
    case ElementOp::arctanh:
      return std::atanh(x);
    case ElementOp::cbrt:
      return std::cbrt(x);
    case ElementOp::cos:
      return std::cos(x);
    case ElementOp::cosh:
      return std::cosh(x);
    case ElementOp::erfinv:
      return static_cast<float>(inverse_erf(static_cast<double>(x)));
    case ElementOp::gamma:
      return std::tgamma(x);
    case ElementOp::gammaln:
      return std::lgamma(x);
    case ElementOp::hypot:
      return std::hypot(x, y);
    case ElementOp::ldexp:
      return x * std::pow(2.0f, y);
    case ElementOp::log10:
      return std::log10(x);
    case ElementOp::log1p:
      return std::log1p(x);
    case ElementOp::log2:
      return std::log2(x);
    case ElementOp::mod:
      return modulo(x, y);
    case ElementOp::power:
      return std::pow(x, y);
    case ElementOp::rcbrt:
      return 1.0f / std::cbrt(x);
    case ElementOp::sin:
      return std::sin(x);
    case ElementOp::sinh:
      return std::sinh(x);
    case ElementOp::tan:
      return std::tan(x);
    default:
      return x;
  }
}

/// f(a) with parameters p and q, or f(a, b), of float or double. kRare: for the functions that are not
/// common too, of float.
template <bool kRare, int W, typename T>
__device__ __forceinline__ Pack<W, T> real_function(ElementOp op, const Pack<W, T>& a, const Pack<W, T>& b,
                                                    T p, T q) {
  switch (op) {
    case ElementOp::add:
      return each(a, b, [](T x, T y) { return x + y; });
    case ElementOp::sub:
      return each(a, b, [](T x, T y) { return x - y; });
    case ElementOp::mul:
      return each(a, b, [](T x, T y) { return x * y; });
    case ElementOp::div:
    case ElementOp::float_div:
      return each(a, b, [](T x, T y) { return x / y; });
    case ElementOp::prelu:
      return each(a, b, [](T x, T y) { return T(0) < x ? x : x * y; });
    case ElementOp::abs:
      return each(a, [](T x) { return x < T(0) ? T(0) - x : x; });
    case ElementOp::ceil:
      return each(a, [](T x) { return std::ceil(x); });
    case ElementOp::clip:
      return each(a, [p, q](T x) { return limited(x, p, q); });
    case ElementOp::copysign:
      return each(a, b, [](T x, T y) { return same_sign(x, y) ? x : -x; });
    case ElementOp::degrees:
      return each(a, [](T x) { return x * T(57.2957763671875f); });
    case ElementOp::elu:
      return each(a, [p](T x) { return elu(x, p); });
    case ElementOp::erf:
      return each(a, [](T x) { return std::erf(x); });
    case ElementOp::exp:
      return each(a, [](T x) { return std::exp(x); });
    case ElementOp::expm1:
      return each(a, [](T x) { return std::expm1(x); });
    case ElementOp::fill_nan:
      return each(a, [p](T x) { return x != x ? p : x; });
    case ElementOp::floor:
      return each(a, [](T x) { return std::floor(x); });
    case ElementOp::gelu:
      return each(a, [](T x) { return T(0.5) * x * (T(1) + std::erf(x * T(0.70710678118654752440))); });
    case ElementOp::gelu_tanh:
      return each(a, [](T x) {
        return x * T(0.5) * (T(1) + std::tanh(T(0.79788456080286535588) * (x + T(0.044715) * x * x * x)));
      });
    case ElementOp::hard_sigmoid:
      return each(a, [p, q](T x) { return limited(p * x + q, T(0), T(1)); });
    case ElementOp::hard_swish:
      return each(a, [](T x) { return x * limited(x + T(3), T(0), T(6)) / T(6); });
    case ElementOp::leaky:
      return each(a, [p](T x) { return x > T(0) ? x : x * p; });
    case ElementOp::log:
      return each(a, [](T x) { return std::log(x); });
    case ElementOp::mish:
      return each(a, [](T x) { return x * std::tanh(x > T(20) ? x : std::log1p(std::exp(x))); });
    case ElementOp::negative:
      return each(a, [](T x) { return -x; });
    case ElementOp::radians:
      return each(a, [](T x) { return x * T(0.0174532924f); });
    case ElementOp::reciprocal:
      return each(a, [](T x) { return T(1) / x; });
    case ElementOp::rint:
      return each(a, [](T x) { return rint_down(x); });
    case ElementOp::round:
      return each(a, [](T x) { return std::round(x); });
    case ElementOp::round_even:
      return each(a, [](T x) { return std::rint(x); });
    case ElementOp::round_float16:
      return each(
          a, [](T x) { return static_cast<T>(simt::from_float16(simt::to_float16(static_cast<float>(x)))); });
    case ElementOp::rsqrt:
      return each(a, [](T x) { return T(1) / std::sqrt(x); });
    case ElementOp::selu:
      return each(a, [p, q](T x) { return q * elu(x, p); });
    case ElementOp::sigmoid:
      return each(a, [](T x) { return sigmoid(x); });
    case ElementOp::smooth_l1:
      return each(a, [p](T x) { return smooth_l1(x, p); });
    case ElementOp::softrelu:
      return each(a, [](T x) { return softrelu(x); });
    case ElementOp::softsign:
      return each(a, [](T x) { return x / (T(1) + std::fabs(x)); });
    case ElementOp::sqrt:
      return each(a, [](T x) { return std::sqrt(x); });
    case ElementOp::square:
      return each(a, [](T x) { return x * x; });
    case ElementOp::swish:
      return each(a, [p](T x) { return x * sigmoid(x * p); });
    case ElementOp::tanh:
      return each(a, [](T x) { return std::tanh(x); });
    case ElementOp::trunc:
      return each(a, [](T x) { return std::trunc(x); });
    default:
      break;
  }
  if constexpr (kRare && std::is_same_v<T, float>) {
    if (!is_common(op)) return each(a, b, [op, p](T x, T y) { return rare_function(op, x, y, p); });
  }
  return comparison(op, a, b);
}

/// The same of int32 or int64: sums, differences and products wrap.
template <int W, typename T>
__device__ __forceinline__ Pack<W, T> whole_function(ElementOp op, const Pack<W, T>& a, const Pack<W, T>& b,
                                                     double p, double q) {
  using U = std::make_unsigned_t<T>;
  switch (op) {
    case ElementOp::add:
      return each(a, b, [](T x, T y) { return static_cast<T>(static_cast<U>(x) + static_cast<U>(y)); });
    case ElementOp::sub:
      return each(a, b, [](T x, T y) { return static_cast<T>(static_cast<U>(x) - static_cast<U>(y)); });
    case ElementOp::mul:
      return each(a, b, [](T x, T y) { return static_cast<T>(static_cast<U>(x) * static_cast<U>(y)); });
    case ElementOp::div:
      return each(a, b, [](T x, T y) {
        if (y == T(0)) return std::numeric_limits<T>::min();
        return y == T(-1) ? static_cast<T>(U(0) - static_cast<U>(x)) : static_cast<T>(x / y);
      });
    case ElementOp::mod:
      return each(
          a, b, [](T x, T y) { return convert<T>(modulo(static_cast<double>(x), static_cast<double>(y))); });
    case ElementOp::prelu:
      return each(a, b, [](T x, T y) {
        return T(0) < x ? x : static_cast<T>(static_cast<U>(x) * static_cast<U>(y));
      });
    case ElementOp::copysign:
      return each(a, b,
                  [](T x, T y) { return same_sign(x, y) ? x : static_cast<T>(U(0) - static_cast<U>(x)); });
    case ElementOp::lcm:
      return each(a, b, [](T x, T y) { return common_multiple(x, y); });
    case ElementOp::bitwise_and:
      return each(a, b, [](T x, T y) { return static_cast<T>(x & y); });
    case ElementOp::bitwise_or:
      return each(a, b, [](T x, T y) { return static_cast<T>(x | y); });
    case ElementOp::bitwise_xor:
      return each(a, b, [](T x, T y) { return static_cast<T>(x ^ y); });
    case ElementOp::bitwise_not:
      return each(a, [](T x) { return static_cast<T>(~x); });
    case ElementOp::negative:
      return each(a, [](T x) { return static_cast<T>(U(0) - static_cast<U>(x)); });
    case ElementOp::clip:
      return each(a, [p, q](T x) {
        if (static_cast<double>(x) > q) return convert<T>(q);
        return static_cast<double>(x) < p ? convert<T>(p) : x;
      });
    default:
      return comparison(op, a, b);
  }
}

}  // namespace mxinfer::kernels::cuda
