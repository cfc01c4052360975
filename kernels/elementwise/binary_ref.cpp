#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>

#include "kernels/elementwise/binary.h"
#include "kernels/elementwise/wrapping.h"

namespace mxinfer::kernels {
namespace {

/// StepA and StepB are 1 for a row and 0 for one element.
template <auto F, typename T, typename Compute, typename Out, int StepA, int StepB>
void loop(const void* a, const void* b, void* dst, std::int64_t n) {
  const T* x = static_cast<const T*>(a);
  const T* y = static_cast<const T*>(b);
  Out* out = static_cast<Out*>(dst);
  for (std::int64_t i = 0; i < n; ++i) {
    out[i] = convert<Out>(F(convert<Compute>(x[i * StepA]), convert<Compute>(y[i * StepB])));
  }
}

template <auto F, typename T, typename Compute, typename Out = T>
constexpr BinaryKernel kernel() {
  return {"ref", loop<F, T, Compute, Out, 1, 1>, loop<F, T, Compute, Out, 1, 0>,
          loop<F, T, Compute, Out, 0, 1>};
}

struct Entry {
  std::string_view name;
  PerType<BinaryKernel> kernels;
};

/// The same for bool too.
template <auto F, typename Compute>
constexpr Entry with_bool(Entry entry) {
  entry.kernels[static_cast<std::size_t>(ElementType::boolean)] = kernel<F, bool, Compute>();
  return entry;
}

/// A function computed in the type of the elements.
template <auto F>
constexpr Entry own(std::string_view name) {
  return {name,
          {kernel<F, float, float>(), kernel<F, double, double>(), kernel<F, Float16, float>(),
           kernel<F, std::uint8_t, std::uint8_t>(), kernel<F, std::int32_t, std::int32_t>(),
           kernel<F, std::int8_t, std::int8_t>(), kernel<F, std::int64_t, std::int64_t>(), BinaryKernel{}}};
}

/// As own(), for bool too.
template <auto F>
constexpr Entry own_and_bool(std::string_view name) {
  return with_bool<F, bool>(own<F>(name));
}

/// A function of integers alone, computed in their type.
template <auto F>
constexpr Entry whole(std::string_view name) {
  return {name,
          {BinaryKernel{}, BinaryKernel{}, BinaryKernel{}, kernel<F, std::uint8_t, std::uint8_t>(),
           kernel<F, std::int32_t, std::int32_t>(), kernel<F, std::int8_t, std::int8_t>(),
           kernel<F, std::int64_t, std::int64_t>(), BinaryKernel{}}};
}

/// As whole(), for bool too.
template <auto F>
constexpr Entry whole_and_bool(std::string_view name) {
  return with_bool<F, bool>(whole<F>(name));
}

/// A function computed in float; in `Whole` for integers, and in double for float64.
template <auto F, typename Whole = float>
constexpr Entry real(std::string_view name) {
  return {name,
          {kernel<F, float, float>(), kernel<F, double, double>(), kernel<F, Float16, float>(),
           kernel<F, std::uint8_t, Whole>(), kernel<F, std::int32_t, Whole>(),
           kernel<F, std::int8_t, Whole>(), kernel<F, std::int64_t, Whole>(), BinaryKernel{}}};
}

/// As real(), for bool too.
template <auto F>
constexpr Entry real_and_bool(std::string_view name) {
  return with_bool<F, float>(real<F>(name));
}

/// A function whose results are bool.
template <auto F>
constexpr Entry boolean(std::string_view name) {
  return {name,
          {kernel<F, float, float, bool>(), kernel<F, double, double, bool>(),
           kernel<F, Float16, float, bool>(), kernel<F, std::uint8_t, std::uint8_t, bool>(),
           kernel<F, std::int32_t, std::int32_t, bool>(), kernel<F, std::int8_t, std::int8_t, bool>(),
           kernel<F, std::int64_t, std::int64_t, bool>(), kernel<F, bool, bool, bool>()}};
}

template <typename T>
T divide(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == T(0)) return convert<T>(std::numeric_limits<float>::infinity());
  }
  return wrapping_div(a, b);
}

template <typename T>
T modulo(T a, T b) {
  if (b == T(0)) return T(0);
  const T rest = std::fmod(a, b);
  return rest != T(0) && ((rest < T(0)) != (b < T(0))) ? rest + b : rest;
}

// A NaN on either side is the result.
template <typename T>
T maximum(T a, T b) {
  return a != a || b < a ? a : b;
}
template <typename T>
T minimum(T a, T b) {
  return a != a || a < b ? a : b;
}

// As MXNet has it: a zero counts as positive, and a NaN for b changes the sign.
template <typename T>
T with_sign(T a, T b) {
  return (a >= T(0) && b >= T(0)) || (a < T(0) && b < T(0)) ? a : wrapping_sub(T(0), a);
}
template <>
float with_sign(float a, float b) {
  return (a >= 0 && b >= 0) || (a < 0 && b < 0) ? a : -a;
}
template <>
double with_sign(double a, double b) {
  return (a >= 0 && b >= 0) || (a < 0 && b < 0) ? a : -a;
}

