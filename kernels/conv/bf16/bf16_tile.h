// The innermost tile of a product of bfloat16 factors: some rows by a panel of columns, sums in float32,
//
//   sums[i][x] = sum over k of rows[i][k] * panel[k / 2][x] (the low half for an even k, the high one for an
//   odd k)
//
// Factors come in pairs, as the instructions for them want: a panel is [pair][column], a pair being 32 bits
// with the factor of the even k in the low half. A panel has kPanelColumns columns; the last one of a matrix
// 16 or 32. Its depth is filled up with zeros to a multiple of kDepthPairs pairs.
#pragma once

#include <cstdint>

#include "kernels/common/bfloat16.h"
#include "kernels/common/post_ops.h"
#include "kernels/common/target.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kBf16PanelColumns = 32;
inline constexpr std::int64_t kBf16ColumnStep = 16;
inline constexpr std::int64_t kBf16DepthPairs = 16;
inline constexpr std::int64_t kBf16MostRows = 32;

struct Bf16TileArgs {
  const BFloat16* rows = nullptr;
  std::int64_t row_stride = 0;           ///< elements
  std::int64_t row_count = 0;            ///< 1 to Bf16Tile::rows
  const std::uint32_t* panel = nullptr;  ///< [pairs, filled up][width]
  std::int64_t width = 0;                ///< 16 or 32
  std::int64_t pairs = 0;                ///< that hold factors
  float* sums = nullptr;                 ///< [kBf16MostRows][kBf16PanelColumns]; the first row_count count
};

struct Bf16Tile {
  std::int64_t rows;
  /// Multiplications in the time that the CPU takes for one of float32, roughly.
  double speed;
  /// Rows are read in whole tiles and whole steps of kBf16DepthPairs, beyond row_count and pairs: they must
  /// be memory, and what is behind the pairs zero.
  bool reads_whole;
  void (*multiply)(const Bf16TileArgs&);
  /// Before the first and after the last tile of a thread's tasks; or null.
  void (*begin)();
  void (*end)();
};

/// The post-ops of a tile: dst = activation(sums + bias + residual), for `rows` rows of `columns` columns.
struct Bf16PostOpsArgs {
  const PostOps* post_ops = nullptr;
  std::int64_t rows = 0, columns = 0;
  float* sums = nullptr;               ///< rows of kBf16PanelColumns; overwritten
  const float* bias = nullptr;         ///< [columns], or null
  const BFloat16* residual = nullptr;  ///< as dst, or null
  BFloat16* dst = nullptr;             ///< rows of dst_stride, rounded; or null
  float* dst_f32 = nullptr;            ///< dst as float32, not rounded, if dst is null
  std::int64_t dst_stride = 0;
};
using Bf16PostOpsFn = void (*)(const Bf16PostOpsArgs&);
/// A target other than ref.
Bf16PostOpsFn bf16_post_ops(Target target);

const Bf16Tile& bf16_tile_emulated(Target target);
/// Null where the CPU lacks the instructions.
const Bf16Tile* bf16_tile_dot();
const Bf16Tile* bf16_tile_amx();

}  // namespace mxinfer::kernels
