// The layout of weights as panels of pairs, and of the rows that are multiplied by them.
#pragma once

#include <algorithm>

#include "kernels/common/divide.h"
#include "kernels/conv/bf16/bf16_tile.h"
#include "kernels/conv/conv_work.h"

namespace mxinfer::kernels::bf16 {

/// Pairs of a panel for sums over `depth` factors.
constexpr std::int64_t padded_pairs(std::int64_t depth) {
  return round_up(ceil_div(depth, 2), kBf16DepthPairs);
}
/// Columns of all panels of `filters` filters.
constexpr std::int64_t packed_columns(std::int64_t filters) {
  return round_up(filters, kBf16ColumnStep);
}
/// Columns of the panel that begins at filter `first`.
constexpr std::int64_t width_at(std::int64_t filters, std::int64_t first) {
  return std::min(kBf16PanelColumns, packed_columns(filters) - first);
}

/// Elements from one row of `depth` factors to the next: a cache line more than its pairs, so that rows do
/// not all fall into the same few cache sets.
constexpr std::int64_t row_stride(std::int64_t depth) {
  return 2 * padded_pairs(depth) + 32;
}

inline constexpr std::int64_t kPairBytes = sizeof(std::uint32_t);

/// Sets where results go and what is added, a Bf16PostOpsArgs or a PanelTarget, to a filter of a position of
/// the output. Precondition: with a residual, dst is not strided.
template <class Place>
void place_at(const ConvArgs& args, std::int64_t position, std::int64_t filter, Place* place) {
  const std::int64_t at = position * args.dst_step() + filter;
  if (args.residual != nullptr) place->residual = typed<BFloat16>(args.residual) + at;
  if (args.dst_is_float32) {
    place->dst_f32 = typed<float>(args.dst) + at;
  } else {
    place->dst = typed<BFloat16>(args.dst) + at;
  }
}

/// Elements of all rows of a task: they stay in the second-level cache while the panels pass.
inline constexpr std::int64_t kBlockElements = 96 * 1024;

/// The cost of tiles over `rows` rows in blocks of `block`, as flops of float32.
constexpr double tile_flops(const Bf16Tile& tile, std::int64_t rows, std::int64_t block, std::int64_t columns,
                            std::int64_t depth) {
  const std::int64_t whole = rows / block * round_up(block, tile.rows) + round_up(rows % block, tile.rows);
  return 2.0 * static_cast<double>(whole * columns) * static_cast<double>(depth) / tile.speed;
}

}  // namespace mxinfer::kernels::bf16
