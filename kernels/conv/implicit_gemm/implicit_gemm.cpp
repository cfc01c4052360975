#include "kernels/conv/implicit_gemm/implicit_gemm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "kernels/common/bfloat16.h"
#include "kernels/common/divide.h"
#include "kernels/common/float16.h"
#include "kernels/common/tf32.h"

namespace mxinfer::kernels {
namespace {

struct TileCost {
  GemmTile tile;
  int rows, columns;
  int warps;          ///< of a block
  int blocks;         ///< on a multiprocessor at a time
  double efficiency;  ///< the part of the arithmetic of a multiprocessor that is full of them that is of use
};

constexpr TileCost kTiles[] = {{GemmTile::tile_128x128, 128, 128, 8, 1, 0.95},
                               {GemmTile::tile_128x64, 128, 64, 4, 3, 0.95},
                               {GemmTile::tile_64x64, 64, 64, 4, 4, 0.75},
                               {GemmTile::tile_128x32, 128, 32, 4, 4, 0.7}};
/// By tensor instructions, which wait for shared memory.
constexpr TileCost kTensorTiles[] = {{GemmTile::tile_128x128, 128, 128, 8, 1, 1.0},
                                     {GemmTile::tile_128x64, 128, 64, 4, 2, 0.9},
                                     {GemmTile::tile_64x64, 64, 64, 4, 4, 0.6}};

std::span<const TileCost> tiles_of(const ImplicitGemm& g) {
  return g.precision != Precision::float32 ? std::span<const TileCost>(kTensorTiles) : kTiles;
}

/// Multiplications of a multiprocessor while it starts a block and waits for its first operands.
constexpr double kBlockStart = 150e3;
/// What reading and writing an element of a partial sum costs, in multiplications.
constexpr double kPartialElement = 64;
constexpr int kMostSplits = 64;
/// A range of a shorter sum is not worth a block.
constexpr int kLeastDepth = 64;

/// How many multiplications of float32 one by tensor instructions takes, where kernels wait for memory, too.
double product_cost(Precision precision) {
  return precision == Precision::float32 ? 1.0 : precision == Precision::tf32 ? 0.3 : 0.15;
}

/// The multiplications of float32 that a multiprocessor has time for until all are done.
double cost(const ImplicitGemm& g, const TileCost& tile, int splits, int multiprocessors) {
  const std::int64_t rows = g.batch * g.phase_positions();
  const double blocks = static_cast<double>(ceil_div(rows, tile.rows)) * ceil_div(g.filters, tile.columns) *
                        g.groups * g.all_phases() * splits;
  const double each = static_cast<double>(ceil_div(g.steps, splits)) * tile.rows * tile.columns *
                          g.step_depth() * product_cost(g.precision) / tile.efficiency +
                      kBlockStart;
  const double on_one = std::max(1.0, std::ceil(blocks / multiprocessors));
  // A multiprocessor with few warps waits for each of them in part.
  const double warps = std::min<double>(on_one, tile.blocks) * tile.warps;
  constexpr double kEnough = 8;
  const double full = std::min(1.0, (warps + 4) / (kEnough + 4));
  const double products = on_one * each / full;
  if (splits == 1) return products;
  return products +
         static_cast<double>(g.output_elements()) * (splits + 1) * kPartialElement / multiprocessors;
}

void put(Precision precision, float weight, std::int64_t i, std::uint32_t* packed) {
  if (precision == Precision::float32 || precision == Precision::tf32) {
    packed[i] = precision == Precision::tf32 ? to_tf32(weight) : std::bit_cast<std::uint32_t>(weight);
    return;
  }
  const std::uint32_t bits = precision == Precision::float16 ? Float16(weight).bits : BFloat16(weight).bits;
  packed[i / 2] |= i % 2 == 0 ? bits : bits << 16;
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
  g->steps = static_cast<int>(ceil_div(taps * g->channels, g->step_depth()));
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

ImplicitGemm implicit_gemm(const DeviceConv& conv, Precision precision) {
  ImplicitGemm g{conv};
  g.precision = precision;
  set_phases(&g);
  g.packed_filters = round_up(g.filters, 4);
  set_tiles(&g, GemmTile::tile_64x64, 1);
  return g;
}

void set_tiles(ImplicitGemm* gemm, GemmTile tile, int splits) {
  gemm->tile = tile;
  gemm->steps_per_split = std::max(1, ceil_div(gemm->steps, splits));
  gemm->splits = std::max(1, ceil_div(gemm->steps, gemm->steps_per_split));
}

double estimated_products(const ImplicitGemm& gemm, int multiprocessors) {
  for (const TileCost& tile : tiles_of(gemm)) {
    if (tile.tile == gemm.tile) return cost(gemm, tile, gemm.splits, multiprocessors);
  }
  return std::numeric_limits<double>::infinity();
}

void choose_tiles(ImplicitGemm* gemm, int multiprocessors) {
  GemmTile best = GemmTile::tile_64x64;
  int best_splits = 1;
  double least = std::numeric_limits<double>::infinity();
  const int most_blocks = 65535 / (gemm->groups * gemm->all_phases());
  for (const TileCost& tile : tiles_of(*gemm)) {
    for (int splits = 1; splits <= std::min(kMostSplits, most_blocks); ++splits) {
      if (splits > 1 && gemm->steps / splits * gemm->step_depth() < kLeastDepth) break;
      const double c = cost(*gemm, tile, splits, multiprocessors);
      if (c >= least) continue;
      best = tile.tile;
      best_splits = splits;
      least = c;
    }
  }
  set_tiles(gemm, best, best_splits);
}

void pack_implicit_gemm(const ImplicitGemm& g, const float* weight, std::uint32_t* packed) {
  const int depth = g.steps * g.step_depth();
  const std::int64_t between_filters =
      g.transposed ? g.taps() : static_cast<std::int64_t>(g.taps()) * g.channels;
  const bool by_filter = g.precision != Precision::float32;
  std::fill_n(packed, packed_words(g), 0u);
  for (std::int64_t part = 0; part < static_cast<std::int64_t>(g.groups) * g.all_phases(); ++part) {
    const std::int64_t first = part * depth * g.packed_filters;
    for (int k = 0; k < depth; ++k) {
      const std::int64_t from = stored_weight_of(g, static_cast<int>(part / g.all_phases()),
                                                 static_cast<int>(part % g.all_phases()), k, 0);
      if (from < 0) continue;
      for (int m = 0; m < g.filters; ++m) {
        const std::int64_t to = first + (by_filter ? static_cast<std::int64_t>(m) * depth + k
                                                   : static_cast<std::int64_t>(k) * g.packed_filters + m);
        put(g.precision, weight[from + m * between_filters], to, packed);
      }
    }
  }
}

}  // namespace mxinfer::kernels
