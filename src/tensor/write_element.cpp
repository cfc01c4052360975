#include "tensor/write_element.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "tensor/read_element.h"

namespace mxinfer {
namespace {

template <typename T>
void write_as(void* data, std::int64_t index, double value) {
  if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
    static_cast<T*>(data)[index] = T(static_cast<float>(value));
  } else {
    static_cast<T*>(data)[index] = static_cast<T>(value);
  }
}

// 2^digits is the first number above an integer's range, and a double, unlike its largest value.
template <typename T>
bool in_range(double value) {
  const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
  const double begin = std::is_signed_v<T> ? -end : 0.0;
  return value == std::trunc(value) && value >= begin && value < end;
}

bool float_holds(DType dtype, double value) {
  if (!std::isfinite(value)) return false;
  if (dtype == DType::float64) return true;
  if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max())) return false;
  double memory = 0;  // of room enough
  element_writer(dtype)(&memory, 0, value);
  const double rounded = element_reader(dtype)(&memory, 0);
  return std::isfinite(rounded) && (value != std::trunc(value) || rounded == value);
}

}  // namespace

ElementWriter element_writer(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return write_as<float>;
    case DType::float64:
      return write_as<double>;
    case DType::float16:
      return write_as<Half>;
    case DType::bfloat16:
      return write_as<BFloat16>;
    case DType::uint8:
      return write_as<std::uint8_t>;
    case DType::int8:
      return write_as<std::int8_t>;
    case DType::int16:
      return write_as<std::int16_t>;
    case DType::uint16:
      return write_as<std::uint16_t>;
    case DType::int32:
      return write_as<std::int32_t>;
    case DType::uint32:
      return write_as<std::uint32_t>;
    case DType::int64:
      return write_as<std::int64_t>;
    case DType::uint64:
      return write_as<std::uint64_t>;
    case DType::boolean:
      return write_as<bool>;
  }
  return write_as<float>;
}

bool holds(DType dtype, double value) {
  switch (dtype) {
    case DType::uint8:
      return in_range<std::uint8_t>(value);
    case DType::int8:
      return in_range<std::int8_t>(value);
    case DType::int16:
      return in_range<std::int16_t>(value);
    case DType::uint16:
      return in_range<std::uint16_t>(value);
    case DType::int32:
      return in_range<std::int32_t>(value);
    case DType::uint32:
      return in_range<std::uint32_t>(value);
    case DType::int64:
      return in_range<std::int64_t>(value);
    case DType::uint64:
      return in_range<std::uint64_t>(value);
    case DType::boolean:
      return value == 0 || value == 1;
    default:
      return float_holds(dtype, value);
  }
}

}  // namespace mxinfer
