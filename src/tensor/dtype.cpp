#include <mxinfer/dtype.h>

#include <cstring>

namespace mxinfer {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace

std::size_t MXINFER_ABI::size_of(DType dtype) noexcept {
  switch (dtype) {
    case DType::float64:
    case DType::int64:
    case DType::uint64:
      return 8;
    case DType::float32:
    case DType::int32:
    case DType::uint32:
      return 4;
    case DType::float16:
    case DType::bfloat16:
    case DType::int16:
    case DType::uint16:
      return 2;
    case DType::uint8:
    case DType::int8:
    case DType::boolean:
      return 1;
  }
  return 0;
}

const char* MXINFER_ABI::to_string(DType dtype) noexcept {
  switch (dtype) {
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
    case DType::float16:
      return "float16";
    case DType::uint8:
      return "uint8";
    case DType::int32:
      return "int32";
    case DType::int8:
      return "int8";
    case DType::int64:
      return "int64";
    case DType::boolean:
      return "bool";
    case DType::int16:
      return "int16";
    case DType::uint16:
      return "uint16";
    case DType::uint32:
      return "uint32";
    case DType::uint64:
      return "uint64";
    case DType::bfloat16:
      return "bfloat16";
  }
  return "unknown";
}

Half::Half(float value) noexcept {
  const std::uint32_t f = bits_of(value);
  const std::uint32_t sign = (f >> 16) & 0x8000u;
  const std::uint32_t magnitude = f & 0x7fffffffu;
  if (magnitude >= 0x7f800000u) {  // infinity or NaN
    bits = static_cast<std::uint16_t>(sign | 0x7c00u | (magnitude > 0x7f800000u ? 0x200u : 0u));
  } else if (magnitude >= 0x477ff000u) {  // rounds beyond 65504
    bits = static_cast<std::uint16_t>(sign | 0x7c00u);
  } else if (magnitude < 0x38800000u) {  // subnormal half: let float addition round at the right bit
    const float rounded = float_of(magnitude) + 0.5f;
    bits = static_cast<std::uint16_t>(sign | (bits_of(rounded) - bits_of(0.5f)));
  } else {
    const std::uint32_t odd = (magnitude >> 13) & 1u;
    bits = static_cast<std::uint16_t>(sign | ((magnitude - 0x38000000u + 0xfffu + odd) >> 13));
  }
}

Half::operator float() const noexcept {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0x1fu) return float_of(sign | 0x7f800000u | (fraction << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
    return float_of(sign | bits_of(magnitude));
  }
  return float_of(sign | ((exponent + 112u) << 23) | (fraction << 13));
}

BFloat16::BFloat16(float value) noexcept {
  const std::uint32_t f = bits_of(value);
  if ((f & 0x7fffffffu) > 0x7f800000u) {
    bits = static_cast<std::uint16_t>((f >> 16) | 0x40u);  // a NaN stays a NaN
  } else {
    bits = static_cast<std::uint16_t>((f + 0x7fffu + ((f >> 16) & 1u)) >> 16);
  }
}

BFloat16::operator float() const noexcept {
  return float_of(static_cast<std::uint32_t>(bits) << 16);
}

}  // namespace mxinfer
