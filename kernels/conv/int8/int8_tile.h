// The innermost tile of a GEMM of 8-bit factors: some rows by a panel of columns, sums in 32 bits,
//
//   sums[i][x] = start[x] + sum over k of rows[i][k] * byte k % 4 of panel[k / 4][x]
//
// Weights come in words of 32 bits, as the instructions need them: a panel is [word][column], a word being
// four weights, that of the lowest k in the lowest byte. A panel has kInt8PanelColumns columns; the last one
// of a matrix has 16 or 32. Its depth is padded with zeros to a multiple of kInt8DepthWords words. For tiles
// that widen, rows and panels are of 16-bit integers, and a word is two of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/common/target.h"
#include "kernels/conv/int8/int8_post_ops.h"

namespace mxinfer::kernels {

inline constexpr std::int64_t kInt8PanelColumns = 32;
inline constexpr std::int64_t kInt8ColumnStep = 16;
inline constexpr std::int64_t kInt8DepthWords = 16;
inline constexpr std::int64_t kInt8MostRows = 32;

struct Int8TileArgs {
  const std::uint8_t* rows = nullptr;  ///< int8 if is_signed
  bool is_signed = false;
  std::int64_t row_stride = 0;           ///< bytes
  std::int64_t row_count = 0;            ///< 1 to Int8Tile::rows
  const std::uint32_t* panel = nullptr;  ///< [words, padded][width]
  std::int64_t width = 0;                ///< 16 or 32
  std::int64_t words = 0;                ///< without padding
  /// [width]. For rows that the tile shifts: what takes off the shift times the sum of a column's weights.
  const std::int32_t* start = nullptr;
  std::int32_t* sums = nullptr;  ///< [kInt8MostRows][kInt8PanelColumns]; row_count rows are valid
  /// The tile prefetches memory from here, `prefetch_step` bytes with each word. Any address is fine.
  const std::byte* prefetch = nullptr;
  std::int64_t prefetch_step = 0;
};

/// Rows to which a tile adds 128, or from which it takes 128, because its instruction multiplies only the
/// other kind.
enum class ShiftedRows : std::uint8_t { none, signed_ones, unsigned_ones };

/// Multiplies as Int8Tile::multiply, and meanwhile makes the sums of an earlier tile into elements, as
/// int8_post_ops() does: those take other units of the CPU, and would take as long again if they came after.
/// `earlier` has all columns of a panel, and up to Int8Tile::rows rows, or none.
using Int8OverlappedFn = void (*)(const Int8TileArgs& args, const Int8PostOpsArgs& earlier);

struct Int8Tile {
  const char* name;  ///< of the convolution with it
  std::int64_t rows;
  /// Whether the tile reads whole tiles of rows and whole steps of kInt8DepthWords, beyond row_count and
  /// words: that memory must exist. What is read behind the words meets weights of zero.
  bool reads_whole;
  ShiftedRows shifts;
  void (*multiply)(const Int8TileArgs&);
  /// Makes 16-bit integers of a row's bytes; null if rows and panels are bytes.
  void (*widen)(const std::uint8_t* from, std::int64_t count, bool is_signed, std::int16_t* to) = nullptr;
  /// To call before the first and after the last tile of a thread's tasks; or null.
  void (*begin)() = nullptr;
  void (*end)() = nullptr;
  /// The function for these types and activations, or null if there is none. Null if there never is.
  Int8OverlappedFn (*overlapped)(const Int8ConvArgs& conv) = nullptr;
};

/// Widens factors to 16 bits: every CPU. A target other than ref.
const Int8Tile& int8_tile_widened(Target target);
// By vpdpbusd, which sums four products in 32 bits without rounding or limits; null if the CPU lacks it.
const Int8Tile* int8_tile_avx512_vnni();
const Int8Tile* int8_tile_avx_vnni();
/// By sdot of NEON; null if the CPU lacks it.
const Int8Tile* int8_tile_neon_dot();
/// AMX; null if the CPU or its system lacks it.
const Int8Tile* int8_tile_amx();
/// The fastest of them on this CPU, for the target.
const Int8Tile& int8_tile(Target target);

}  // namespace mxinfer::kernels
