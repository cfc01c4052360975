// Shared by the implementations that multiply by panels: the packing of weights, and tiles of rows by panels.
// Included by kernels inside Highway's foreach_target loop.
//
// Packed weights are [group][panel][tap][channel][width], width being panel::kColumns filters and, in the
// last panel of a group, as many whole vectors as its filters need, padded with zeros.
#if defined(MXINFER_KERNELS_CONV_CONV_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_CONV_PANELS_INL_H_
#undef MXINFER_KERNELS_CONV_CONV_PANELS_INL_H_
#else
#define MXINFER_KERNELS_CONV_CONV_PANELS_INL_H_
#endif

#include <algorithm>

#include "kernels/common/panel_tile-inl.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_work.h"
#include "kernels/conv/depth_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using panel::CeilDiv;
using panel::PackedColumns;
using panel::Panel;
using panel::PanelAt;
using panel::PanelCount;

constexpr std::int64_t RoundUp(std::int64_t a, std::int64_t b) {
  return CeilDiv(a, b) * b;
}

/// Floats of scratch that an address takes.
constexpr std::int64_t kPointerFloats = sizeof(void*) / sizeof(float);

/// Identifies the packing.
constexpr const char* kPanelPacking = panel::kColumns == 64   ? "conv_nhwc panels of 64 filters"
                                      : panel::kColumns == 16 ? "conv_nhwc panels of 16 filters"
                                      : panel::kColumns == 8  ? "conv_nhwc panels of 8 filters"
                                                              : "conv_nhwc panels of 2 filters";

inline std::int64_t PackedPanelElements(const ConvProblem& s) {
  return s.groups * PackedColumns(s.group_filters()) * s.depth();
}

/// Overhead in steps of the sum: looking up the addresses of a run, and starting and storing a tile.
constexpr double kRunSteps = 2, kTileSteps = 10;

/// Rows whose time the tiles of `rows` rows take: with fewer than kFewRows, a tile waits for its own sums.
inline std::int64_t TimedRows(std::int64_t rows) {
  constexpr std::int64_t kFewRows = 8 / panel::kVectors;
  const panel::RowTiles tiles(rows);
  return (tiles.tiles - tiles.larger) * std::max(tiles.least, kFewRows) +
         tiles.larger * std::max(tiles.least + 1, kFewRows);
}

/// Operations of tiles over `rows` rows, in blocks of `block`.
inline double TileFlops(std::int64_t rows, std::int64_t block, std::int64_t packed_columns, std::int64_t runs,
                        std::int64_t run_length) {
  const std::int64_t whole = rows / block * TimedRows(block) + TimedRows(rows % block);
  const double steps = static_cast<double>(runs) * (static_cast<double>(run_length) + kRunSteps) + kTileSteps;
  return 2.0 * static_cast<double>(whole * packed_columns) * steps;
}

/// Calls put(column) for each j < depth in turn, column[x] being number j of filter x of the panel, or 0 if
/// there is no such filter. Filters are rows of `depth` numbers, often a power of two apart, and few such
/// lines fit into a cache: so chunks of them are copied together first.
template <class Put>
void ForEachColumn(const Panel& p, const float* filters, std::int64_t depth, const Put& put) {
  constexpr std::int64_t kChunk = 64;
  HWY_ALIGN float rows[panel::kColumns][kChunk] = {};
  for (std::int64_t from = 0; from < depth; from += kChunk) {
    const std::int64_t count = std::min(kChunk, depth - from);
    for (std::int64_t x = 0; x < p.columns; ++x) std::copy_n(filters + x * depth + from, count, rows[x]);
    for (std::int64_t j = 0; j < count; ++j) {
      HWY_ALIGN float column[panel::kColumns];
      for (std::int64_t x = 0; x < panel::kColumns; ++x) column[x] = rows[x][j];
      put(column);
    }
  }
}

/// weight is (M, channels, taps...).
inline void PackPanels(const ConvProblem& s, const float* weight, float* packed) {
  const std::int64_t taps = volume(s.kernel), channels = s.group_channels(), filters = s.group_filters();
  for (std::int64_t group = 0; group < s.groups; ++group) {
    for (std::int64_t i = 0; i < PanelCount(filters); ++i) {
      const Panel p = PanelAt(filters, i);
      std::int64_t c = 0, tap = 0;
      ForEachColumn(p, weight + (group * filters + p.first) * s.depth(), s.depth(), [&](const float* column) {
        std::copy_n(column, p.width(), packed + (tap * channels + c) * p.width());
        if (++tap < taps) return;
        tap = 0;
        ++c;
      });
      packed += p.width() * s.depth();
    }
  }
}

