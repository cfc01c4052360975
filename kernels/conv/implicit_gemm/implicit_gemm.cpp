#include "kernels/conv/implicit_gemm/implicit_gemm.h"

#include <algorithm>
#include <limits>

namespace mxinfer::kernels {
namespace {

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

void set_phases(ImplicitGemm* g) {
  std::int64_t taps = 1;
  for (int d = 0; d < 3; ++d) {
    g->phases[d] = g->transposed ? std::min(g->stride[d], g->output[d]) : 1;
    g->grid[d] = ceil_div(g->output[d], g->phases[d]);
    int most = 0;
    for (int phase = 0; phase < g->phases[d]; ++phase) most = std::max(most, phase_window(*g, d, phase).taps);
    taps *= most;
  }
  g->steps = static_cast<int>(ceil_div<std::int64_t>(taps * g->channels, ImplicitGemm::kStepDepth));
}

}  // namespace

const char* implicit_gemm_rejects(const DeviceConv& conv) {
  // Blocks of the second and third dimension of a grid.
  constexpr std::int64_t kMostBlocks = 65535;
  std::int64_t parts = conv.groups;
  for (int d = 0; d < 3 && conv.transposed; ++d) parts *= std::min(conv.stride[d], conv.output[d]);
  if (parts > kMostBlocks || ceil_div(conv.filters, 32) > kMostBlocks)
    return "it has more than 65535 groups and phases";
  return nullptr;
}

ImplicitGemm implicit_gemm(const DeviceConv& conv) {
  ImplicitGemm g{conv};
  set_phases(&g);
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
  const std::int64_t taps = g.taps();
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
