// The tile for CPUs without instructions for products of 8-bit integers. Rows and weights are widened to 16
// bits before: the sum of two products of those, at most 2 * 255 * 128, fits 32 bits, so that sums are exact.
// (AVX2's instruction for products of bytes, vpmaddubsw, would limit that sum to 16 bits.)
#include <algorithm>
#include <type_traits>

#include "kernels/conv/int8/int8_tile.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/int8/int8_tile_widened_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

#if HWY_TARGET == HWY_SCALAR

// Plain loops, which compilers make vectors of.
constexpr int kMostRows = 4;

void Multiply(const Int8TileArgs& t) {
  for (std::int64_t i = 0; i < t.row_count; ++i) {
    std::int32_t sums[kInt8PanelColumns];
    for (std::int64_t x = 0; x < t.width; ++x) sums[x] = t.start[x];
    for (std::int64_t k = 0; k < t.words; ++k) {
      std::int16_t factors[2];
      __builtin_memcpy(factors, t.rows + i * t.row_stride + 4 * k, sizeof(factors));
      const auto* panel = reinterpret_cast<const std::int16_t*>(t.panel + k * t.width);
      for (std::int64_t x = 0; x < t.width; ++x)
        sums[x] += factors[0] * panel[2 * x] + factors[1] * panel[2 * x + 1];
    }
    std::copy_n(sums, t.width, t.sums + i * kInt8PanelColumns);
  }
}

#else

using D32 = hn::ScalableTag<std::int32_t>;
using D16 = hn::ScalableTag<std::int16_t>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
constexpr std::int64_t kLanes = HWY_LANES(std::int32_t);

/// With two vectors of columns: as many as registers hold beside two for weights and two for a product.
constexpr int kMostRows = HWY_TARGET == HWY_AVX3 ? 12 : 6;

/// Keeps the compiler from multiplying all rows before it adds any: it would keep sums on the stack.
HWY_INLINE void Complete([[maybe_unused]] V32& sums) {
#if HWY_ARCH_X86
  __asm__("" : "+v"(sums.raw));
#endif
}

/// kRows rows by kVectors vectors of columns, from `column` of the panel on.
template <int kRows, int kVectors>
void MultiplyColumns(const Int8TileArgs& given, std::int64_t column) {
  const Int8TileArgs t = given;  // a copy: stores cannot alias it
  const D32 d;
  const D16 d16;
  // Sums of adjacent products, which some CPUs keep in two parts.
  V32 sums[kRows][kVectors], rest[kRows][kVectors];
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[i][v] = rest[i][v] = hn::Zero(d);
  }
  const std::uint32_t* panel = t.panel + column;
  const std::byte* prefetch = t.prefetch;
  for (std::int64_t k = 0; k < t.words; ++k, panel += t.width, prefetch += t.prefetch_step) {
    __builtin_prefetch(prefetch);
    V16 weights[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v)
      weights[v] = hn::LoadU(d16, reinterpret_cast<const std::int16_t*>(panel + v * kLanes));
#pragma GCC unroll 16
    for (int i = 0; i < kRows; ++i) {
      std::int32_t pair;
      __builtin_memcpy(&pair, t.rows + i * t.row_stride + 4 * k, sizeof(pair));
      const V16 x = hn::BitCast(d16, hn::Set(d, pair));
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = hn::ReorderWidenMulAccumulate(d, x, weights[v], sums[i][v], rest[i][v]);
        Complete(sums[i][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t at = column + v * kLanes;
      const V32 sum = hn::RearrangeToOddPlusEven(sums[i][v], rest[i][v]);
      hn::StoreU(hn::Add(sum, hn::LoadU(d, t.start + at)), d, t.sums + i * kInt8PanelColumns + at);
    }
  }
}

template <int kRows>
void MultiplyRows(const Int8TileArgs& t) {
  std::int64_t column = 0;
  for (; column + 2 * kLanes <= t.width; column += 2 * kLanes) MultiplyColumns<kRows, 2>(t, column);
  for (; column < t.width; column += kLanes) MultiplyColumns<kRows, 1>(t, column);
}

/// Tiles of up to kRows rows.
template <int kRows>
void MultiplyUpTo(const Int8TileArgs& t) {
  if (t.row_count == kRows) return MultiplyRows<kRows>(t);
  if constexpr (kRows > 1) MultiplyUpTo<kRows - 1>(t);
}

void Multiply(const Int8TileArgs& t) {
  MultiplyUpTo<kMostRows>(t);
}

#endif

/// `to` may overlap `from`, as long as it does not reach what has not been read.
template <typename T>
void WidenAs(const std::uint8_t* from, std::int64_t count, std::int16_t* to) {
  std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const D16 d;
  const hn::Rebind<T, D16> bytes;
  constexpr std::int64_t kStep = HWY_LANES(std::int16_t);
  for (; i + kStep <= count; i += kStep)
    hn::StoreU(hn::PromoteTo(d, hn::LoadU(bytes, reinterpret_cast<const T*>(from + i))), d, to + i);
#endif
  for (; i < count; ++i) {
    const int byte = from[i];
    to[i] = static_cast<std::int16_t>(std::is_signed_v<T> && byte > 127 ? byte - 256 : byte);
  }
}

void Widen(const std::uint8_t* from, std::int64_t count, bool is_signed, std::int16_t* to) {
  is_signed ? WidenAs<std::int8_t>(from, count, to) : WidenAs<std::uint8_t>(from, count, to);
}

}  // namespace

const Int8Tile& Int8TileImpl() {
  static constexpr Int8Tile kTile{.name = "int8_conv_widened",
                                  .rows = kMostRows,
                                  .reads_whole = false,
                                  .shifts = ShiftedRows::none,
                                  .multiply = Multiply,
                                  .widen = Widen};
  return kTile;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(Int8TileImpl);

const Int8Tile& int8_tile_widened(Target target) {
  return MXINFER_DISPATCH(Int8TileImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
