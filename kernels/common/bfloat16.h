// BFloat16: the upper half of a float32 as stored. Kernels load it, compute in float, and round to nearest
// even when they store.
#pragma once

#include <bit>
#include <cstdint>

namespace mxinfer::kernels {

struct BFloat16 {
  std::uint16_t bits = 0;
  BFloat16() = default;
  explicit BFloat16(float value) noexcept;
  explicit operator float() const noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
};

inline BFloat16::BFloat16(float value) noexcept {
  const auto f = std::bit_cast<std::uint32_t>(value);
  const bool nan = (f & 0x7fffffffu) > 0x7f800000u;
  bits = static_cast<std::uint16_t>(nan ? (f >> 16) | 0x40u : (f + 0x7fffu + ((f >> 16) & 1u)) >> 16);
}

}  // namespace mxinfer::kernels
