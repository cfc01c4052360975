// The tile of an instruction that adds the four products of a quad to each lane of 32 bits: up to Dot::kRows
// rows by a panel, sums in registers. Dot has the operations on vectors: int8_tile_avx512_vnni.cpp,
// int8_tile_avx_vnni.cpp and int8_tile_neon_dot.cpp by the instruction, a test by its documentation in plain
// code.
//
//   struct Dot {
//     static constexpr int kLanes, kRows;   // of 32 bits; rows for two vectors of columns
//     static constexpr bool kSignedRows;    // the kind of rows that it multiplies; it shifts the others
//     using Vector = ...;
//     static Vector load(const void* from);
//     static Vector broadcast(std::uint32_t word);
//     static Vector shift(Vector quads);    // adds 128 to each byte, modulo 256
//     static Vector add(Vector sums, Vector row_quads, Vector weight_quads);
//     static void store(Vector sums, std::int32_t* to);
//   };
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/conv/int8/int8_tile.h"
#include "kernels/conv/tile_steps.h"

namespace mxinfer::kernels {

/// kRows rows by kVectors vectors of columns, from `column` of the panel on. After each word follows one of
/// the steps of `meanwhile` (kernels/conv/tile_steps.h), as long as there are any.
template <class Dot, int kRows, int kVectors, bool kSigned, class Steps = NoSteps>
__attribute__((always_inline)) inline void int8_dot_columns(const Int8TileArgs& given, std::int64_t column,
                                                            const Steps& meanwhile = {}) {
  using Vector = typename Dot::Vector;
  const Int8TileArgs t = given;  // a copy: stores cannot alias it
  Vector sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sum[i][v] = Dot::load(t.start + column + v * Dot::kLanes);
  }
  // Four rows each, so that few registers hold their addresses.
  constexpr int kRowGroups = (kRows + 3) / 4;
  const std::uint8_t* rows[kRowGroups];
#pragma GCC unroll 4
  for (int j = 0; j < kRowGroups; ++j) rows[j] = t.rows + 4 * j * t.row_stride;
  const std::uint32_t* panel = t.panel + column;
  const std::byte* prefetch = t.prefetch;
  const auto add_word = [&]() __attribute__((always_inline)) {
    __builtin_prefetch(prefetch);
    Vector weights[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) weights[v] = Dot::load(panel + v * Dot::kLanes);
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      std::uint32_t word;
      __builtin_memcpy(&word, rows[i / 4] + i % 4 * t.row_stride, sizeof(word));
      Vector x = Dot::broadcast(word);
      if constexpr (kSigned != Dot::kSignedRows) x = Dot::shift(x);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[i][v] = Dot::add(sum[i][v], x, weights[v]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < kRowGroups; ++j) rows[j] += 4;
    panel += t.width;
    prefetch += t.prefetch_step;
  };
  const std::int64_t steps = meanwhile.count(), both = steps < t.words ? steps : t.words;
  for (std::int64_t w = 0; w < both; ++w) {
    add_word();
    meanwhile(w);
  }
  for (std::int64_t w = both; w < t.words; ++w) add_word();
  for (std::int64_t step = both; step < steps; ++step) meanwhile(step);
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v)
      Dot::store(sum[i][v], t.sums + i * kInt8PanelColumns + column + v * Dot::kLanes);
  }
}

/// All columns of the panel, as many vectors at a time as registers hold.
template <class Dot, int kRows, bool kSigned>
void int8_dot_panel(const Int8TileArgs& t) {
  std::int64_t column = 0;
  for (; column + 2 * Dot::kLanes <= t.width; column += 2 * Dot::kLanes)
    int8_dot_columns<Dot, kRows, 2, kSigned>(t, column);
  if (column < t.width) int8_dot_columns<Dot, kRows, 1, kSigned>(t, column);
}

/// A tile of exactly kRows rows.
template <class Dot, int kRows>
void int8_dot_rows(const Int8TileArgs& t) {
  t.is_signed ? int8_dot_panel<Dot, kRows, true>(t) : int8_dot_panel<Dot, kRows, false>(t);
}

template <class Dot, int... kRowsLessOne>
constexpr std::array<void (*)(const Int8TileArgs&), Dot::kRows> int8_dot_tiles(
    std::integer_sequence<int, kRowsLessOne...> /*rows*/) {
  return {int8_dot_rows<Dot, kRowsLessOne + 1>...};
}

template <class Dot>
void int8_dot_multiply(const Int8TileArgs& t) {
  static constexpr auto kTiles = int8_dot_tiles<Dot>(std::make_integer_sequence<int, Dot::kRows>());
  kTiles[static_cast<std::size_t>(t.row_count - 1)](t);
}

}  // namespace mxinfer::kernels
