// The innermost tile of a bfloat16 GEMM: some rows by a panel of columns, sums in float32,
//
//   sums[i][x] = sum over k of rows[i][k] * half k % 2 of panel[k / 2][x]
//
// Weights come in pairs, as the instructions need them: a panel is [pair][column], a pair being 32 bits with
// the weight of the even k in the low half. A panel has kBf16PanelColumns columns; the last one of a matrix
// has 16 or 32. Its depth is padded with zeros to a multiple of kBf16DepthPairs pairs.
#pragma once

#include <cstddef>
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
  const std::uint32_t* panel = nullptr;  ///< [pairs, padded][width]
  std::int64_t width = 0;                ///< 16 or 32
  std::int64_t pairs = 0;                ///< of a run, without padding
  /// A row may be several runs, which begin `run_offsets` elements behind `rows`, for tiles that read whole;
  /// their pairs have no padding. Null: one run.
  std::int64_t runs = 1;
  const std::int64_t* run_offsets = nullptr;
  float* sums = nullptr;  ///< [kBf16MostRows][kBf16PanelColumns]; row_count rows are valid
  /// The tile prefetches memory from here, `prefetch_step` bytes with each pair: usually a part of the next
  /// panel. Any address is fine.
  const std::byte* prefetch = nullptr;
  std::int64_t prefetch_step = 0;
  /// Of a tile that limits: sums become min(max(sums + bias, low), high); null: they do not.
  const float* bias = nullptr;  ///< [width]
  float low = 0.0f, high = 0.0f;
};

struct Bf16Tile {
  std::int64_t rows;
  /// Roughly the throughput relative to float32.
  double speed;
  /// Whether the tile reads whole tiles of rows and whole steps of kBf16DepthPairs, beyond row_count and
  /// pairs: that memory must exist, and be zero behind the pairs.
  bool reads_whole;
  /// Whether it applies bias and limits.
  bool limits;
  void (*multiply)(const Bf16TileArgs&);
  /// To call before the first and after the last tile of a thread's tasks; or null.
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
/// Null if the CPU lacks the instructions.
const Bf16Tile* bf16_tile_dot();
const Bf16Tile* bf16_tile_amx();

}  // namespace mxinfer::kernels