/// The smallest number above 0 that both divide; 0 if one of them is 0.
template <typename T>
T common_multiple(T a, T b) {
  if (a == T(0) || b == T(0)) return T(0);
  const auto magnitude = [](T x) {
    return x < T(0) ? std::uint64_t{0} - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  };
  const std::uint64_t x = magnitude(a), y = magnitude(b);
  return static_cast<T>(x / std::gcd(x, y) * y);
}

template <typename T>
T truth(bool value) {
  return value ? T(1) : T(0);
}

constexpr Entry kEntries[] = {
    own_and_bool<[](auto a, auto b) { return wrapping_add(a, b); }>("add"),
    own<[](auto a, auto b) { return wrapping_sub(a, b); }>("sub"),
    own_and_bool<[](auto a, auto b) { return wrapping_mul(a, b); }>("mul"),
    own<[](auto a, auto b) { return divide(a, b); }>("div"),
    real<[](auto a, auto b) { return a / b; }>("float_div"),
    real<[](auto a, auto b) { return modulo(a, b); }, double>("mod"),
    own<[](auto a, auto b) { return maximum(a, b); }>("maximum"),
    own<[](auto a, auto b) { return minimum(a, b); }>("minimum"),
    real_and_bool<[](auto a, auto b) { return std::pow(a, b); }>("power"),
    real<[](auto a, auto b) { return std::hypot(a, b); }>("hypot"),
    real<[](auto a, auto b) { return std::atan2(a, b); }>("arctan2"),
    own<[](auto a, auto b) { return with_sign(a, b); }>("copysign"),
    real<[](auto a, auto b) { return a * std::pow(decltype(a)(2), b); }>("ldexp"),
    whole<[](auto a, auto b) { return common_multiple(a, b); }>("lcm"),
    whole_and_bool<[](auto a, auto b) { return static_cast<decltype(a)>(a & b); }>("bitwise_and"),
    whole_and_bool<[](auto a, auto b) { return static_cast<decltype(a)>(a | b); }>("bitwise_or"),
    whole_and_bool<[](auto a, auto b) { return static_cast<decltype(a)>(a ^ b); }>("bitwise_xor"),
    // x for x > 0, slope x otherwise; b: the slope
    own<[](auto a, auto b) { return decltype(a)(0) < a ? a : wrapping_mul(a, b); }>("prelu"),
    own<[](auto a, auto b) { return truth<decltype(a)>(a == b); }>("equal"),
    own<[](auto a, auto b) { return truth<decltype(a)>(a != b); }>("not_equal"),
    own<[](auto a, auto b) { return truth<decltype(a)>(b < a); }>("greater"),
    own<[](auto a, auto b) { return truth<decltype(a)>(b <= a); }>("greater_equal"),
    own<[](auto a, auto b) { return truth<decltype(a)>(a < b); }>("lesser"),
    own<[](auto a, auto b) { return truth<decltype(a)>(a <= b); }>("lesser_equal"),
    own<[](auto a, auto b) { return truth<decltype(a)>(bool(a) && bool(b)); }>("logical_and"),
    own<[](auto a, auto b) { return truth<decltype(a)>(bool(a) || bool(b)); }>("logical_or"),
    own<[](auto a, auto b) { return truth<decltype(a)>(bool(a) != bool(b)); }>("logical_xor"),
};

constexpr Entry kComparisons[] = {
    boolean<[](auto a, auto b) { return a == b; }>("equal"),
    boolean<[](auto a, auto b) { return a != b; }>("not_equal"),
    boolean<[](auto a, auto b) { return b < a; }>("greater"),
    boolean<[](auto a, auto b) { return b <= a; }>("greater_equal"),
    boolean<[](auto a, auto b) { return a < b; }>("lesser"),
    boolean<[](auto a, auto b) { return a <= b; }>("lesser_equal"),
    boolean<[](auto a, auto b) { return bool(a) && bool(b); }>("logical_and"),
    boolean<[](auto a, auto b) { return bool(a) || bool(b); }>("logical_or"),
    boolean<[](auto a, auto b) { return bool(a) != bool(b); }>("logical_xor"),
};

}  // namespace

BinaryKernel binary_ref(std::string_view function, ElementType type) {
  for (const Entry& entry : kEntries) {
    if (entry.name == function) return pick(entry.kernels, type);
  }
  return {};
}

BinaryKernel comparison_ref(std::string_view function, ElementType type) {
  for (const Entry& entry : kComparisons) {
    if (entry.name == function) return pick(entry.kernels, type);
  }
  return {};
}

BinaryKernel select_binary(std::string_view function, ElementType type, Target target) {
  if (target != Target::ref && type == ElementType::float32) {
    if (const BinaryKernel simd = binary_simd_f32(function, target); simd.rows != nullptr) return simd;
  }
  return binary_ref(function, type);
}

}  // namespace mxinfer::kernels
