// The tile for CPUs without instructions for products of 8-bit integers. Bytes of a quad become 16-bit
// integers, two and two; the sum of two products of those, at most 2 * 255 * 128, fits 32 bits. (The
// instruction of AVX2 for products of bytes, vpmaddubsw, would limit that sum to 16 bits.)
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

// One lane at a time: plain loops.
constexpr int kMostRows = 4;

std::int32_t ByteOf(std::uint32_t quad, int i, bool is_signed) {
  const auto byte = static_cast<std::uint8_t>(quad >> (8 * i));
  return is_signed ? static_cast<std::int8_t>(byte) : std::int32_t{byte};
}

void Multiply(const Int8TileArgs& t) {
  for (std::int64_t i = 0; i < t.row_count; ++i) {
    std::int32_t* sums = t.sums + i * kInt8PanelColumns;
    for (std::int64_t x = 0; x < t.width; ++x) sums[x] = t.start[x];
    for (std::int64_t q = 0; q < t.quads; ++q) {
      std::uint32_t row;
      __builtin_memcpy(&row, t.rows + i * t.row_stride + 4 * q, sizeof(row));
      const std::uint32_t* panel = t.panel + q * t.width;
      for (int k = 0; k < 4; ++k) {
        const std::int32_t factor = ByteOf(row, k, t.is_signed);
        for (std::int64_t x = 0; x < t.width; ++x) sums[x] += factor * ByteOf(panel[x], k, true);
      }
    }
  }
}

#else

using D32 = hn::ScalableTag<std::int32_t>;
using D16 = hn::ScalableTag<std::int16_t>;
using DU16 = hn::ScalableTag<std::uint16_t>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
constexpr std::int64_t kLanes = HWY_LANES(std::int32_t);

/// Bytes 0 and 2 of quads, and bytes 1 and 3, as pairs of 16 bits.
struct Pairs {
  V16 even, odd;
};

HWY_INLINE Pairs WidenSigned(V16 quads) {
  return {hn::ShiftRight<8>(hn::ShiftLeft<8>(quads)), hn::ShiftRight<8>(quads)};
}

template <bool kSigned>
HWY_INLINE Pairs WidenRow(V16 quads) {
  if constexpr (kSigned) return WidenSigned(quads);
  const D16 d;
  const auto odd = hn::ShiftRight<8>(hn::BitCast(DU16(), quads));
  return {hn::And(quads, hn::Set(d, 0xff)), hn::BitCast(d, odd)};
}

/// kRows rows by kVectors vectors of columns, from `column` of the panel on.
template <int kRows, int kVectors, bool kSigned>
void MultiplyColumns(const Int8TileArgs& given, std::int64_t column) {
  const Int8TileArgs t = given;  // a copy: stores cannot alias it
  const D32 d;
  const D16 d16;
  // Sums of adjacent products, which some CPUs keep in two parts.
  V32 sums[kRows][kVectors], rest[kRows][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[i][v] = rest[i][v] = hn::Zero(d);
  }
  const std::uint32_t* panel = t.panel + column;
  const std::byte* prefetch = t.prefetch;
  for (std::int64_t q = 0; q < t.quads; ++q, panel += t.width, prefetch += t.prefetch_step) {
    __builtin_prefetch(prefetch);
    V16 even[kVectors], odd[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const auto* quads = reinterpret_cast<const std::int16_t*>(panel + v * kLanes);
      const Pairs w = WidenSigned(hn::LoadU(d16, quads));
      even[v] = w.even;
      odd[v] = w.odd;
    }
#pragma GCC unroll 8
    for (int i = 0; i < kRows; ++i) {
      std::int32_t quad;
      __builtin_memcpy(&quad, t.rows + i * t.row_stride + 4 * q, sizeof(quad));
      const Pairs x = WidenRow<kSigned>(hn::BitCast(d16, hn::Set(d, quad)));
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        sums[i][v] = hn::ReorderWidenMulAccumulate(d, x.even, even[v], sums[i][v], rest[i][v]);
        sums[i][v] = hn::ReorderWidenMulAccumulate(d, x.odd, odd[v], sums[i][v], rest[i][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t at = column + v * kLanes;
      const V32 sum = hn::RearrangeToOddPlusEven(sums[i][v], rest[i][v]);
      hn::StoreU(hn::Add(sum, hn::LoadU(d, t.start + at)), d, t.sums + i * kInt8PanelColumns + at);
    }
  }
}

template <int kRows, bool kSigned>
void MultiplyPanel(const Int8TileArgs& t) {
  std::int64_t column = 0;
  for (; column + 2 * kLanes <= t.width; column += 2 * kLanes) MultiplyColumns<kRows, 2, kSigned>(t, column);
  for (; column < t.width; column += kLanes) MultiplyColumns<kRows, 1, kSigned>(t, column);
}

template <int kRows>
void MultiplyRows(const Int8TileArgs& t) {
  t.is_signed ? MultiplyPanel<kRows, true>(t) : MultiplyPanel<kRows, false>(t);
}

/// With two vectors of columns, four for the widened panel and two for a row: as many as registers hold.
constexpr int kMostRows = HWY_TARGET == HWY_AVX3 ? 8 : 4;

void Multiply(const Int8TileArgs& t) {
  static_assert(kMostRows == 4 || kMostRows == 8);
  switch (t.row_count) {
    case 1:
      return MultiplyRows<1>(t);
    case 2:
      return MultiplyRows<2>(t);
    case 3:
      return MultiplyRows<3>(t);
    case 4:
      return MultiplyRows<4>(t);
    case 5:
      return MultiplyRows<kMostRows - 3>(t);
    case 6:
      return MultiplyRows<kMostRows - 2>(t);
    case 7:
      return MultiplyRows<kMostRows - 1>(t);
    default:
      return MultiplyRows<kMostRows>(t);
  }
}

#endif

}  // namespace

const Int8Tile& Int8TileImpl() {
  static constexpr Int8Tile kTile{"int8_conv_widened", kMostRows, false, ShiftedRows::none, Multiply};
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
