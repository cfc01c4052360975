// The tile for CPUs without fast instructions for bfloat16. A shift and a mask make two float32 vectors of a
// vector of pairs of weights; rows are widened to float32 some pairs at a time, into the first-level cache.
// Products are exact; FMA adds each, that of the even factor first.
#include <algorithm>
#include <cstring>

#include "kernels/conv/bf16/bf16_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/bf16/bf16_tile_emulated_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using V = hn::Vec<D>;
using VU = hn::Vec<DU>;

constexpr std::int64_t kLanes = HWY_LANES(float);
/// Rows of a tile: by two vectors, they, two weights, pairs and a factor fill 16 registers, or 32.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kRows = 12;
#else
constexpr int kRows = 5;
#endif
/// Pairs of which rows are widened at a time: 12 KiB of rows, beside 16 KiB of weights.
constexpr std::int64_t kBlockPairs = 128;

HWY_INLINE V EvenOf(VU pairs) {
  return hn::BitCast(D(), hn::ShiftLeft<16>(pairs));
}
HWY_INLINE V OddOf(VU pairs) {
  return hn::BitCast(D(), hn::And(pairs, hn::Set(DU(), 0xffff0000u)));
}

/// The float32 values of `count` numbers.
HWY_INLINE void Widen(const BFloat16* from, std::int64_t count, float* to) {
  const hn::Rebind<std::uint16_t, D> half;
  const auto* bits = reinterpret_cast<const std::uint16_t*>(from);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    hn::StoreU(EvenOf(hn::PromoteTo(DU(), hn::LoadU(half, bits + i))), D(), to + i);
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <int kTileRows, int kVectors>
void Tile(const Bf16TileArgs& t, std::int64_t column) {
  HWY_ALIGN float rows[kTileRows][2 * kBlockPairs];
  V sum[kTileRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::Zero(D());
  }
  const std::uint32_t* HWY_RESTRICT weight = t.panel + column;
  for (std::int64_t from = 0; from < t.pairs; from += kBlockPairs) {
    const std::int64_t pairs = std::min(kBlockPairs, t.pairs - from);
    for (int i = 0; i < kTileRows; ++i) Widen(t.rows + i * t.row_stride + 2 * from, 2 * pairs, rows[i]);
    for (std::int64_t p = 0; p < pairs; ++p, weight += t.width) {
      V even[kVectors], odd[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        const VU w = hn::LoadU(DU(), weight + v * kLanes);
        even[v] = EvenOf(w);
        odd[v] = OddOf(w);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kTileRows; ++i) {
        const V x = hn::Set(D(), rows[i][2 * p]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(x, even[v], sum[i][v]);
      }
#pragma GCC unroll 16
      for (int i = 0; i < kTileRows; ++i) {
        const V x = hn::Set(D(), rows[i][2 * p + 1]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(x, odd[v], sum[i][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      hn::StoreU(sum[i][v], D(), t.sums + i * kBf16PanelColumns + column + v * kLanes);
  }
}

using TileFn = void (*)(const Bf16TileArgs&, std::int64_t column);

template <int kVectors>
constexpr TileFn kTiles[6] = {Tile<1, kVectors>, Tile<2, kVectors>, Tile<3, kVectors>,
                              Tile<4, kVectors>, Tile<5, kVectors>, Tile<6, kVectors>};

/// All columns of up to six rows, or of kRows.
void MultiplyRows(const Bf16TileArgs& t) {
  std::int64_t column = 0;
#if HWY_TARGET != HWY_AVX3
  // One or two rows would wait for their own sums: twice as many columns side by side.
  for (; t.row_count <= 2 && column + 4 * kLanes <= t.width; column += 4 * kLanes)
    kTiles<4>[t.row_count - 1](t, column);
#endif
  const bool is_whole = t.row_count == kRows;
  const TileFn two = is_whole ? Tile<kRows, 2> : kTiles<2>[t.row_count - 1];
  const TileFn one = is_whole ? Tile<kRows, 1> : kTiles<1>[t.row_count - 1];
  for (; column + 2 * kLanes <= t.width; column += 2 * kLanes) two(t, column);
  for (; column < t.width; column += kLanes) one(t, column);
}

void Multiply(const Bf16TileArgs& args) {
  Bf16TileArgs t = args;
  while (t.row_count > 0) {
    const std::int64_t left = t.row_count;
    if (left < kRows) t.row_count = std::min<std::int64_t>(left, 6);
    MultiplyRows(t);
    t.rows += t.row_count * t.row_stride;
    t.sums += t.row_count * kBf16PanelColumns;
    t.row_count = left - t.row_count;
  }
}

constexpr Bf16Tile kTile{kRows, kRows == 12 ? 0.75 : 0.65, false, false, Multiply, nullptr, nullptr};

}  // namespace

const Bf16Tile& Bf16TileEmulatedImpl() {
  return kTile;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Bf16TileEmulatedImpl);

const Bf16Tile& bf16_tile_emulated(Target target) {
  return MXINFER_DISPATCH(Bf16TileEmulatedImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
