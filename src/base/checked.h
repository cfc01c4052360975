// Integer arithmetic on sizes that come from files or callers. It reports overflow.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace mxinfer {

/// a * b for a, b >= 0, or nullopt if it exceeds 2^63 - 1.
inline std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// a + b, or nullopt if it does not fit.
inline std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// The product of three or more factors >= 0, or nullopt if it exceeds 2^63 - 1.
template <typename... Factors>
std::optional<std::int64_t> checked_mul(std::int64_t a, std::int64_t b, Factors... rest) {
  const std::optional<std::int64_t> product = checked_mul(a, b);
  return product ? checked_mul(*product, rest...) : std::nullopt;
}

/// Whether [first, first + count) lies in [0, size). Accepts any numbers.
constexpr bool is_inside(std::int64_t first, std::int64_t count, std::int64_t size) {
  return first >= 0 && count >= 0 && count <= size && first <= size - count;
}

/// ceil(a / b) for a >= 0, b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// a rounded up to a multiple of b, for a >= 0, b > 0.
constexpr std::int64_t round_up(std::int64_t a, std::int64_t b) {
  return ceil_div(a, b) * b;
}

}  // namespace mxinfer
