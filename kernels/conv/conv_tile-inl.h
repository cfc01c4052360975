// The innermost tile of a matrix product, sums kept in registers: kTileRows filters by up to two vectors of
// columns,
//
//   dst[r][x] = sum over k of weight[k][r] * patches[k][x]
//
// and, in the last block of k, bias, residual and activation. Included by kernels inside Highway's
// foreach_target loop.
#if defined(MXINFER_KERNELS_CONV_CONV_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_CONV_TILE_INL_H_
#undef MXINFER_KERNELS_CONV_CONV_TILE_INL_H_
#else
#define MXINFER_KERNELS_CONV_CONV_TILE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/common/epilogue-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// 12 x 2 sums, 2 patches and a weight fit into 32 registers, 6 x 2 into 16.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kTileRows = 12;
#else
constexpr int kTileRows = 6;
#endif
constexpr std::int64_t kLanes = HWY_LANES(float);
constexpr std::int64_t kTileColumns = 2 * kLanes;

constexpr std::int64_t CeilDiv(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}
constexpr std::int64_t RoundUp(std::int64_t a, std::int64_t b) {
  return CeilDiv(a, b) * b;
}

/// What a tile does besides its sums. In the last block of depth `finish` is set.
struct TileArgs {
  const float* weight;   ///< [depth][kTileRows]
  const float* patches;  ///< [depth][patch_stride]
  std::int64_t patch_stride, depth;
  float* dst;  ///< rows of dst_stride
  std::int64_t dst_stride;
  bool start, finish;     ///< the first and the last block of depth
  const float* bias;      ///< one a row, or null
  const float* residual;  ///< like dst, or null
  const Epilogue* epilogue;
};

template <int kRows, int kVectors>
HWY_INLINE void FinishTile(const TileArgs& t, V (&sum)[kRows][kVectors]) {
  const D d;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    const V bias = t.bias != nullptr ? hn::Set(d, t.bias[r]) : hn::Zero(d);
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      sum[r][v] = hn::Add(sum[r][v], bias);
      if (t.residual != nullptr) {
        sum[r][v] = hn::Add(sum[r][v], hn::LoadU(d, t.residual + r * t.dst_stride + v * kLanes));
      }
      sum[r][v] = ApplyPiecewiseLinear(d, *t.epilogue, sum[r][v]);
    }
  }
}

template <int kRows, int kVectors>
void Tile(const TileArgs& t) {
  const D d;
  V sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  }
  const float* HWY_RESTRICT weight = t.weight;
  const float* HWY_RESTRICT patches = t.patches;
  const std::int64_t stride = t.patch_stride;
  for (std::int64_t k = t.depth; k != 0; --k) {
    V patch[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) patch[v] = hn::LoadU(d, patches + v * kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const V w = hn::Set(d, weight[r]);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(w, patch[v], sum[r][v]);
    }
    weight += kTileRows;
    patches += stride;
  }
  if (!t.start) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        sum[r][v] = hn::Add(hn::LoadU(d, t.dst + r * t.dst_stride + v * kLanes), sum[r][v]);
      }
    }
  }
  if (t.finish) FinishTile<kRows, kVectors>(t, sum);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[r][v], d, t.dst + r * t.dst_stride + v * kLanes);
  }
}

using TileFn = void (*)(const TileArgs&);

template <int kVectors>
TileFn TileOf(std::int64_t rows) {
  static constexpr TileFn table[] = {
    Tile<1, kVectors>,
    Tile<2, kVectors>,
    Tile<3, kVectors>,
    Tile<4, kVectors>,
    Tile<5, kVectors>,
    Tile<6, kVectors>,
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
    Tile<7, kVectors>,
    Tile<8, kVectors>,
    Tile<9, kVectors>,
    Tile<10, kVectors>,
    Tile<11, kVectors>,
    Tile<12, kVectors>
#endif
  };
  return table[rows - 1];
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
