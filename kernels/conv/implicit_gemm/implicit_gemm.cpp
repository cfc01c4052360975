#include "kernels/conv/implicit_gemm/implicit_gemm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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
/// Multiplications of a multiprocessor while it starts a block and waits for its first operands.
constexpr double kBlockStart = 150e3;
/// What reading and writing an element of a partial sum costs, in multiplications.
constexpr double kPartialElement = 64;
constexpr int kMostSplits = 64;
/// Blocks of the second and third dimension of a grid.
constexpr std::int64_t kMostParts = 65535;
/// A range of a shorter sum is not worth a block.
constexpr int kLeastDepth = 64;

/// The multiplications of float32 that a multiprocessor has time for until all are done.
double cost(const ImplicitGemm& g, const TileCost& tile, int splits, int multiprocessors) {
  const std::int64_t rows = g.batch * g.phase_positions();
  const double blocks = static_cast<double>(ceil_div(rows, tile.rows)) * ceil_div(g.filters, tile.columns) *
                        g.groups * g.all_phases() * splits;
  const double each = static_cast<double>(ceil_div(g.steps, splits)) * tile.rows * tile.columns *
                          g.step_depth() / tile.efficiency +
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

/// Elements of a copy to shared memory.
int copied_elements(const ImplicitGemm& g) {
  if (g.of_bytes) return 16;
  return g.precision == Precision::float32 ? 1 : g.precision == Precision::tf32 ? 4 : 8;
}

/// Whether what a row of a filter sees lies side by side, and channels are so few that padding each tap's
/// would cost more.
bool has_row_runs(const ImplicitGemm& g) {
  if (g.precision == Precision::float32 || g.transposed || g.groups != 1) return false;
  if (g.input[0] != 1 || g.kernel[0] != 1 || g.pad[0] != 0 || g.dilate[2] != 1 || g.kernel[2] == 1)
    return false;
  if (g.channels >= copied_elements(g)) return false;
  return g.src_channel == 1 ? g.src_position == g.channels : g.src_position == 1;
}

void set_runs(ImplicitGemm* g) {
  g->row_runs = has_row_runs(*g);
  g->run = g->row_runs ? g->kernel[2] * g->row_step() : g->channels;
  g->padded_run = round_up(g->run, copied_elements(*g));
}

/// Whether a patch has room.
bool has_patches(const ImplicitGemm& g) {
  if (!g.row_runs || g.dilate[1] != 1 || g.of_bytes) return false;
  const std::int64_t elements =
      std::int64_t{g.row_planes()} * g.patch_lines() * g.patch_pitch() * g.patch_copies();
  return elements <= ImplicitGemm::most_patch(g.has_pairs()) &&
         g.patch_vector() * g.patch_chunks() <= ImplicitGemm::kMostPatchDepth;
}

/// Whether rows of src are copied as they are.
bool copies_rows(const ImplicitGemm& g) {
  return g.src_channel == 1 && has_near_taps(g) && g.channels % copied_elements(g) == 0 &&
         (g.type != FloatType::float32 || g.precision == Precision::tf32);
}

/// Whether the kernels have a tile by tensor instructions.
bool has_tile(const ImplicitGemm& g, GemmTile tile) {
  if (g.of_bytes && copies_rows(g)) return has_byte_tile(tile);
  return copies_rows(g) ? has_aligned_tile(tile, g.has_pairs() ? 2 : 4) : has_gathered_tile(tile);
}

/// Clocks that a multiprocessor takes to gather a row's part of a step, element by element. Measured on an
/// H200; higher tiles have fewer warps that wait.
double gather_clocks(const ImplicitGemm& g, const cuda::TensorWork& work, GemmTile tile,
                     const cuda::GemmGpu& gpu) {
  if (g.src_channel == 1 && g.channels % copied_elements(g) == 0) return 0;  // by vectors
  const cuda::TensorTile& sizes = cuda::tensor_tile(tile);
  const double each = sizes.rows > 64 ? 95 : 45;
  const auto rows = static_cast<double>(work.rows * work.products * ceil_div(work.columns, sizes.columns));
  return each * rows * static_cast<double>(work.steps) / gpu.multiprocessors;
}

/// With what a convolution knows of each row.
bool holds(const cuda::TensorTile& tile, const cuda::GemmGpu& gpu) {
  constexpr std::size_t kRowBytes = 28, kWindowBytes = 64;
  return cuda::holds_tensor_tile(tile, gpu, static_cast<std::size_t>(tile.rows) * kRowBytes + kWindowBytes);
}

/// As many splits as a grid has blocks for.
cuda::TensorChoice choose_splits(const ImplicitGemm& g, const cuda::TensorWork& work, GemmTile tile,
                                 const cuda::GemmGpu& gpu) {
  const cuda::TensorChoice choice = cuda::choose_tensor_splits(work, tile, gpu);
  if (choice.splits <= kMostParts / work.products) return choice;
  return {tile, 1, g.steps, cuda::tensor_clocks(work, tile, 1, gpu)};
}

void set_phases(ImplicitGemm* g) {
  std::int64_t runs = 1;
  for (int d = 0; d < 3; ++d) {
    g->phases[d] = g->transposed ? std::min(g->stride[d], g->output[d]) : 1;
    g->grid[d] = ceil_div(g->output[d], g->phases[d]);
    int most = 0;
    for (int phase = 0; phase < g->phases[d]; ++phase) most = std::max(most, phase_window(*g, d, phase).taps);
    runs *= most;
  }
  if (g->row_runs) runs = static_cast<std::int64_t>(g->row_planes()) * g->kernel[1];
  g->steps = static_cast<int>(ceil_div(runs * g->padded_run, g->step_depth()));
}

}  // namespace

