// conv_bf16_winograd2: 3 x 3 filters of stride 1 by Winograd's F(2 x 2, 3 x 3). Inputs and filters are
// transformed in float32 and rounded to bfloat16 once; the sums of the 16 points are float32,
// and so is the transform back. F(4 x 4) would multiply half as much and err several times as much.
//
// A task is a block of tiles, over all images, by some panels of filters. It transforms its inputs, and then,
// a few tiles and one panel at a time, multiplies at all points and transforms back: the sums stay in the
// first-level cache.
#include <algorithm>

#include "kernels/conv/bf16/bf16_panels.h"
#include "kernels/conv/bf16/bf16_winograd.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "kernels/conv/task_cut.h"
#include "kernels/conv/winograd/winograd_tiles.h"

namespace mxinfer::kernels {
namespace {

constexpr int kOut = kBf16WinogradOut, kIn = kBf16WinogradIn;
constexpr std::int64_t kPoints = kBf16WinogradPoints;
/// Floats from the sums of a point to those of the next: a cache line more than they are, so that the points
/// spread over all cache sets.
constexpr std::int64_t kSumsOfPoint = kBf16MostRows * kBf16PanelColumns + 16;
/// Tiles of a task, at least, in rows of the GEMM tile: each task reads all weights.
constexpr std::int64_t kLeastRows = 4;

struct Cut : TaskCut {  // rows are tiles
  WinogradTiles tiles;
  std::int64_t row = 0, point = 0;  ///< elements of a tile at one point; of a point
};

Cut cut_of(const ConvProblem& s, const Bf16Tile& tile) {
  const WinogradTiles tiles(s, kOut);
  const std::int64_t row = bf16::row_stride(s.channels), least = kLeastRows * tile.rows;
  const std::int64_t most = std::max(least, bf16::kBlockElements / (kPoints * row));
  // `task_hint` is four for each thread; here two are enough.
  Cut c{cut_tasks(tiles.all, {least, most, tile.rows}, ceil_div(s.filters, kBf16PanelColumns), 1,
                  ceil_div(s.task_hint, 2)),
        tiles};
  c.row = row;
  c.point = c.block * c.row + 32;
  return c;
}

// Packed weights: [panel][point][pair][width].
std::int64_t packed_pairs(const ConvProblem& s) {
  return kPoints * bf16::packed_columns(s.filters) * bf16::padded_pairs(s.channels);
}

/// G g for one row or column g of a filter.
void transform(const double (&g)[3], double (&u)[kIn]) {
  u[0] = g[0];
  u[1] = 0.5 * (g[0] + g[2] + g[1]);
  u[2] = 0.5 * (g[0] + g[2] - g[1]);
  u[3] = g[2];
}

/// G g G^T, rounded.
void transform_filter(const float* g, std::uint32_t (&u)[kPoints]) {
  double rows[3][kIn];
  for (int i = 0; i < 3; ++i) transform({g[3 * i], g[3 * i + 1], g[3 * i + 2]}, rows[i]);
  for (int j = 0; j < kIn; ++j) {
    double column[kIn];
    transform({rows[0][j], rows[1][j], rows[2][j]}, column);
    for (int i = 0; i < kIn; ++i) u[i * kIn + j] = BFloat16(static_cast<float>(column[i])).bits;
  }
}

void pack_points(const ConvProblem& s, const float* weight, std::uint32_t* panels) {
  const std::int64_t depth_pairs = bf16::padded_pairs(s.channels);
  std::fill_n(panels, packed_pairs(s), 0);
  for (std::int64_t first = 0; first < s.filters; first += kBf16PanelColumns) {
    const std::int64_t width = bf16::width_at(s.filters, first), point = depth_pairs * width;
    for (std::int64_t x = 0; x < width; ++x) {
      const float* filter = weight + (first + x) * s.depth();
      for (std::int64_t channel = 0; channel < s.channels; ++channel, filter += 9) {
        std::uint32_t u[kPoints];
        transform_filter(filter, u);
        std::uint32_t* pair = panels + channel / 2 * width + x;
        for (int p = 0; p < kPoints; ++p) pair[p * point] |= u[p] << (channel % 2 * 16);
      }
    }
    panels += kPoints * point;
  }
}

/// A thread's scratch, in bytes: zeros, transformed inputs, sums.
struct Scratch {
  std::size_t zeros, inputs, sums, end;
};

Scratch scratch_of(const ConvProblem& s, const Cut& c) {
  const auto lines = [](std::int64_t bytes) { return static_cast<std::size_t>(round_up(bytes, 64)); };
  constexpr std::int64_t kElement = sizeof(BFloat16);
  Scratch at{};
  at.inputs = at.zeros + lines(s.channels * kElement);
  at.sums = at.inputs + lines(kPoints * c.point * kElement);
  at.end = at.sums + lines(kPoints * kSumsOfPoint * static_cast<std::int64_t>(sizeof(float)));
  return at;
}

/// What stays the same in a task.
struct Task {
  const Bf16Parts& parts;
  const ConvArgs& args;
  const Cut& cut;
  std::int64_t first, tiles;  ///< of all tiles
  const BFloat16* zeros;
  BFloat16* inputs;
  float* sums;
};

void transform_inputs(const Task& task) {
  const ConvProblem& s = task.args.problem;
  Bf16InputTile t;
  t.channels = s.channels;
  t.point_stride = task.cut.point;
  for (std::int64_t tile = 0; tile < task.tiles; ++tile) {
    const WinogradTiles::Place at = task.cut.tiles.place(task.first + tile);
    winograd_inputs(s, at, kIn, typed<BFloat16>(task.args.src), s.channels, task.zeros, t.pixels);
    t.points = task.inputs + tile * task.cut.row;
    task.parts.transforms->input(t);
    // Tiles that read whole steps of a panel read beyond the channels; the panel is zero there.
    const std::int64_t end = 2 * bf16::padded_pairs(s.channels);
    for (std::int64_t p = 0; p < kPoints && s.channels < end; ++p)
      std::fill(t.points + p * task.cut.point + s.channels, t.points + p * task.cut.point + end, BFloat16{});
  }
}

/// Tiles [from, from + count) of the task by the panel of filters from `filter` on: the sums at all points.
void multiply(const Task& task, std::int64_t from, std::int64_t count, std::int64_t filter) {
  const ConvProblem& s = task.args.problem;
  Bf16TileArgs t;
  t.row_stride = task.cut.row;
  t.row_count = count;
  t.width = bf16::width_at(s.filters, filter);
  t.pairs = s.channels / 2;
  t.panel = typed<std::uint32_t>(task.args.weight) + kPoints * filter * bf16::padded_pairs(s.channels);
  for (std::int64_t p = 0; p < kPoints; ++p, t.panel += bf16::padded_pairs(s.channels) * t.width) {
    t.rows = task.inputs + p * task.cut.point + from * task.cut.row;
    t.sums = task.sums + p * kSumsOfPoint;
    task.parts.tile->multiply(t);
  }
}

/// Transforms the sums of tile `tile` of the task back, applies the post-ops, and stores the outputs.
void store_outputs(const Task& task, std::int64_t tile, const float* sums, std::int64_t filter) {
  const ConvProblem& s = task.args.problem;
  alignas(64) float outputs[kOut * kOut * kBf16PanelColumns];
  const std::int64_t columns = bf16::width_at(s.filters, filter);
  task.parts.transforms->output({sums, kSumsOfPoint, columns, outputs});
  const WinogradTiles::Place at = task.cut.tiles.place(task.first + tile);
  Bf16PostOpsArgs post;
  post.post_ops = &task.args.post_ops;
  post.rows = task.cut.tiles.columns.count(at.column);
  post.columns = columns;
  post.dst_stride = task.args.dst_step() * task.cut.tiles.columns.step();
  if (task.args.bias != nullptr) post.bias = typed<float>(task.args.bias) + filter;
  const WinogradAxis& down = task.cut.tiles.rows;
  const std::int64_t rows = down.count(at.row);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = at.image * s.output[1] + at.row + i * down.step();
    const std::int64_t position = row * s.output[2] + at.column;
    post.sums = outputs + i * kOut * kBf16PanelColumns;
    bf16::place_at(task.args, position, filter, &post);
    task.parts.post_ops(post);
  }
}

void run_task(const Task& task, std::int64_t panel, std::int64_t end) {
  transform_inputs(task);
  for (; panel < end; ++panel) {
    const std::int64_t filter = panel * kBf16PanelColumns;
    const std::int64_t step = tile_step(*task.parts.tile, task.tiles);
    for (std::int64_t from = 0; from < task.tiles; from += step) {
      const std::int64_t count = std::min(step, task.tiles - from);
      multiply(task, from, count, filter);
      for (std::int64_t i = 0; i < count; ++i)
        store_outputs(task, from + i, task.sums + i * kBf16PanelColumns, filter);
    }
  }
}

}  // namespace

