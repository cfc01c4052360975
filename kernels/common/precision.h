// Precision: the type of the GEMMs and convolutions of a network, and of the values between them.
//
// Models are float32. Lower precisions trade digits for speed and memory; sums stay float32.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class Precision : std::uint8_t {
  float32,   ///< as in the model
  bfloat16,  ///< significands of 8 bits, with float32's range
};

/// "float32", "bfloat16".
constexpr const char* to_string(Precision precision) noexcept {
  return precision == Precision::bfloat16 ? "bfloat16" : "float32";
}

}  // namespace mxinfer::kernels
