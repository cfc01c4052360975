// Precision: what the large products of a network, and the values between them, are computed in.
//
// float32 is what models say. The others trade digits for speed and memory; sums stay float32 in all of them.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class Precision : std::uint8_t {
  float32,   ///< as the model says
  bfloat16,  ///< factors of 8 bits each, with float32's range
};

/// "float32", "bfloat16".
constexpr const char* to_string(Precision precision) noexcept {
  return precision == Precision::bfloat16 ? "bfloat16" : "float32";
}

}  // namespace mxinfer::kernels