const char* implicit_gemm_rejects(const DeviceConv& conv) {
  std::int64_t parts = conv.groups;
  for (int d = 0; d < 3 && conv.transposed; ++d) parts *= std::min(conv.stride[d], conv.output[d]);
  if (parts > kMostParts || ceil_div(conv.filters, 32) > kMostParts)
    return "it has more than 65535 groups and phases";
  return nullptr;
}

namespace {

void set_depth(ImplicitGemm* g) {
  set_runs(g);
  set_phases(g);
  g->packed_filters = round_up(g->filters, 4);
  g->patches = has_patches(*g);
  set_tiles(g, GemmTile::tile_64x64, 1);
}

}  // namespace

ImplicitGemm implicit_gemm(const DeviceConv& conv, Precision precision) {
  ImplicitGemm g{conv};
  g.precision = conv.type == FloatType::float16    ? Precision::float16
                : conv.type == FloatType::bfloat16 ? Precision::bfloat16
                                                   : precision;
  set_depth(&g);
  return g;
}

ImplicitGemm implicit_gemm_of_bytes(const DeviceConv& conv) {
  ImplicitGemm g{conv};
  // Tiles are measured with 16-bit floats: 128 bytes of bytes take as long.
  g.type = FloatType::float16;
  g.precision = Precision::float16;
  g.of_bytes = true;
  set_depth(&g);
  return g;
}

void set_tiles(ImplicitGemm* gemm, GemmTile tile, int splits) {
  gemm->tile = tile;
  gemm->steps_per_split = std::max(1, ceil_div(gemm->steps, splits));
  gemm->splits = std::max(1, ceil_div(gemm->steps, gemm->steps_per_split));
}

double estimated_products(const ImplicitGemm& gemm, int multiprocessors) {
  for (const TileCost& tile : kTiles) {
    if (tile.tile == gemm.tile) return cost(gemm, tile, gemm.splits, multiprocessors);
  }
  return std::numeric_limits<double>::infinity();
}

void choose_tiles(ImplicitGemm* gemm, int multiprocessors) {
  GemmTile best = GemmTile::tile_64x64;
  int best_splits = 1;
  double least = std::numeric_limits<double>::infinity();
  const auto most_blocks = static_cast<int>(kMostParts) / (gemm->groups * gemm->all_phases());
  for (const TileCost& tile : kTiles) {
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

namespace {

cuda::TensorWork tensor_work(const ImplicitGemm& g) {
  cuda::TensorWork work;
  work.rows = g.batch * g.phase_positions();
  work.columns = g.filters;
  work.products = static_cast<std::int64_t>(g.groups) * g.all_phases();
  work.steps = g.steps;
  work.element_bytes = g.of_bytes ? 1 : static_cast<std::int64_t>(bytes_of(g.type));
  work.has_residual = g.epilogue.post_ops.residual;
  const int strides = g.transposed ? g.taps() : g.stride[0] * g.stride[1] * g.stride[2];
  work.row_reuse = std::max(1.0, static_cast<double>(g.taps()) / strides);
  return work;
}

}  // namespace

double patch_clocks(const ImplicitGemm& g, const cuda::GemmGpu& gpu) {
  cuda::TensorWork work = tensor_work(g);
  constexpr int kSide = ImplicitGemm::kPatchSide;
  work.rows = std::int64_t{g.batch} * round_up(g.output[1], kSide) * round_up(g.output[2], kSide);
  return cuda::tensor_clocks(work, g.filters <= 32 ? GemmTile::tile_64x32 : GemmTile::tile_64x64, 1, gpu);
}

std::vector<cuda::TensorChoice> tensor_choices(const ImplicitGemm& g, const cuda::GemmGpu& gpu) {
  const cuda::TensorWork work = tensor_work(g);
  std::vector<cuda::TensorChoice> choices;
  for (const cuda::TensorTile& tile : cuda::kTensorTiles) {
    if (!has_tile(g, tile.tile) || !holds(tile, gpu)) continue;
    choices.push_back(choose_splits(g, work, tile.tile, gpu));
    choices.back().clocks += gather_clocks(g, work, tile.tile, gpu);
  }
  if (choices.empty()) choices.push_back(choose_splits(g, work, GemmTile::tile_64x32, gpu));
  return choices;
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
