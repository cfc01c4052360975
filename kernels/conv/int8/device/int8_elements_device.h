// 8-bit values in the kernels of a GPU, one by one and four in a word: kernels/int8/rounding.h and
// int8_elements.h as device functions. For .cu files.
#pragma once

#include "kernels/conv/int8/int8_conv.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

inline constexpr int kInt8Block = 256;

/// Byte i of a word as a number.
template <bool SIGNED>
__device__ __forceinline__ int byte_at(std::uint32_t word, int i) {
  const std::uint32_t byte = word >> (8 * i) & 0xffu;
  return SIGNED ? static_cast<int>(static_cast<std::int8_t>(byte)) : static_cast<int>(byte);
}
__device__ __forceinline__ int byte_at(Int8Type type, std::uint32_t word, int i) {
  return type == Int8Type::s8 ? byte_at<true>(word, i) : byte_at<false>(word, i);
}

/// The nearest integer from low to high, of two equally near ones the even one; NaN becomes the highest. The
/// floats are those of the ends of the range, 2^31 for that of int32.
__device__ __forceinline__ int nearest(float x, float low, float high, int least, int most) {
  if (!(x < high)) return most;
  if (x <= low) return least;
  return static_cast<int>(rintf(x));
}
__device__ __forceinline__ int nearest(Int8Type type, float x) {
  switch (type) {
    case Int8Type::s8:
      return nearest(x, -128.0f, 127.0f, -128, 127);
    case Int8Type::u8:
      return nearest(x, 0.0f, 255.0f, 0, 255);
    default:
      return nearest(x, -2147483648.0f, 2147483648.0f, -2147483647 - 1, 2147483647);
  }
}

/// Four of them in a word. Precondition: type is s8 or u8.
__device__ __forceinline__ std::uint32_t nearest_word(Int8Type type, const float (&x)[4]) {
  std::uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) word |= (static_cast<std::uint32_t>(nearest(type, x[i])) & 0xffu) << (8 * i);
  return word;
}

/// Element i of an array.
__device__ __forceinline__ float int8_element(Int8Type type, const void* from, std::int64_t i) {
  switch (type) {
    case Int8Type::s8:
      return static_cast<const std::int8_t*>(from)[i];
    case Int8Type::u8:
      return static_cast<const std::uint8_t*>(from)[i];
    case Int8Type::s32:
      return static_cast<float>(static_cast<const std::int32_t*>(from)[i]);
    case Int8Type::f32:
      break;
  }
  return static_cast<const float*>(from)[i];
}
__device__ __forceinline__ void store_int8_element(Int8Type type, void* to, std::int64_t i, float x) {
  switch (type) {
    case Int8Type::s8:
      static_cast<std::int8_t*>(to)[i] = static_cast<std::int8_t>(nearest(type, x));
      return;
    case Int8Type::u8:
      static_cast<std::uint8_t*>(to)[i] = static_cast<std::uint8_t>(nearest(type, x));
      return;
    case Int8Type::s32:
      static_cast<std::int32_t*>(to)[i] = nearest(type, x);
      return;
    case Int8Type::f32:
      break;
  }
  static_cast<float*>(to)[i] = x;
}

/// Elements i to i + 3: a word of bytes, or 16 bytes, aligned.
__device__ __forceinline__ void load_int8_elements(Int8Type type, const void* from, std::int64_t i,
                                                   float (&x)[4]) {
  if (type == Int8Type::s8 || type == Int8Type::u8) {
    const std::uint32_t word = static_cast<const std::uint32_t*>(from)[i / 4];
#pragma unroll
    for (int e = 0; e < 4; ++e) x[e] = static_cast<float>(byte_at(type, word, e));
    return;
  }
  const float4 four = simt::load4(static_cast<const float*>(from) + i);
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
  if (type == Int8Type::f32) return;
#pragma unroll
  for (int e = 0; e < 4; ++e) x[e] = static_cast<float>(static_cast<int>(simt::float_bits(x[e])));
}
__device__ __forceinline__ void store_int8_elements(Int8Type type, void* to, std::int64_t i,
                                                    const float (&x)[4]) {
  if (type == Int8Type::s8 || type == Int8Type::u8) {
    static_cast<std::uint32_t*>(to)[i / 4] = nearest_word(type, x);
    return;
  }
  float y[4];
#pragma unroll
  for (int e = 0; e < 4; ++e)
    y[e] = type == Int8Type::f32 ? x[e] : simt::bits_float(static_cast<std::uint32_t>(nearest(type, x[e])));
  simt::store4(static_cast<float*>(to) + i, make_float4(y[0], y[1], y[2], y[3]));
}

}  // namespace mxinfer::kernels::cuda
