// Arithmetic that wraps around for integers, as in the machine; in C++ overflow would be undefined.
#pragma once

#include <type_traits>

namespace mxinfer::kernels {

template <typename T, typename Op>
constexpr T wrapping(T a, T b, Op op) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // At least 32 bits wide, so that promotion to int cannot overflow.
    using Wide = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(op(static_cast<Wide>(a), static_cast<Wide>(b)));
  } else {
    return static_cast<T>(op(a, b));
  }
}

template <typename T>
constexpr T wrapping_add(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x + y; });
}
template <typename T>
constexpr T wrapping_sub(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x - y; });
}
template <typename T>
constexpr T wrapping_mul(T a, T b) {
  return wrapping(a, b, [](auto x, auto y) { return x * y; });
}
/// a / b, cut towards zero. Precondition for integers: b != 0. The smallest number / -1, which would trap, is
/// that number.
template <typename T>
constexpr T wrapping_div(T a, T b) {
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
    if (b == T(-1)) return wrapping_sub(T(0), a);
  }
  return static_cast<T>(a / b);
}
/// The rest of that division, of integers.
template <typename T>
constexpr T wrapping_rest(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == T(-1)) return T(0);
  }
  return static_cast<T>(a % b);
}

}  // namespace mxinfer::kernels
