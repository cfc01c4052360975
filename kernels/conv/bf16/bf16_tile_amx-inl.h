// The tile of AMX: 32 rows by a panel, as two by two registers of 16 x 16 sums. Tiles has the
// operations on registers: bf16_tile_amx.cpp by instructions, a test by their documentation in plain code.
//
//   struct Tiles {   // strides in bytes
//     template <int t> static void zero();
//     template <int t> static void load(const void* from, std::int64_t stride);
//     template <int t> static void store(float* to, std::int64_t stride);
//     template <int sums, int rows, int columns> static void add();
//   };
//
// Registers 0 to 3 hold sums, 4 and 5 rows of data, 6 and 7 columns of a panel; all are 16 rows of 64 bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/tile_steps.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kAmxRows = 16;
inline constexpr std::int64_t kCacheLine = 64;

/// The steps of `meanwhile` follow the products of each kBf16DepthPairs pairs, as many each time.
template <class Tiles, bool kTwoRows, bool kTwoColumns, class Steps>
void bf16_amx_tile(const Bf16TileArgs& t, const Steps& meanwhile) {
  constexpr std::int64_t kPair = sizeof(std::uint32_t), kSumStride = kBf16PanelColumns * sizeof(float);
  const std::int64_t row_stride = t.row_stride * static_cast<std::int64_t>(sizeof(BFloat16));
  Tiles::template zero<0>();
  if constexpr (kTwoColumns) Tiles::template zero<1>();
  if constexpr (kTwoRows) Tiles::template zero<2>();
  if constexpr (kTwoRows && kTwoColumns) Tiles::template zero<3>();
  const std::byte* prefetch = t.prefetch;
  const std::uint32_t* panel = t.panel;
  const std::int64_t products = t.runs * ((t.pairs + kBf16DepthPairs - 1) / kBf16DepthPairs);
  const std::int64_t steps = meanwhile.count(), at_a_time = (steps + products - 1) / products;
  std::int64_t step = 0;
  for (std::int64_t run = 0; run < t.runs; ++run) {
    const BFloat16* rows = t.rows + (t.run_offsets != nullptr ? t.run_offsets[run] : 0);
    for (std::int64_t p = 0; p < t.pairs; p += kBf16DepthPairs) {
      const std::byte* const end = prefetch + kBf16DepthPairs * t.prefetch_step;
      for (; prefetch < end; prefetch += kCacheLine) __builtin_prefetch(prefetch);
      Tiles::template load<4>(rows, row_stride);
      if constexpr (kTwoRows) Tiles::template load<5>(rows + kAmxRows * t.row_stride, row_stride);
      Tiles::template load<6>(panel, t.width * kPair);
      if constexpr (kTwoColumns) Tiles::template load<7>(panel + kBf16ColumnStep, t.width * kPair);
      Tiles::template add<0, 4, 6>();
      if constexpr (kTwoColumns) Tiles::template add<1, 4, 7>();
      if constexpr (kTwoRows) Tiles::template add<2, 5, 6>();
      if constexpr (kTwoRows && kTwoColumns) Tiles::template add<3, 5, 7>();
      for (const std::int64_t end_step = std::min(steps, step + at_a_time); step < end_step; ++step)
        meanwhile(step);
      rows += 2 * kBf16DepthPairs;
      panel += kBf16DepthPairs * t.width;
    }
  }
  float* lower = t.sums + kAmxRows * kBf16PanelColumns;
  Tiles::template store<0>(t.sums, kSumStride);
  if constexpr (kTwoColumns) Tiles::template store<1>(t.sums + kBf16ColumnStep, kSumStride);
  if constexpr (kTwoRows) Tiles::template store<2>(lower, kSumStride);
  if constexpr (kTwoRows && kTwoColumns) Tiles::template store<3>(lower + kBf16ColumnStep, kSumStride);
}

template <class Tiles, class Steps>
void bf16_amx_multiply(const Bf16TileArgs& t, const Steps& meanwhile) {
  const bool two_rows = t.row_count > kAmxRows;
  if (t.width == kBf16PanelColumns) {
    two_rows ? bf16_amx_tile<Tiles, true, true>(t, meanwhile)
             : bf16_amx_tile<Tiles, false, true>(t, meanwhile);
  } else {
    two_rows ? bf16_amx_tile<Tiles, true, false>(t, meanwhile)
             : bf16_amx_tile<Tiles, false, false>(t, meanwhile);
  }
}

template <class Tiles>
void bf16_amx_multiply(const Bf16TileArgs& t) {
  bf16_amx_multiply<Tiles>(t, NoSteps());
}

}  // namespace mxinfer::kernels
