// DType: the element type of a tensor.
//
//   mxinfer::DType t = mxinfer::DType::float32;
//   mxinfer::size_of(t);     // 4
//   mxinfer::to_string(t);   // "float32"
#pragma once

#include <mxinfer/export.h>

#include <cstddef>
#include <cstdint>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// An element type. The numbers are those in MXNet's files.
enum class DType : std::int32_t {
  float32 = 0,
  float64 = 1,
  float16 = 2,
  uint8 = 3,
  int32 = 4,
  int8 = 5,
  int64 = 6,
  boolean = 7,
  int16 = 8,
  uint16 = 9,
  uint32 = 10,
  uint64 = 11,
  bfloat16 = 12,
};

/// An IEEE binary16 number as stored. Converts to and from float, rounding to nearest, ties to even.
struct MXINFER_API Half {
  std::uint16_t bits = 0;
  Half() = default;
  explicit Half(float value) noexcept;
  explicit operator float() const noexcept;
};

/// A bfloat16 number as stored, which is the upper half of a float32. Converts to and from float, rounding to
/// nearest, ties to even.
struct MXINFER_API BFloat16 {
  std::uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value) noexcept;
  explicit operator float() const noexcept;
};

/// Returns the bytes of one element.
MXINFER_API std::size_t size_of(DType dtype) noexcept;
/// Returns NumPy's name, such as "float32" or "bool". Returns "unknown" if `dtype` is not a DType.
MXINFER_API const char* to_string(DType dtype) noexcept;
/// The DType of a C++ element type: DTypeOf<float>::value.
template <typename T>
struct DTypeOf;
// clang-format off
template <> struct DTypeOf<float> { static constexpr DType value = DType::float32; };
template <> struct DTypeOf<double> { static constexpr DType value = DType::float64; };
template <> struct DTypeOf<Half> { static constexpr DType value = DType::float16; };
template <> struct DTypeOf<BFloat16> { static constexpr DType value = DType::bfloat16; };
template <> struct DTypeOf<std::uint8_t> { static constexpr DType value = DType::uint8; };
template <> struct DTypeOf<std::int8_t> { static constexpr DType value = DType::int8; };
template <> struct DTypeOf<std::int16_t> { static constexpr DType value = DType::int16; };
template <> struct DTypeOf<std::uint16_t> { static constexpr DType value = DType::uint16; };
template <> struct DTypeOf<std::int32_t> { static constexpr DType value = DType::int32; };
template <> struct DTypeOf<std::uint32_t> { static constexpr DType value = DType::uint32; };
template <> struct DTypeOf<std::int64_t> { static constexpr DType value = DType::int64; };
template <> struct DTypeOf<std::uint64_t> { static constexpr DType value = DType::uint64; };
template <> struct DTypeOf<bool> { static constexpr DType value = DType::boolean; };
// clang-format on

}  // namespace MXINFER_ABI
}  // namespace mxinfer
