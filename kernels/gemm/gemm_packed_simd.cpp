// gemm_packed: the register tile of panel_tile-inl.h with cache blocking. A task is a block of rows by a few
// panels. Depth is cut into blocks: a panel's block stays in the first-level cache while the rows of the task
// pass, and the rows' block in the second level while the panels of the task pass. The tile prefetches the
// next panel.
#include <algorithm>

#include "kernels/gemm/gemm_packed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm/gemm_packed_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/panel_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using panel::CeilDiv;
using panel::kColumns;
using panel::kLanes;

/// Of a block, at most. Between blocks the sums go through memory, which costs more than reading the panel's
/// block from the second-level cache again for each tile, where a tile has 24 sums.
constexpr std::int64_t kDepth = panel::kVectors == 4 ? 1024 : 384;
constexpr std::int64_t kRows = 16 * panel::kRows;  ///< of a task, at most
/// The grain size in multiply-adds: at least enough to be worth a task; more than the most saves nothing.
constexpr std::int64_t kLeastWork = 1 << 20, kMostWork = 1 << 25;

/// Columns of a panel as it is stored: whole vectors.
std::int64_t WidthOf(std::int64_t index, std::int64_t columns) {
  return panel::PanelAt(columns, index).width();
}

std::int64_t PanelElements(std::int64_t columns, std::int64_t depth) {
  return panel::PackedColumns(columns) * depth;
}

/// Rows of the panel come from `width` rows of b, a few at a time so that they stay in cache.
void PackTransposed(const PackPanelsArgs& args, const float* b, std::int64_t count, std::int64_t width,
                    float* dst) {
  constexpr std::int64_t kBlock = 16;
  for (std::int64_t from = 0; from < args.depth; from += kBlock) {
    const std::int64_t to = std::min(args.depth, from + kBlock);
    for (std::int64_t j = 0; j < width; ++j) {
      const float* row = b + j * args.stride;
      for (std::int64_t k = from; k < to; ++k) dst[k * width + j] = j < count ? args.scale * row[k] : 0.0f;
    }
  }
}

void PackStraight(const PackPanelsArgs& args, const float* b, std::int64_t count, std::int64_t width,
                  float* dst) {
  for (std::int64_t k = 0; k < args.depth; ++k) {
    const float* row = b + k * args.stride;
    for (std::int64_t j = 0; j < count; ++j) dst[k * width + j] = args.scale * row[j];
    for (std::int64_t j = count; j < width; ++j) dst[k * width + j] = 0.0f;
  }
}

void Pack(const PackPanelsArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t p = begin; p < end; ++p) {
    const std::int64_t first = p * kColumns, count = std::min(kColumns, args.columns - first);
    const std::int64_t width = WidthOf(p, args.columns);
    float* dst = args.dst + first * args.depth;
    if (args.transposed) {
      PackTransposed(args, args.b + first * args.stride, count, width, dst);
    } else {
      PackStraight(args, args.b + first, count, width, dst);
    }
  }
}

/// Of a block: as even as they can be, so that depth alone decides the order of a sum.
std::int64_t DepthOfBlock(std::int64_t depth) {
  return std::max<std::int64_t>(1, CeilDiv(depth, std::max<std::int64_t>(1, CeilDiv(depth, kDepth))));
}

/// How the work is cut into tasks.
struct Blocks {
  std::int64_t rows, row_blocks;      ///< of a task; how many
  std::int64_t panels, panel_groups;  ///< of a task; how many
};

Blocks Cut(const GemmPackedArgs& args) {
  Blocks b{};
  b.row_blocks = CeilDiv(args.rows, kRows);
  b.rows = b.row_blocks == 0 ? 1 : CeilDiv(args.rows, b.row_blocks);
  const std::int64_t panel_work = b.rows * std::max<std::int64_t>(1, args.depth) * kColumns;
  const std::int64_t all = args.rows * args.columns * args.depth;
  const std::int64_t task_work = std::clamp(all / args.task_hint, kLeastWork, kMostWork);
  b.panels = std::max<std::int64_t>(1, task_work / panel_work);
  b.panel_groups = CeilDiv(panel::PanelCount(args.columns), b.panels);
  return b;
}

