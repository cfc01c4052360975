// The tile of an instruction that adds the two products of a pair to each lane, 16 lanes at once: up to 12
// rows by a panel, sums in registers. Dot has the operations on vectors: bf16_tile_dot.cpp by the
// instruction, a test by its documentation in plain code.
//
//   struct Dot {
//     using Sums = ..., Pairs = ...;   // vectors
//     static Sums zero();
//     static Pairs load(const std::uint32_t* from);
//     static Pairs broadcast(std::uint32_t pair);
//     static Sums add(Sums sums, Pairs a, Pairs b);
//     static void store(Sums sums, float* to);
//     static Sums limit(Sums sums, const float* bias, float low, float high);   // min(max(sums + bias, low), high)
//   };
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/conv/bf16/bf16_tile.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kBf16DotLanes = 16;
inline constexpr int kBf16DotRows = 12;

template <class Dot, int kRows, int kVectors>
void bf16_dot_tile(const Bf16TileArgs& given) {
  const Bf16TileArgs t = given;  // a copy: stores cannot alias it
  typename Dot::Sums sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sum[i][v] = Dot::zero();
  }
  // Four rows each, so that few registers hold their addresses.
  constexpr int kRowGroups = (kRows + 3) / 4;
  const BFloat16* rows[kRowGroups];
#pragma GCC unroll 4
  for (int j = 0; j < kRowGroups; ++j) rows[j] = t.rows + 4 * j * t.row_stride;
  const std::uint32_t* panel = t.panel;
  const std::byte* prefetch = t.prefetch;
  for (std::int64_t p = 0; p < t.pairs; ++p, panel += t.width, prefetch += t.prefetch_step) {
    __builtin_prefetch(prefetch);
    typename Dot::Pairs w[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) w[v] = Dot::load(panel + v * kBf16DotLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      std::uint32_t pair;
      __builtin_memcpy(&pair, rows[i / 4] + i % 4 * t.row_stride, sizeof(pair));
      const typename Dot::Pairs x = Dot::broadcast(pair);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[i][v] = Dot::add(sum[i][v], w[v], x);
    }
#pragma GCC unroll 4
    for (int j = 0; j < kRowGroups; ++j) rows[j] += 2;
  }
  if (t.bias != nullptr) {
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v)
        sum[i][v] = Dot::limit(sum[i][v], t.bias + v * kBf16DotLanes, t.low, t.high);
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v)
      Dot::store(sum[i][v], t.sums + i * kBf16PanelColumns + v * kBf16DotLanes);
  }
}

/// A tile of exactly kRows rows, by one or two vectors of columns.
template <class Dot, int kRows>
void bf16_dot_rows(const Bf16TileArgs& t) {
  t.width == kBf16PanelColumns ? bf16_dot_tile<Dot, kRows, 2>(t) : bf16_dot_tile<Dot, kRows, 1>(t);
}

template <class Dot, int... kRowsLessOne>
constexpr std::array<void (*)(const Bf16TileArgs&), kBf16DotRows> bf16_dot_tiles(
    std::integer_sequence<int, kRowsLessOne...> /*rows*/) {
  return {bf16_dot_rows<Dot, kRowsLessOne + 1>...};
}

template <class Dot>
void bf16_dot_multiply(const Bf16TileArgs& t) {
  static constexpr auto kTiles = bf16_dot_tiles<Dot>(std::make_integer_sequence<int, kBf16DotRows>());
  kTiles[static_cast<std::size_t>(t.row_count - 1)](t);
}

}  // namespace mxinfer::kernels