/// Steps of a block of the sum: 32 KiB of weights of four vectors of AVX-512, 16 KiB of two of AVX2, which
/// stay in the first-level cache.
constexpr std::int64_t kBlockSteps = panel::kVectors == 4 ? 128 : 256;

/// What tiles prefetch while they multiply: from where, and bytes from one step of the sum, tile and row to
/// the next.
struct Prefetch {
  const char* from;
  std::int64_t step, tile_bytes, row_bytes;
};

/// The weights read after those of `t`, by all tiles together; nothing if `next` is null.
inline Prefetch PrefetchWeights(const panel::TileArgs& t, const Panel& p, const float* next,
                                const panel::RowTiles& tiles) {
  if (next == nullptr) return {reinterpret_cast<const char*>(t.weight), 0, 0, 0};
  const std::int64_t step = CeilDiv(p.width() * static_cast<std::int64_t>(sizeof(float)), tiles.tiles);
  return {reinterpret_cast<const char*>(next), step, t.runs * t.run_length * step, 0};
}

/// The rows of the next tile. Precondition: rows are contiguous.
inline Prefetch PrefetchRows(const panel::TileArgs& t, const panel::RowTiles& tiles,
                             const float* const* rows) {
  constexpr std::int64_t kFloat = sizeof(float);
  const std::int64_t row_bytes = t.run_length * kFloat;
  return {reinterpret_cast<const char*>(rows[0]) + tiles.count(0) * row_bytes, panel::kRows * kFloat, 0,
          row_bytes};
}

/// Multiplies all tiles of rows by a block of a panel. `t` has what belongs to row 0; `rows` are those of
/// MultiplyPanels(), of `runs` runs in all.
inline void MultiplyTiles(panel::TileArgs t, std::int64_t vectors, std::int64_t first_run, std::int64_t runs,
                          const panel::RowTiles& tiles, const float* const* rows, const Prefetch& prefetch) {
  const panel::TileArgs base = t;
  t.prefetch_step = prefetch.step;
  for (std::int64_t tile = 0; tile < tiles.tiles; ++tile) {
    const std::int64_t first = tiles.first(tile), count = tiles.count(tile);
    t.rows = rows + first_run * count;
    t.dst = base.dst + first * t.dst_stride;
    if (base.residual != nullptr) t.residual = base.residual + first * t.residual_stride;
    t.prefetch = prefetch.from + tile * prefetch.tile_bytes + first * prefetch.row_bytes;
    panel::TileOf(count, vectors)(t);
    rows += runs * count;
  }
}

/// Multiplies tiles of rows by panels [begin, end) of a matrix with `columns` columns. `base` has runs,
/// run_length, dst, strides, bias, residual, slopes and post-ops set for row 0 and column 0; `weight` is
/// panel 0; `rows` holds the pointers of the rows as panel::RowTiles divides them: [tile][run][rows of the
/// tile]. `after` is the panel that the caller reads next, or null; `block_steps` the steps of a block of the
/// sum, at most.
inline void MultiplyPanels(const panel::TileArgs& base, const float* const* rows, std::int64_t row_count,
                           const float* weight, std::int64_t columns, std::int64_t begin, std::int64_t end,
                           const float* after = nullptr, std::int64_t block_steps = kBlockSteps) {
  const std::int64_t depth = base.runs * base.run_length;
  const panel::RowTiles tiles(row_count);
  const DepthBlocks blocks(base.runs, base.run_length, block_steps);
  const bool rows_follow = base.runs == 1 && tiles.tiles > 1 && rows[1] == rows[0] + base.run_length;
  for (std::int64_t i = begin; i < end; ++i) {
    const Panel p = PanelAt(columns, i);
    panel::TileArgs t = base;
    t.weight = weight + p.first * depth;
    t.columns = p.columns;
    t.dst += p.first;
    if (t.bias != nullptr) t.bias += p.first;
    if (t.slopes != nullptr) t.slopes += p.first;
    if (t.residual != nullptr) t.residual += p.first;
    for (std::int64_t k = 0; k < blocks.count(); ++k) {
      const DepthBlock block = blocks.at(k);
      t.runs = block.runs;
      t.run_length = block.length;
      t.run_offset = block.offset;
      t.first_block = k == 0;
      t.last_block = k + 1 == blocks.count();
      const float* const next = t.last_block && i + 1 == end ? after : t.weight + block.depth() * p.width();
      const bool prefetch_rows = i == begin && rows_follow && blocks.count() == 1;
      MultiplyTiles(t, p.vectors, block.first_run, base.runs, tiles, rows,
                    prefetch_rows ? PrefetchRows(t, tiles, rows) : PrefetchWeights(t, p, next, tiles));
      t.weight += block.depth() * p.width();
    }
  }
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
