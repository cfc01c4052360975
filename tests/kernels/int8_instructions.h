// The instructions for products of 8-bit integers of Intel's manual in plain code, so that tiles of them can
// be tested on any CPU.
#pragma once

#include <cstdint>
#include <cstring>

#include "bf16_instructions.h"

namespace mxinfer::test {

inline std::int32_t byte_of(std::uint32_t quad, int i, bool is_signed) {
  const auto byte = static_cast<std::uint8_t>(quad >> (8 * i));
  return is_signed ? static_cast<std::int8_t>(byte) : std::int32_t{byte};
}

/// The sum of the four products of a quad.
inline std::uint32_t quad_product(std::uint32_t a, bool is_signed, std::uint32_t b) {
  std::int32_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += byte_of(a, i, is_signed) * byte_of(b, i, true);
  return static_cast<std::uint32_t>(sum);
}

/// vpdpbusd on 512 bits, for int8_tile_dot-inl.h; with signed rows, NEON's sdot on as many.
template <bool kSigned>
struct DocumentedQuadDot {
  static constexpr int kLanes = 16, kRows = 12;
  static constexpr bool kSignedRows = kSigned;
  struct Vector {
    std::uint32_t lane[kLanes];
  };
  static Vector load(const void* from) {
    Vector v;
    std::memcpy(v.lane, from, sizeof(v.lane));
    return v;
  }
  static Vector broadcast(std::uint32_t quad) {
    Vector v;
    for (std::uint32_t& lane : v.lane) lane = quad;
    return v;
  }
  static Vector shift(Vector quads) {
    for (std::uint32_t& lane : quads.lane) lane ^= 0x80808080u;
    return quads;
  }
  static Vector add(Vector sums, const Vector& row_quads, const Vector& weight_quads) {
    for (int i = 0; i < kLanes; ++i)
      sums.lane[i] += quad_product(row_quads.lane[i], kSigned, weight_quads.lane[i]);
    return sums;
  }
  static void store(const Vector& sums, std::int32_t* to) { std::memcpy(to, sums.lane, sizeof(sums.lane)); }
};

/// AMX's tiles with tdpbssd, or tdpbusd.
template <bool kSigned>
struct DocumentedQuadTiles : DocumentedTiles {
  template <int kSums, int kRows, int kColumns>
  static void add() {
    for (int m = 0; m < 16; ++m) {
      for (int n = 0; n < 16; ++n) {
        for (int k = 0; k < 16; ++k)
          tile(kSums)[m][n] += quad_product(tile(kRows)[m][k], kSigned, tile(kColumns)[k][n]);
      }
    }
  }
};

}  // namespace mxinfer::test
