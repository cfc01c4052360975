// dp4a and mma of bytes, by the names and the layouts of kernels/cuda/dialect_nvcc.h.
#pragma once

#include <cstdint>

#include "simt/thread.h"

namespace mxinfer::simt {

/// Byte i of a word as a number.
template <bool SIGNED>
int byte_of(std::uint32_t word, unsigned i) {
  const std::uint32_t byte = word >> (8 * i) & 0xffu;
  return SIGNED ? static_cast<std::int8_t>(byte) : static_cast<int>(byte);
}

template <bool SIGNED>
int dot4(std::uint32_t a, std::uint32_t b, int sum) {
  // Modulo 2^32, as a GPU adds.
  auto all = static_cast<std::uint32_t>(sum);
  for (unsigned i = 0; i < 4; ++i)
    all += static_cast<std::uint32_t>(byte_of<SIGNED>(a, i) * byte_of<true>(b, i));
  return static_cast<int>(all);
}

/// The fragments of a lane: a[m][4], b[n][2], d[m][n][4].
struct ByteFragments {
  const std::uint32_t* a;
  const std::uint32_t* b;
  int* d;
  int m, n;
};
void mma_of_bytes(const ByteFragments& fragments, bool is_signed, const Place& place);

template <bool SIGNED, int M, int N>
void mma_bytes(int (&d)[M][N][4], const std::uint32_t (&a)[M][4], const std::uint32_t (&b)[N][2],
               const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  mma_of_bytes({a[0], b[0], d[0][0], M, N}, SIGNED, {"mma_bytes()", file, line});
}

}  // namespace mxinfer::simt
