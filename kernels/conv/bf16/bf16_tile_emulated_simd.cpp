// The tile for CPUs without instructions for bfloat16: a shift and a mask make two float32 vectors of a
// vector of pairs. Their products are exact; FMA adds each, that of the even factor first.
#include <atomic>
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
/// Rows of a tile: by two vectors, they and both factors fill 16 registers, or 32.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kRows = 6;
#else
constexpr int kRows = 5;
#endif

struct Even {
  static HWY_INLINE V ToFloat32(VU pairs) { return hn::BitCast(D(), hn::ShiftLeft<16>(pairs)); }
};
struct Odd {
  static HWY_INLINE V ToFloat32(VU pairs) {
    return hn::BitCast(D(), hn::And(pairs, hn::Set(DU(), 0xffff0000u)));
  }
};

HWY_INLINE VU PairOf(const BFloat16* row, std::int64_t p) {
  std::uint32_t pair;
  std::memcpy(&pair, row + 2 * p, sizeof(pair));
  return hn::Set(DU(), pair);
}

/// Half of a step: one factor of pair p.
template <class Half, int kTileRows, int kVectors>
HWY_INLINE void Step(const BFloat16* const (&row)[kTileRows], std::int64_t p,
                     const std::uint32_t* HWY_RESTRICT weight, V (&sum)[kTileRows][kVectors]) {
  V w[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) w[v] = Half::ToFloat32(hn::LoadU(DU(), weight + v * kLanes));
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
    const V x = Half::ToFloat32(PairOf(row[i], p));
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::MulAdd(x, w[v], sum[i][v]);
  }
}

template <int kTileRows, int kVectors>
void Tile(const Bf16TileArgs& t, std::int64_t column) {
  V sum[kTileRows][kVectors];
  const BFloat16* row[kTileRows];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
    row[i] = t.rows + i * t.row_stride;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::Zero(D());
  }
  const std::uint32_t* HWY_RESTRICT weight = t.panel + column;
  for (std::int64_t p = 0; p < t.pairs; ++p, weight += t.width) {
    Step<Even>(row, p, weight, sum);
    // Pairs that the compiler kept for the other half would push sums out of their registers.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    Step<Odd>(row, p, weight, sum);
  }
#pragma GCC unroll 8
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

void Multiply(const Bf16TileArgs& t) {
  const std::int64_t r = t.row_count - 1;
  std::int64_t column = 0;
#if HWY_TARGET != HWY_AVX3
  // One or two rows would wait for their own sums: twice as many columns side by side.
  for (; r < 2 && column + 4 * kLanes <= t.width; column += 4 * kLanes) kTiles<4>[r](t, column);
#endif
  for (; column + 2 * kLanes <= t.width; column += 2 * kLanes) kTiles<2>[r](t, column);
  for (; column < t.width; column += kLanes) kTiles<1>[r](t, column);
}

constexpr Bf16Tile kTile{kRows, 0.6, false, Multiply, nullptr, nullptr};

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
