// Values of a network in the memory of a GPU: float, or a 16-bit float by its bits. A kernel is a template
// over the element, and computes in float.
//
//   template <typename T>
//   __global__ void scale_kernel(const T* src, T* dst, std::int64_t count) {
//     for (std::int64_t i = simt::first_index(); i < count; i += simt::grid_step())
//       dst[i] = to_stored<T>(2.0f * to_float(src[i]));
//   }
//   return with_float_type(type, [&](auto element) {
//     using T = decltype(element);
//     return simt::launch(scale_kernel<T>, ..., static_cast<const T*>(src), static_cast<T*>(dst), count);
//   });
#pragma once

#include <type_traits>

#include "kernels/common/float_type.h"
#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

struct StoredFloat16 {
  std::uint16_t bits;
};
struct StoredBFloat16 {
  std::uint16_t bits;
};

__device__ __forceinline__ float to_float(float x) {
  return x;
}
__device__ __forceinline__ float to_float(StoredFloat16 x) {
  return simt::from_float16(x.bits);
}
__device__ __forceinline__ float to_float(StoredBFloat16 x) {
  return simt::bits_float(static_cast<std::uint32_t>(x.bits) << 16);
}

/// Rounds to nearest even.
template <typename T>
__device__ __forceinline__ T to_stored(float x) {
  if constexpr (std::is_same_v<T, StoredFloat16>) {
    return {simt::to_float16(x)};
  } else if constexpr (std::is_same_v<T, StoredBFloat16>) {
    return {simt::to_bfloat16(x)};
  } else {
    return x;
  }
}

/// Two of 16 bits in a word, the first in its lower half.
template <typename T>
__device__ __forceinline__ std::uint32_t stored_pair(float low, float high) {
  if constexpr (std::is_same_v<T, StoredFloat16>) {
    return simt::to_float16_pair(low, high);
  } else {
    return simt::to_bfloat16_pair(low, high);
  }
}

/// Elements in 16 bytes.
template <typename T>
constexpr int kVector = static_cast<int>(16 / sizeof(T));

/// 16 bytes of elements as they are in memory; the address is a multiple of 16.
using RawVector = uint4;
template <typename T>
__device__ __forceinline__ RawVector load_raw(const T* from) {
  return *reinterpret_cast<const RawVector*>(from);
}

template <typename T>
__device__ __forceinline__ void to_floats(const RawVector& v, float (&to)[kVector<T>]) {
  const std::uint32_t words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int i = 0; i < kVector<T>; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      to[i] = simt::bits_float(words[i]);
    } else {
      to[i] = to_float(T{static_cast<std::uint16_t>(words[i / 2] >> (i % 2 * 16))});
    }
  }
}

/// 16 bytes of elements as floats.
template <typename T>
__device__ __forceinline__ void load_vector(const T* from, float (&to)[kVector<T>]) {
  to_floats<T>(load_raw(from), to);
}

/// The same way back.
template <typename T>
__device__ __forceinline__ void store_vector(T* to, const float (&from)[kVector<T>]) {
  if constexpr (std::is_same_v<T, float>) {
    simt::store4(to, make_float4(from[0], from[1], from[2], from[3]));
  } else {
    *reinterpret_cast<uint4*>(to) =
        make_uint4(stored_pair<T>(from[0], from[1]), stored_pair<T>(from[2], from[3]),
                   stored_pair<T>(from[4], from[5]), stored_pair<T>(from[6], from[7]));
  }
}

/// Four elements as floats: 16 bytes, or 8 of 16-bit floats; the address is a multiple of as many.
template <typename T>
__device__ __forceinline__ void load_four(const T* from, float (&to)[4]) {
  if constexpr (std::is_same_v<T, float>) {
    load_vector(from, to);
  } else {
    const uint2 words = *reinterpret_cast<const uint2*>(from);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t word = i < 2 ? words.x : words.y;
      to[i] = to_float(T{static_cast<std::uint16_t>(word >> (i % 2 * 16))});
    }
  }
}

/// The same way back.
template <typename T>
__device__ __forceinline__ void store_four(T* to, const float (&from)[4]) {
  if constexpr (std::is_same_v<T, float>) {
    store_vector(to, from);
  } else {
    *reinterpret_cast<uint2*>(to) =
        make_uint2(stored_pair<T>(from[0], from[1]), stored_pair<T>(from[2], from[3]));
  }
}

/// Calls body with an element of that type.
template <typename Body>
Status with_float_type(FloatType type, const Body& body) {
  switch (type) {
    case FloatType::float16:
      return body(StoredFloat16{});
    case FloatType::bfloat16:
      return body(StoredBFloat16{});
    case FloatType::float32:
      break;
  }
  return body(float{});
}

}  // namespace mxinfer::kernels::cuda
