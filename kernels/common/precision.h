// Precision: what the large products of a network, and the values between them, are computed in.
//
// float32 is what models say. The others trade digits for speed and memory; sums stay float32 in all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mxinfer::kernels {

enum class Precision : std::uint8_t {
  float32,   ///< as the model says
  bfloat16,  ///< factors of 8 bits each, with float32's range
};
inline constexpr Precision kPrecisions[] = {Precision::float32, Precision::bfloat16};

/// "float32", "bfloat16".
constexpr const char* to_string(Precision precision) noexcept {
  return precision == Precision::bfloat16 ? "bfloat16" : "float32";
}

constexpr std::optional<Precision> parse_precision(std::string_view name) noexcept {
  for (const Precision precision : kPrecisions) {
    if (name == to_string(precision)) return precision;
  }
  return std::nullopt;
}

}  // namespace mxinfer::kernels
