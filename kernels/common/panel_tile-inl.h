// The innermost tile of a product with packed weights, sums kept in registers: some rows by a panel of
// columns,
//
//   dst[i][x] = activation(bias[x] + residual[i][x]
//                          + sum over runs r, l < run_length of rows[r * kRows + i][l]
//                                                             * panel[(r * run_length + l) * width + x])
//
// A run is a stretch of a row that lies together in memory: all of it in a matrix product, the channels under
// one position of the filter in a convolution whose channels are innermost. Included by kernels inside
// Highway's foreach_target loop.
//
//   panel::TileArgs t = ...;  t.rows = pointers;  panel::TileOf(rows, vectors)(t);
#if defined(MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#undef MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#else
#define MXINFER_KERNELS_COMMON_PANEL_TILE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/common/epilogue-inl.h"
#include "kernels/common/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace panel {

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
/// Columns of a panel. The last panel of a matrix is as narrow as whole vectors let it be.
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

/// Rows dealt out to tiles evenly: a tile of a row or two would wait for its own sums.
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
  float* dst;  ///< rows of dst_stride
  std::int64_t dst_stride;
  std::int64_t columns;              ///< to be stored: more than (vectors - 1) * kLanes of them
  bool start = true, finish = true;  ///< the first and the last block of the sum; between them dst holds it
  const float* bias = nullptr;       ///< [columns], or null
  const float* residual = nullptr;   ///< rows of residual_stride, or null
  std::int64_t residual_stride = 0;
  const Epilogue* epilogue = nullptr;
  /// [columns]: what sums that are not positive are multiplied by, in place of the epilogue, or null.
  const float* slopes = nullptr;
  /// Memory that is fetched into the cache meanwhile, `ahead_step` bytes with each step of the sum: the panel
  /// that comes next, which otherwise waits for memory.
  const char* ahead = nullptr;
  std::int64_t ahead_step = 0;
};

/// A vector of a row, of which `count` columns exist.
HWY_INLINE V LoadColumns(const float* from, std::int64_t count) {
  const D d;
  return count >= kLanes ? hn::LoadU(d, from) : LoadFirst(d, from, count, 0.0f);
}

HWY_INLINE void StoreColumns(V v, float* to, std::int64_t count) {
  const D d;
  if (count >= kLanes) {
    hn::StoreU(v, d, to);
  } else {
    StoreFirst(d, v, to, count);
  }
}

template <int kTileRows, int kTileVectors, class Function>
HWY_INLINE void ForEachSum(V (&sum)[kTileRows][kTileVectors], const Function& function) {
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) sum[i][v] = function(sum[i][v]);
  }
}

/// A vector of columns at `from`; kWhole: the tile's columns are whole vectors.
template <bool kWhole>
HWY_INLINE V LoadVector(const TileArgs& t, const float* from, int v) {
  if constexpr (kWhole) return hn::LoadU(D(), from + v * kLanes);
  return LoadColumns(from + v * kLanes, t.columns - v * kLanes);
}

template <bool kWhole>
HWY_INLINE void StoreVector(const TileArgs& t, V sum, float* to, int v) {
  if constexpr (kWhole) {
    hn::StoreU(sum, D(), to + v * kLanes);
  } else {
    StoreColumns(sum, to + v * kLanes, t.columns - v * kLanes);
  }
}

/// The activations that registers allow. One loop for each, so that no sum leaves its register for a
/// decision.
template <int kTileRows, int kTileVectors>
HWY_INLINE void Activate(const Epilogue& e, V (&sum)[kTileRows][kTileVectors]) {
  const D d;
  switch (e.activation) {
    case Activation::relu:
      return ForEachSum(sum, [d](V x) HWY_ATTR { return Rectify(d, x); });
    case Activation::clip: {
      const V low = hn::Set(d, e.alpha), high = hn::Set(d, e.beta);
      return ForEachSum(sum, [low, high](V x) HWY_ATTR { return Limit(x, low, high); });
    }
    case Activation::leaky:
      return ForEachSum(sum, [d, &e](V x) HWY_ATTR { return ApplyPiecewiseLinear(d, e, x); });
    default:
      return;
  }
}

