// FloatType: the type in which a GPU's kernels read and write the values of a network. Arithmetic is float32
// in each of them: a value is widened when it is read, and rounded to nearest even when it is stored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mxinfer::kernels {

enum class FloatType : std::uint8_t { float32, float16, bfloat16 };

/// Bytes of an element.
constexpr std::size_t bytes_of(FloatType type) noexcept {
  return type == FloatType::float32 ? 4 : 2;
}

/// As kernels' names have it: "f32", "f16", "bf16".
constexpr const char* short_name(FloatType type) noexcept {
  switch (type) {
    case FloatType::float32:
      break;
    case FloatType::float16:
      return "f16";
    case FloatType::bfloat16:
      return "bf16";
  }
  return "f32";
}

}  // namespace mxinfer::kernels
