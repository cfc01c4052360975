// float16 and bfloat16 by their bits, as a GPU's instructions make them.
#pragma once

#include <cstdint>
#include <cstring>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace mxinfer::simt {

inline std::uint32_t float_bits(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float bits_float(std::uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

/// What a GPU makes of every NaN; a CPU keeps the sign and the upper bits.
inline constexpr std::uint16_t kFloat16Nan = 0x7fff;

/// Rounded to nearest even, without the processor's instruction.
inline std::uint16_t to_float16_by_bits(float x) {
  const std::uint32_t bits = float_bits(x);
  const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return kFloat16Nan;
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Below the smallest normal number: the sum with 0.5 rounds at the last bit of a float16.
    const std::uint32_t rounded = float_bits(bits_float(magnitude) + 0.5f) - float_bits(0.5f);
    return static_cast<std::uint16_t>(sign | rounded);
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23);
  return static_cast<std::uint16_t>(sign | rounded >> 13);
}

inline float from_float16_by_bits(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) return bits_float(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude < 0x400u) return bits_float(sign | float_bits(static_cast<float>(magnitude) * 0x1p-24f));
  return bits_float(sign | ((magnitude << 13) + (112u << 23)));
}

/// float16 by its bits, rounded to nearest even.
inline std::uint16_t to_float16(float x) {
#ifdef __F16C__
  if (x != x) return kFloat16Nan;
  return static_cast<std::uint16_t>(
      _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(x), _MM_FROUND_TO_NEAREST_INT), 0));
#else
  return to_float16_by_bits(x);
#endif
}
/// Two of them in a word, the first in its lower half.
inline std::uint32_t to_float16_pair(float low, float high) {
  return to_float16(low) | static_cast<std::uint32_t>(to_float16(high)) << 16;
}

/// bfloat16, rounded to nearest even; every NaN is the same.
inline std::uint16_t to_bfloat16(float x) {
  const std::uint32_t bits = float_bits(x);
  return static_cast<std::uint16_t>(x != x ? 0x7fffu : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
inline std::uint32_t to_bfloat16_pair(float low, float high) {
  return to_bfloat16(low) | static_cast<std::uint32_t>(to_bfloat16(high)) << 16;
}

inline float from_float16(std::uint16_t bits) {
#ifdef __F16C__
  return _cvtsh_ss(bits);
#else
  return from_float16_by_bits(bits);
#endif
}

}  // namespace mxinfer::simt
