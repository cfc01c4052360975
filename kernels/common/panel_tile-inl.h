// The innermost tile of a GEMM with packed weights, sums kept in registers: some rows by a panel of columns,
//
//   dst[i][x] = activation(bias[x] + residual[i][x]
//                          + sum over runs r, l < run_length of rows[r * kRows + i][l]
//                                                             * panel[(r * run_length + l) * width + x])
//
// A run is a contiguous part of a row: all of it in a GEMM, the channels under one tap of the filter in a
// channels-last convolution. Included by kernels inside
// Highway's foreach_target loop.
//
//   panel::TileArgs t = ...;  t.rows = pointers;  panel::TileOf(rows, vectors)(t);
#if defined(MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#undef MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#else
#define MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/common/post_ops.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::panel {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

constexpr std::int64_t kLanes = HWY_LANES(float);
/// Rows of a tile. Six rows by two vectors, two weights and an input fill 15 of 16 registers; by four
/// vectors, 29 of 32.
constexpr int kRows = 6;
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kVectors = 4;
#else
constexpr int kVectors = 2;
#endif
/// Columns of a panel. The last panel of a matrix has as few whole vectors as its columns need.
constexpr std::int64_t kColumns = kVectors * kLanes;

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// One panel of a matrix with `columns` columns.
struct Panel {
  std::int64_t first, columns;  ///< of the matrix
  std::int64_t vectors;
  std::int64_t width() const { return vectors * kLanes; }
};

inline std::int64_t PanelCount(std::int64_t columns) {
  return CeilDiv(columns, kColumns);
}

inline Panel PanelAt(std::int64_t columns, std::int64_t index) {
  Panel p{};
  p.first = index * kColumns;
  p.columns = std::min(kColumns, columns - p.first);
  p.vectors = CeilDiv(p.columns, kLanes);
  return p;
}

/// Columns of all panels of a matrix together.
inline std::int64_t PackedColumns(std::int64_t columns) {
  return CeilDiv(columns, kLanes) * kLanes;
}

/// Rows divided between tiles evenly: a tile of a row or two would wait for its own sums.
struct RowTiles {
  explicit RowTiles(std::int64_t rows)
      : tiles(CeilDiv(rows, kRows)), least(tiles > 0 ? rows / tiles : 0), larger(rows - least * tiles) {}
  std::int64_t first(std::int64_t tile) const { return tile * least + std::min(tile, larger); }
  std::int64_t count(std::int64_t tile) const { return least + (tile < larger ? 1 : 0); }

  std::int64_t tiles;
  std::int64_t least, larger;  ///< rows of a tile; how many tiles have one more
};

struct TileArgs {
  const float* const* rows;  ///< [runs][rows of the tile]
  const float* weight;       ///< the panel: [runs][run_length][vectors * kLanes]
  std::int64_t runs, run_length;
  std::int64_t run_offset = 0;  ///< floats from where `rows` points to where runs begin
  float* dst;                   ///< rows of dst_stride
  std::int64_t dst_stride;
  std::int64_t columns;  ///< to store: more than (vectors - 1) * kLanes
  /// Whether this is the first and the last block of the sum; between blocks dst holds the partial sum.
  bool first_block = true, last_block = true;
  const float* bias = nullptr;      ///< [columns], or null
  const float* row_bias = nullptr;  ///< of each row of the tile, or null
  const float* residual = nullptr;  ///< rows of residual_stride, or null
  std::int64_t residual_stride = 0;
  const PostOps* post_ops = nullptr;
  /// [columns]: the slopes of PReLU, or null for another activation.
  const float* slopes = nullptr;
  /// The tile prefetches memory from here, `prefetch_step` bytes with each step of the sum: usually the next
  /// panel, which would otherwise wait for memory.
  const char* prefetch = nullptr;
  std::int64_t prefetch_step = 0;
};

using TileFn = void (*)(const TileArgs&);

/// The tile of 1 <= rows <= kRows and 1 <= vectors <= kVectors.
TileFn TileOf(std::int64_t rows, std::int64_t vectors);

}  // namespace mxinfer::kernels::HWY_NAMESPACE::panel
HWY_AFTER_NAMESPACE();

#endif