std::size_t Bf16WinogradGemm::packed_bytes(const ConvProblem& s) {
  return static_cast<std::size_t>(packed_pairs(s)) * sizeof(std::uint32_t);
}

void Bf16WinogradGemm::pack(const ConvProblem& s, const float* weight, std::byte* packed) {
  pack_points(s, weight, reinterpret_cast<std::uint32_t*>(packed));
}

std::int64_t Bf16WinogradGemm::tasks(const Bf16Tile& tile, const ConvProblem& s) {
  const Cut c = cut_of(s, tile);
  return c.blocks * c.panel_blocks;
}

std::size_t Bf16WinogradGemm::scratch_bytes(const Bf16Tile& tile, const ConvProblem& s) {
  return scratch_of(s, cut_of(s, tile)).end;
}

void Bf16WinogradGemm::run(const Bf16Parts& parts, const ConvArgs& args, std::int64_t begin, std::int64_t end,
                           std::byte* scratch) {
  const Cut c = cut_of(args.problem, *parts.tile);
  const Scratch at = scratch_of(args.problem, c);
  auto* zeros = reinterpret_cast<BFloat16*>(scratch + at.zeros);
  std::fill_n(zeros, args.problem.channels, BFloat16{});
  if (parts.tile->begin != nullptr) parts.tile->begin();
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t first = task / c.panel_blocks * c.block;
    const std::int64_t panel = task % c.panel_blocks * c.task_panels;
    run_task({parts, args, c, first, std::min(c.block, c.tiles.all - first), zeros,
              reinterpret_cast<BFloat16*>(scratch + at.inputs), reinterpret_cast<float*>(scratch + at.sums)},
             panel, std::min(c.panels, panel + c.task_panels));
  }
  if (parts.tile->end != nullptr) parts.tile->end();
}

Work Bf16WinogradGemm::work(const Bf16Tile& tile, const ConvProblem& s) {
  const Cut c = cut_of(s, tile);
  Work work;
  work.flops = static_cast<double>(kPoints) *
               bf16::tile_flops(tile, c.tiles.all, c.block, bf16::packed_columns(s.filters), s.channels);
  work.weight_bytes = passed_weight_bytes(packed_pairs(s), c.blocks);
  // Inputs and sums of the points, written and read; the transforms take as long again.
  const auto bytes = static_cast<double>(s.channels * c.panel_blocks) * sizeof(BFloat16) +
                     static_cast<double>(s.filters) * sizeof(float);
  work.cache_bytes = 4 * static_cast<double>(kPoints * c.tiles.all) * bytes;
  work.activation_bytes = activation_bytes(s, sizeof(BFloat16));
  return work;
}

}  // namespace mxinfer::kernels