/// Adds what belongs to the sums, and stores them.
template <bool kWhole, int kTileRows, int kTileVectors>
HWY_INLINE void FinishTile(const TileArgs& t, V (&sum)[kTileRows][kTileVectors]) {
  if (!t.start) {
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v)
        sum[i][v] = hn::Add(LoadVector<kWhole>(t, t.dst + i * t.dst_stride, v), sum[i][v]);
    }
  }
  if (t.finish) {
    if (t.bias != nullptr) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) {
        const V bias = LoadVector<kWhole>(t, t.bias, v);
#pragma GCC unroll 8
        for (int i = 0; i < kTileRows; ++i) sum[i][v] = hn::Add(sum[i][v], bias);
      }
    }
    if (t.residual != nullptr) {
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < kTileVectors; ++v)
          sum[i][v] = hn::Add(sum[i][v], LoadVector<kWhole>(t, t.residual + i * t.residual_stride, v));
      }
    }
    if (t.slopes != nullptr) {
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) {
        const V slope = LoadVector<kWhole>(t, t.slopes, v);
#pragma GCC unroll 8
        for (int i = 0; i < kTileRows; ++i) sum[i][v] = Leaky(D(), sum[i][v], slope);
      }
    } else if (t.epilogue != nullptr) {
      Activate(*t.epilogue, sum);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) StoreVector<kWhole>(t, sum[i][v], t.dst + i * t.dst_stride, v);
  }
}

template <int kTileRows, int kTileVectors>
void Tile(const TileArgs& t) {
  const D d;
  V sum[kTileRows][kTileVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) sum[i][v] = hn::Zero(d);
  }
  // What is read and written at the end is fetched meanwhile.
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
    hwy::Prefetch(t.dst + i * t.dst_stride);
    if (t.residual != nullptr) hwy::Prefetch(t.residual + i * t.residual_stride);
  }
  const float* HWY_RESTRICT weight = t.weight;
  const char* ahead = t.ahead;
  for (std::int64_t r = 0; r < t.runs; ++r) {
    const float* row[kTileRows];
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) row[i] = t.rows[r * kTileRows + i];
    for (std::int64_t l = 0; l < t.run_length; ++l) {
      V w[kTileVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) w[v] = hn::LoadU(d, weight + v * kLanes);
      hwy::Prefetch(ahead);
      ahead += t.ahead_step;
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
        const V x = hn::Set(d, row[i][l]);
#pragma GCC unroll 4
        for (int v = 0; v < kTileVectors; ++v) sum[i][v] = hn::MulAdd(x, w[v], sum[i][v]);
      }
      weight += kTileVectors * kLanes;
    }
  }
  if (t.columns == kTileVectors * kLanes) {
    FinishTile<true>(t, sum);
  } else {
    FinishTile<false>(t, sum);
  }
  if (t.finish && t.slopes == nullptr && t.epilogue != nullptr &&
      !is_piecewise_linear(t.epilogue->activation)) {
    for (int i = 0; i < kTileRows; ++i) ActivateRow(*t.epilogue, t.dst + i * t.dst_stride, t.columns);
  }
}

using TileFn = void (*)(const TileArgs&);

template <int kTileVectors>
constexpr TileFn kTiles[kRows] = {Tile<1, kTileVectors>, Tile<2, kTileVectors>, Tile<3, kTileVectors>,
                                  Tile<4, kTileVectors>, Tile<5, kTileVectors>, Tile<6, kTileVectors>};

/// The tile of 1 <= rows <= kRows and 1 <= vectors <= kVectors.
inline TileFn TileOf(std::int64_t rows, std::int64_t vectors) {
  switch (vectors) {
    case 1:
      return kTiles<1>[rows - 1];
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
    case 2:
      return kTiles<2>[rows - 1];
    case 3:
      return kTiles<3>[rows - 1];
#endif
    default:
      return kTiles<kVectors>[rows - 1];
  }
}

}  // namespace panel

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