std::int64_t Tasks(const GemmPackedArgs& args) {
  const Blocks b = Cut(args);
  return b.row_blocks * b.panel_groups;
}

const float* BlockAt(const GemmPackedArgs& args, std::int64_t p, std::int64_t k) {
  return args.panels + p * kColumns * args.depth + k * WidthOf(p, args.columns);
}

/// A block of depth of one panel, for some rows.
struct PanelBlock {
  std::int64_t panel;
  std::int64_t k, depth;
  const float* next;  ///< the block to prefetch
};

void RunPanel(const GemmPackedArgs& args, std::int64_t first, std::int64_t rows, const PanelBlock& block) {
  const std::int64_t width = WidthOf(block.panel, args.columns);
  const std::int64_t column = block.panel * kColumns;
  const panel::RowTiles tiles(rows);
  panel::TileArgs t{};
  t.weight = BlockAt(args, block.panel, block.k);
  t.runs = 1;
  t.run_length = block.depth;
  t.dst_stride = args.dst_stride;
  t.columns = std::min(kColumns, args.columns - column);
  t.first_block = block.k == 0;
  t.last_block = block.k + block.depth == args.depth;
  t.bias = args.bias != nullptr ? args.bias + column : nullptr;
  t.residual_stride = args.residual_stride;
  t.post_ops = &args.post_ops;
  t.prefetch_step = CeilDiv(width * static_cast<std::int64_t>(sizeof(float)), tiles.tiles);
  const float* row[panel::kRows];
  t.rows = row;
  for (std::int64_t tile = 0; tile < tiles.tiles; ++tile) {
    const std::int64_t i = first + tiles.first(tile), count = tiles.count(tile);
    for (std::int64_t r = 0; r < count; ++r) row[r] = args.a + (i + r) * args.a_stride + block.k;
    t.dst = args.dst + i * args.dst_stride + column;
    t.row_bias = args.row_bias != nullptr ? args.row_bias + i : nullptr;
    t.residual = args.residual != nullptr ? args.residual + i * args.residual_stride + column : nullptr;
    t.prefetch = reinterpret_cast<const char*>(block.next) + tile * block.depth * t.prefetch_step;
    panel::TileOf(count, width / kLanes)(t);
  }
}

/// The block that is read after that of panel p at k, by a task of panels [first, last): the next panel's, or
/// the first panel's next block, or the first block of the next task or of the caller's next panels.
const float* NextBlock(const GemmPackedArgs& args, std::int64_t p, std::int64_t k, std::int64_t first,
                       std::int64_t last) {
  const std::int64_t depth = DepthOfBlock(args.depth);
  if (p + 1 < last) return BlockAt(args, p + 1, k);
  if (k + depth < args.depth) return BlockAt(args, first, k + depth);
  if (last < panel::PanelCount(args.columns)) return BlockAt(args, last, 0);
  return args.next_panels != nullptr ? args.next_panels : BlockAt(args, first, 0);
}

/// For few rows, whose sums in one panel would wait for each other: several panels at once, each a separate
/// stream of memory. Not inlined: its sums need all registers.
template <int kTileRows, int kTilePanels>
HWY_NOINLINE void WideTile(const GemmPackedArgs& args, std::int64_t first_row, std::int64_t p, std::int64_t k,
                           std::int64_t depth) {
  const panel::D d;
  constexpr int kVectors = kTilePanels * panel::kVectors;
  panel::V sum[kTileRows][kVectors];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sum[i][v] = hn::Zero(d);
  }
  const float* row[kTileRows];
