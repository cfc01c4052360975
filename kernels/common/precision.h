// Precision: the type of the operands of a network's GEMMs and convolutions; on the CPU of the values between
// them too.
//
// Models are float32. Lower precisions trade digits for speed and memory; sums stay float32.
#pragma once

#include <cstdint>

namespace mxinfer::kernels {

enum class Precision : std::uint8_t {
  float32,   ///< as in the model
  bfloat16,  ///< significands of 8 bits, with float32's range
  tf32,      ///< significands of 11 bits, with float32's range and memory; on GPUs
  float16,   ///< significands of 11 bits, numbers up to 65504; on GPUs
};

/// "float32", "bfloat16", "tf32", "float16".
constexpr const char* to_string(Precision precision) noexcept {
  switch (precision) {
    case Precision::float32:
      break;
    case Precision::bfloat16:
      return "bfloat16";
    case Precision::tf32:
      return "tf32";
    case Precision::float16:
      return "float16";
  }
  return "float32";
}

/// As kernels' names have it: "f32", "bf16", "tf32", "f16".
constexpr const char* short_name(Precision precision) noexcept {
  switch (precision) {
    case Precision::float32:
      break;
    case Precision::bfloat16:
      return "bf16";
    case Precision::tf32:
      return "tf32";
    case Precision::float16:
      return "f16";
  }
  return "f32";
}

}  // namespace mxinfer::kernels
