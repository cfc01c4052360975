#include "kernels/conv/implicit_gemm/implicit_gemm.h"

#include <algorithm>
#include <limits>

namespace mxinfer::kernels {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 30;

template <typename T>
constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

struct TileCost {
  GemmTile tile;
  int rows, columns;
  int blocks;         ///< on a multiprocessor at a time
  double efficiency;  ///< the part of the arithmetic of a multiprocessor that is full of them that is of use
};

constexpr TileCost kTiles[] = {{GemmTile::tile_128x128, 128, 128, 2, 1.0},
                               {GemmTile::tile_128x64, 128, 64, 3, 0.95},
                               {GemmTile::tile_64x64, 64, 64, 5, 0.75},
                               {GemmTile::tile_128x32, 128, 32, 5, 0.7}};

/// Multiplications of a multiprocessor while it starts a block and waits for its first operands.
constexpr double kBlockStart = 150e3;
/// What reading and writing an element of a partial sum costs, in multiplications.
constexpr double kPartialElement = 64;
constexpr int kMostSplits = 64;
/// A range of fewer steps is not worth a block.
constexpr int kLeastSteps = 8;

/// The multiplications that a multiprocessor has time for until all are done.
double cost(const ImplicitGemm& g, const TileCost& tile, int splits, int multiprocessors) {
  const std::int64_t rows = g.batch * g.phase_positions();
  const double blocks = static_cast<double>(ceil_div<std::int64_t>(rows, tile.rows)) *
                        ceil_div(g.filters, tile.columns) * g.groups * g.all_phases() * splits;
  const double each = static_cast<double>(ceil_div(g.steps, splits)) * tile.rows * tile.columns *
                          ImplicitGemm::kStepDepth / tile.efficiency +
                      kBlockStart;
  const double on_one = std::max(
      1.0, static_cast<double>(static_cast<std::int64_t>((blocks + multiprocessors - 1) / multiprocessors)));
  // A multiprocessor with fewer blocks than it has room for waits for each of them in part.
  const double full = std::min(1.0, (on_one + 1) / (tile.blocks + 1));
  const double products = on_one * each / full;
  if (splits == 1) return products;
  const double partial = static_cast<double>(g.batch) *
                         static_cast<double>(g.epilogue.positions * g.epilogue.filters) * (splits + 1);
  return products + partial * kPartialElement / multiprocessors;
}

bool fits(const Spatial& s) {
  return std::all_of(s.begin(), s.end(), [](std::int64_t n) { return n < kMost; });
}

int to_int(std::int64_t n) {
  return static_cast<int>(n);
}

void set_sizes(const ConvProblem& p, ImplicitGemm* g) {
  g->batch = to_int(p.batch);
  g->groups = to_int(p.groups);
  g->channels = to_int(p.group_channels());
  g->filters = to_int(p.group_filters());
  for (std::size_t d = 0; d < 3; ++d) {
    g->input[d] = to_int(p.input[d]);
    g->output[d] = to_int(p.output[d]);
    g->kernel[d] = to_int(p.kernel[d]);
    g->stride[d] = to_int(p.stride[d]);
    g->pad[d] = to_int(p.pad[d]);
    g->dilate[d] = to_int(p.dilate[d]);
  }
}

void set_strides(const ConvProblem& p, SrcLayout dst_layout, ImplicitGemm* g) {
  const bool planes = p.src_layout == SrcLayout::nchw;
  g->src_image = p.channels * volume(p.input);
  g->src_position = planes ? 1 : to_int(p.channels);
  g->src_channel = planes ? to_int(volume(p.input)) : 1;
  ConvEpilogue& e = g->epilogue;
  e.positions = volume(p.output);
  e.filters = p.filters;
  e.dst_image = e.positions * e.filters;
  e.dst_filter = dst_layout == SrcLayout::nchw ? e.positions : 1;
  e.dst_position = dst_layout == SrcLayout::nchw ? 1 : e.filters;
}

void set_phases(Direction direction, ImplicitGemm* g) {
  g->transposed = direction == Direction::transposed;
  std::int64_t taps = 1;
  for (int d = 0; d < 3; ++d) {
    g->phases[d] = g->transposed ? std::min(g->stride[d], g->output[d]) : 1;
    g->grid[d] = ceil_div(g->output[d], g->phases[d]);
    int most = 0;
    for (int phase = 0; phase < g->phases[d]; ++phase) most = std::max(most, phase_window(*g, d, phase).taps);
    taps *= most;
  }
  g->steps = to_int(ceil_div<std::int64_t>(taps * g->channels, ImplicitGemm::kStepDepth));
}

}  // namespace

