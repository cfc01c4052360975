// Quotients of sizes that round up.
#pragma once

#include <type_traits>

namespace mxinfer::kernels {

/// ceil(a / b) for a >= 0, b > 0.
template <typename A, typename B>
constexpr std::common_type_t<A, B> ceil_div(A a, B b) {
  return (a + b - 1) / b;
}

/// a rounded up to a multiple of b, for a >= 0, b > 0.
template <typename A, typename B>
constexpr std::common_type_t<A, B> round_up(A a, B b) {
  return ceil_div(a, b) * b;
}

}  // namespace mxinfer::kernels
