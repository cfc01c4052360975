// The types of values around 8-bit arithmetic.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class Int8Type : std::uint8_t { s8, u8, s32, f32 };

constexpr std::int64_t bytes_of(Int8Type type) {
  return type == Int8Type::s8 || type == Int8Type::u8 ? 1 : 4;
}

}  // namespace mxinfer::kernels
