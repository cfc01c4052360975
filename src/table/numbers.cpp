#include "table/numbers.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/fail.h"

namespace mxinfer::table {
namespace {

constexpr const char* kDoesNotFit = "holds a number that the input's dtype cannot hold";

template <typename T>
constexpr bool is_half_v = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

template <typename From>
double as_double(From value) {
  if constexpr (is_half_v<From>) {
    return static_cast<float>(value);
  } else {
    return static_cast<double>(value);
  }
}

template <typename To, typename From>
bool fits(From value) {
  if constexpr (std::is_same_v<From, bool>) {
    return true;
  } else if constexpr (std::is_signed_v<From> && !std::is_signed_v<To>) {
    return value >= 0 && static_cast<std::make_unsigned_t<From>>(value) <= std::numeric_limits<To>::max();
  } else if constexpr (!std::is_signed_v<From> && std::is_signed_v<To>) {
    return value <= static_cast<std::make_unsigned_t<To>>(std::numeric_limits<To>::max());
  } else {
    return value >= std::numeric_limits<To>::min() && value <= std::numeric_limits<To>::max();
  }
}

template <typename To, typename From>
const char* convert(const From* from, std::int64_t count, To* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<To, bool>) {
      to[i] = as_double(from[i]) != 0;
    } else if constexpr (is_half_v<To>) {
      to[i] = To(static_cast<float>(as_double(from[i])));
    } else if constexpr (std::is_floating_point_v<To>) {
      to[i] = static_cast<To>(as_double(from[i]));
    } else if constexpr (is_half_v<From> || std::is_floating_point_v<From>) {
      return kDoesNotFit;  // can_convert allows no float to become an integer
    } else {
      if (!fits<To>(from[i])) return kDoesNotFit;
      to[i] = static_cast<To>(from[i]);  // NOLINT(bugprone-signed-char-misuse): a number of int8
    }
  }
  return nullptr;
}

/// use(T{}) with the element type.
template <typename Use>
auto with_type(DType dtype, const Use& use) {
  switch (dtype) {
    case DType::float32:
      return use(float{});
    case DType::float64:
      return use(double{});
    case DType::float16:
      return use(Half{});
    case DType::bfloat16:
      return use(BFloat16{});
    case DType::uint8:
      return use(std::uint8_t{});
    case DType::int8:
      return use(std::int8_t{});
    case DType::int16:
      return use(std::int16_t{});
    case DType::uint16:
      return use(std::uint16_t{});
    case DType::int32:
      return use(std::int32_t{});
    case DType::uint32:
      return use(std::uint32_t{});
    case DType::int64:
      return use(std::int64_t{});
    case DType::uint64:
      return use(std::uint64_t{});
    case DType::boolean:
      return use(bool{});
  }
  fail(ErrorCode::internal, "an unknown dtype");
}

template <typename To>
const char* convert_bits(const Elements& from, To* to) {
  for (std::int64_t i = 0; i < from.count; ++i) {
    const bool bit = bit_is_set(from.buffer, from.begin + i);
    if constexpr (is_half_v<To>) {
      to[i] = To(static_cast<float>(bit));
    } else {
      to[i] = static_cast<To>(bit);
    }
  }
  return nullptr;
}

}  // namespace

bool can_convert(DType from, DType to) {
  if (is_float(to) || from == to) return true;
  return !is_float(from) && to != DType::boolean;
}

const char* convert_numbers(const Elements& from, DType to, void* dst) {
  if (from.count == 0) return nullptr;
  return with_type(to, [&](auto target) -> const char* {
    using To = decltype(target);
    auto* const out = static_cast<To*>(dst);
    if (from.dtype == DType::boolean) return convert_bits(from, out);
    return with_type(from.dtype, [&](auto source) -> const char* {
      using From = decltype(source);
      const From* const in = static_cast<const From*>(from.buffer) + from.begin;
      if constexpr (std::is_same_v<To, From>) {
        std::memcpy(out, in, static_cast<std::size_t>(from.count) * sizeof(To));
        return nullptr;
      } else {
        return convert(in, from.count, out);
      }
    });
  });
}

void write_nans(DType dtype, void* dst, std::int64_t count) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  with_type(dtype, [&](auto element) {
    using T = decltype(element);
    if constexpr (is_half_v<T>) {
      for (std::int64_t i = 0; i < count; ++i) static_cast<T*>(dst)[i] = T(static_cast<float>(kNan));
    } else if constexpr (std::is_floating_point_v<T>) {
      for (std::int64_t i = 0; i < count; ++i) static_cast<T*>(dst)[i] = static_cast<T>(kNan);
    }
  });
}

}  // namespace mxinfer::table