const char* implicit_gemm_rejects(const ConvProblem& p, Direction direction) {
  constexpr const char* kTooLarge = "an image, a filter or a phase has 2^30 elements or more";
  if (!fits(p.input) || !fits(p.output) || !fits(p.kernel) || !fits(p.stride) || !fits(p.pad) ||
      !fits(p.dilate) || p.batch >= kMost)
    return kTooLarge;
  for (std::size_t d = 0; d < 3; ++d) {
    // Where a tap is, and what the last block of rows would be.
    if (p.dilate[d] * (p.kernel[d] - 1) + p.pad[d] >= kMost) return kTooLarge;
    if (p.output[d] * p.stride[d] >= kMost) return kTooLarge;
  }
  if (p.channels * volume(p.input) >= kMost || volume(p.output) >= kMost || p.depth() >= kMost ||
      p.filters >= kMost)
    return kTooLarge;
  // Blocks of the second and third dimension of a grid.
  constexpr std::int64_t kMostBlocks = 65535;
  std::int64_t phases = 1;
  if (direction == Direction::transposed) phases = volume(p.stride);
  if (p.groups * phases > kMostBlocks || ceil_div<std::int64_t>(p.group_filters(), 32) > kMostBlocks)
    return "more than 65535 groups and phases";
  return nullptr;
}

ImplicitGemm implicit_gemm(const ConvProblem& problem, Direction direction, SrcLayout dst_layout) {
  ImplicitGemm g;
  set_sizes(problem, &g);
  set_strides(problem, dst_layout, &g);
  set_phases(direction, &g);
  g.packed_filters = ceil_div(g.filters, 4) * 4;
  set_tiles(&g, GemmTile::tile_64x64, 1);
  return g;
}

void set_tiles(ImplicitGemm* gemm, GemmTile tile, int splits) {
  gemm->tile = tile;
  gemm->steps_per_split = std::max(1, ceil_div(gemm->steps, splits));
  gemm->splits = std::max(1, ceil_div(gemm->steps, gemm->steps_per_split));
}

void choose_tiles(ImplicitGemm* gemm, int multiprocessors) {
  const TileCost* best = nullptr;
  int best_splits = 1;
  double least = 0;
  const int most_blocks = 65535 / (gemm->groups * gemm->all_phases());
  for (const TileCost& tile : kTiles) {
    for (int splits = 1; splits <= std::min(kMostSplits, most_blocks); ++splits) {
      if (splits > 1 && gemm->steps / splits < kLeastSteps) break;
      const double c = cost(*gemm, tile, splits, multiprocessors);
      if (best != nullptr && c >= least) continue;
      best = &tile;
      best_splits = splits;
      least = c;
    }
  }
  set_tiles(gemm, best->tile, best_splits);
}

void pack_implicit_gemm(const ImplicitGemm& g, const float* weight, float* packed) {
  const int depth = g.steps * ImplicitGemm::kStepDepth;
  const std::int64_t taps = static_cast<std::int64_t>(g.kernel[0]) * g.kernel[1] * g.kernel[2];
  const std::int64_t between_filters = g.transposed ? taps : taps * g.channels;
  for (int group = 0; group < g.groups; ++group) {
    for (int phase = 0; phase < g.all_phases(); ++phase) {
      for (int k = 0; k < depth; ++k) {
        const std::int64_t from = stored_weight_of(g, group, phase, k, 0);
        for (int m = 0; m < g.packed_filters; ++m)
          *packed++ = from >= 0 && m < g.filters ? weight[from + m * between_filters] : 0.0f;
      }
    }
  }
}

}  // namespace mxinfer::kernels
