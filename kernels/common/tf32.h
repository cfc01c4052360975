// tf32: a float of which tensor instructions read 10 bits of the significand and ignore the 13 below.
#pragma once

#include <bit>
#include <cstdint>

namespace mxinfer::kernels {

/// The bits of x, rounded to nearest in those that are read. Infinities and NaN stay.
constexpr std::uint32_t to_tf32(float x) {
  constexpr std::uint32_t kHalf = 0x1000;  // of the last bit that is read
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return (bits & 0x7f800000u) != 0x7f800000u ? bits + kHalf : bits;
}

}  // namespace mxinfer::kernels
