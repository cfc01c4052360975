// From what a launcher is given to the types that its kernel is made for. Called with generic lambdas:
//
//   return with_index(count, [&](auto index) {
//     using Index = decltype(index);
//     return simt::launch(kernel<Index>, ..., static_cast<Index>(count), ...);
//   });
#pragma once

#include <cstring>

#include "kernels/cuda/dialect.h"

namespace mxinfer::kernels::cuda {

/// Calls body with a number of the type that counts so many elements: uint32 divides many times as fast as
/// int64. A loop from simt::first_index by simt::grid_step does not wrap around.
template <typename Body>
Status with_index(std::int64_t count, const Body& body) {
  constexpr std::int64_t kNarrow = std::int64_t{1} << 31;
  return count < kNarrow ? body(std::uint32_t{}) : body(std::int64_t{});
}

/// Calls body with an element of so many bytes: 1, 2, 4 or 8.
template <typename Body>
Status with_element(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    default:
      return body(std::uint64_t{});
  }
}

/// Calls body with a word of so many bytes: 1, 2, 4, 8 or 16.
template <typename Body>
Status with_word(std::size_t bytes, const Body& body) {
  return bytes == 16 ? body(uint4{}) : with_element(bytes, body);
}

/// An element from its bytes.
template <typename T>
T element_of(const unsigned char (&bytes)[8]) {
  T element;
  std::memcpy(&element, bytes, sizeof(T));
  return element;
}

/// The bytes of the widest word that arrays at these addresses consist of, in rows of `row_bytes`.
inline std::size_t widest_word(std::size_t row_bytes, const void* a, const void* b) {
  const std::size_t all =
      row_bytes | reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b);
  std::size_t word = 16;
  while (all % word != 0) word /= 2;
  return word;
}

/// Whether 16 bytes may be read at once; null is aligned. Values that are a part of another one begin
/// anywhere.
inline bool is_vector_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
}

/// Whether rows of `count` floats at these addresses can be read and written by four.
inline bool in_fours(std::int64_t count, const void* a, const void* b) {
  return widest_word(static_cast<std::size_t>(count) * sizeof(float), a, b) == 16;
}

}  // namespace mxinfer::kernels::cuda
