// ElementType: the type of the elements behind an untyped pointer. The numbers are those of the library's
// DType, so that a cast converts one to the other. PerType<Fn> is a kernel's functions, one for each type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/common/float16.h"

namespace mxinfer::kernels {

enum class ElementType : std::int32_t {
  float32 = 0,
  float64 = 1,
  float16 = 2,
  uint8 = 3,
  int32 = 4,
  int8 = 5,
  int64 = 6,
  boolean = 7,
  bfloat16 = 12,  ///< of few kernels, none of those in a PerType
};
inline constexpr std::size_t kElementTypes = 8;

/// One entry for each ElementType, null for types without one.
template <typename Fn>
using PerType = std::array<Fn, kElementTypes>;

/// The entry for a type; null for a number that is not an ElementType.
template <typename Fn>
constexpr Fn pick(const PerType<Fn>& functions, ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kElementTypes ? functions[index] : Fn{};
}

/// The type that arithmetic on T is done in: float for Float16, T itself otherwise.
template <typename T>
using Arithmetic = std::conditional_t<std::is_same_v<T, Float16>, float, T>;
/// The type that functions such as exp are computed in: double for double, float otherwise.
template <typename T>
using Real = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Converts as compiled MXNet does on x86-64, without C++'s undefined cases: a float becomes an integer by
/// truncation; outside int32 (int64 for a 64-bit target) and for NaN it becomes the smallest one; narrower
/// integers keep the low bits of that; anything but zero is true.
template <typename To, typename From>
constexpr To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Float16>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, Float16>) {
    return Float16(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    using Wide = std::conditional_t<sizeof(To) == 8, std::int64_t, std::int32_t>;
    constexpr From kLimit = sizeof(Wide) == 8 ? From(9223372036854775808.0) : From(2147483648.0);
    const bool fits = value >= -kLimit && value < kLimit;
    return static_cast<To>(fits ? static_cast<Wide>(value) : std::numeric_limits<Wide>::min());
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace mxinfer::kernels
