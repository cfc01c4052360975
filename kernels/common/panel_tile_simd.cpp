// The tiles of panel_tile-inl.h, compiled once for all kernels that multiply by panels.
#include "kernels/common/post_ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/common/panel_tile_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/panel_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::panel {
namespace {

template <int kTileRows, int kTileVectors>
void Tile(const TileArgs& t) {
  const D d;
  V sum[kTileRows][kTileVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kTileVectors; ++v) sum[i][v] = hn::Zero(d);
  }
  // Prefetches what the end of the tile reads and writes.
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
    hwy::Prefetch(t.dst + i * t.dst_stride);
    if (t.residual != nullptr) hwy::Prefetch(t.residual + i * t.residual_stride);
  }
  const float* HWY_RESTRICT weight = t.weight;
  const char* prefetch = t.prefetch;
  for (std::int64_t r = 0; r < t.runs; ++r) {
    const float* row[kTileRows];
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i) row[i] = t.rows[r * kTileRows + i] + t.run_offset;
    for (std::int64_t l = 0; l < t.run_length; ++l) {
      V w[kTileVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kTileVectors; ++v) w[v] = hn::LoadU(d, weight + v * kLanes);
      hwy::Prefetch(prefetch);
      prefetch += t.prefetch_step;
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
    StoreTile<true>(t, sum);
  } else {
    StoreTile<false>(t, sum);
  }
  if (t.last_block && t.slopes == nullptr && t.post_ops != nullptr &&
      !is_piecewise_linear(t.post_ops->activation)) {
    for (int i = 0; i < kTileRows; ++i) ActivateRow(*t.post_ops, t.dst + i * t.dst_stride, t.columns);
  }
}

template <int kTileVectors>
constexpr TileFn kTiles[kRows] = {Tile<1, kTileVectors>, Tile<2, kTileVectors>, Tile<3, kTileVectors>,
                                  Tile<4, kTileVectors>, Tile<5, kTileVectors>, Tile<6, kTileVectors>};

}  // namespace

TileFn TileOf(std::int64_t rows, std::int64_t vectors) {
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

}  // namespace mxinfer::kernels::HWY_NAMESPACE::panel
HWY_AFTER_NAMESPACE();