#pragma GCC unroll 8
  for (int i = 0; i < kTileRows; ++i) row[i] = args.a + (first_row + i) * args.a_stride + k;
  const float* HWY_RESTRICT weight = BlockAt(args, p, k);
  const std::int64_t panel_step = kColumns * args.depth;
  for (std::int64_t l = 0; l < depth; ++l) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) {
      const float* at = weight + v / panel::kVectors * panel_step + v % panel::kVectors * kLanes;
      const panel::V w = hn::LoadU(d, at);
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) sum[i][v] = hn::MulAdd(hn::Set(d, row[i][l]), w, sum[i][v]);
    }
    weight += kColumns;
  }
  panel::TileArgs t{};
  t.columns = std::min(kTilePanels * kColumns, args.columns - p * kColumns);  // all of them
  t.dst_stride = args.dst_stride;
  t.dst = args.dst + first_row * args.dst_stride + p * kColumns;
  t.first_block = k == 0;
  t.last_block = k + depth == args.depth;
  if (args.bias != nullptr) t.bias = args.bias + p * kColumns;
  if (args.row_bias != nullptr) t.row_bias = args.row_bias + first_row;
  t.residual_stride = args.residual_stride;
  if (args.residual != nullptr) t.residual = args.residual + first_row * args.residual_stride + p * kColumns;
  t.post_ops = &args.post_ops;
  panel::StoreTile<true>(t, sum);
  if (t.last_block && !is_piecewise_linear(args.post_ops.activation)) {
    for (int i = 0; i < kTileRows; ++i) ActivateRow(args.post_ops, t.dst + i * t.dst_stride, t.columns);
  }
}

/// Panels that a tile of few rows takes at once: enough to fill the pipelines, if registers suffice.
constexpr std::int64_t WidePanels(std::int64_t rows) {
  if (rows == 1) return 8 / panel::kVectors;
  return rows <= 3 && panel::kVectors == 2 ? 2 : 1;
}

void RunWide(const GemmPackedArgs& args, std::int64_t first_row, std::int64_t rows, std::int64_t p,
             std::int64_t k, std::int64_t depth) {
  if (rows == 1) WideTile<1, 8 / panel::kVectors>(args, first_row, p, k, depth);
#if HWY_TARGET != HWY_AVX3
  if (rows == 2) WideTile<2, 2>(args, first_row, p, k, depth);
  if (rows == 3) WideTile<3, 2>(args, first_row, p, k, depth);
#endif
}

void RunTask(const GemmPackedArgs& args, std::int64_t first_row, std::int64_t rows, std::int64_t first,
             std::int64_t last) {
  const std::int64_t block = DepthOfBlock(args.depth);
  const std::int64_t wide = WidePanels(rows);
  std::int64_t k = 0;
  do {
    const std::int64_t depth = std::min(block, args.depth - k);
    std::int64_t p = first;
    for (; wide > 1 && (p + wide < last || (p + wide == last && args.columns >= last * kColumns)); p += wide)
      RunWide(args, first_row, rows, p, k, depth);
    for (; p < last; ++p) {
      RunPanel(args, first_row, rows, {p, k, depth, NextBlock(args, p, k, first, last)});
    }
    k += depth;
  } while (k < args.depth);
}

void Run(const GemmPackedArgs& args, std::int64_t begin, std::int64_t end) {
  const Blocks b = Cut(args);
  const std::int64_t panels = panel::PanelCount(args.columns);
  for (std::int64_t task = begin; task < end; ++task) {
    // All blocks of rows pass while a group of panels is in cache.
    const std::int64_t row = task % b.row_blocks * b.rows;
    const std::int64_t first = task / b.row_blocks * b.panels;
    RunTask(args, row, std::min(b.rows, args.rows - row), first, std::min(panels, first + b.panels));
  }
}

#if HWY_TARGET == HWY_AVX3
constexpr const char* kPacking = "panels of 4 x 16";
#elif HWY_TARGET == HWY_AVX2
constexpr const char* kPacking = "panels of 2 x 8";
#else
constexpr const char* kPacking = "panels of the baseline";
#endif

constexpr GemmPackedKernel kKernel{"gemm_packed_f32", kPacking, kLanes, panel::PanelCount,
                                   PanelElements,     Pack,     Tasks,  Run};

}  // namespace

const GemmPackedKernel& GemmPackedImpl() {
  return kKernel;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(GemmPackedImpl);

const GemmPackedKernel& select_gemm_packed(Target target) {
  if (target == Target::ref) return gemm_packed_ref();
  return MXINFER_DISPATCH(GemmPackedImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
