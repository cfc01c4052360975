// The choice of a kernel and of the pieces of the depth, by a model of the time on a GPU.
#include <algorithm>
#include <array>
#include <limits>

#include "kernels/common/divide.h"
#include "kernels/gemm/gemm_cuda.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr std::int64_t kVectorRows = 4;  ///< the most rows of the matrix-vector kernels

struct TileShape {
  GemmKernel kernel;
  std::int64_t rows, columns;
  int by_registers;     ///< blocks that a multiprocessor has registers for
  std::size_t shared;   ///< bytes of a block
  double multiply_add;  ///< per clock of a multiprocessor that holds them all
  double step_clocks;   ///< the least for one element of the depth: latency, if few blocks share it
};

// Registers are those of 9.0, which needs most (docs/reference/cuda-kernels.md has them all).
constexpr std::array<TileShape, 3> kTiles{{{GemmKernel::tile_32, 32, 64, 5, 19968, 64.0, 12.0},
                                           {GemmKernel::tile_64, 64, 64, 4, 26112, 85.0, 14.0},
                                           {GemmKernel::tile_128, 128, 128, 1, 25344, 100.0, 90.0}}};
constexpr std::size_t kReserved = 1024;  ///< shared memory that the driver adds to a block

constexpr double kBlockClocks = 3000;    ///< to start a block and to fill its pipeline
constexpr double kKernelClocks = 5000;   ///< of a second kernel
constexpr double kBytesPerClock = 16.0;  ///< of memory, of a multiprocessor
constexpr double kSplitMargin = 1.15;    ///< what pieces must promise to be worth their memory
constexpr std::int64_t kLeastSplitDepth = 128;
constexpr int kMostSplits = 32;

/// Blocks that a multiprocessor holds at a time.
std::int64_t resident_blocks(const TileShape& tile, const GemmGpu& gpu) {
  const auto by_shared = static_cast<std::int64_t>(gpu.shared_bytes / (tile.shared + kReserved));
  return std::clamp<std::int64_t>(by_shared, 1, tile.by_registers);
}

double clocks(const GemmArgs& args, const TileShape& tile, std::int64_t split_depth, std::int64_t splits,
              const GemmGpu& gpu) {
  const std::int64_t blocks =
      ceil_div(args.rows, tile.rows) * ceil_div(args.columns, tile.columns) * args.matrices() * splits;
  // Those of the multiprocessor that has the most.
  const std::int64_t blocks_of_one = ceil_div(blocks, gpu.multiprocessors);
  const auto depth = static_cast<double>(split_depth);
  const double work = static_cast<double>(tile.rows * tile.columns) / tile.multiply_add;
  const auto waves = static_cast<double>(ceil_div(blocks_of_one, resident_blocks(tile, gpu)));
  const double time =
      std::max(static_cast<double>(blocks_of_one) * work * depth, waves * tile.step_clocks * depth) +
      waves * kBlockClocks;
  if (splits == 1) return time;
  const double bytes =
      4.0 * static_cast<double>(args.rows * args.columns * args.matrices()) * static_cast<double>(2 * splits);
  return kSplitMargin * (time + kKernelClocks + bytes / (kBytesPerClock * gpu.multiprocessors));
}

struct Choice {
  GemmKernel kernel = GemmKernel::tile_64;
  int splits = 1;
  std::int64_t split_depth = 0;
  double clocks = std::numeric_limits<double>::infinity();
};

void consider(const GemmArgs& args, const TileShape& tile, const GemmGpu& gpu, Choice& best) {
  constexpr std::int64_t kStep = 32;  // pieces begin at multiples of every tile's step
  for (int splits = 1; splits <= kMostSplits; splits *= 2) {
    const std::int64_t split_depth =
        ceil_div(ceil_div(std::max<std::int64_t>(args.depth, 1), splits), kStep) * kStep;
    if (splits > 1 && split_depth < kLeastSplitDepth) break;
    const auto pieces = static_cast<int>(ceil_div(std::max<std::int64_t>(args.depth, 1), split_depth));
    const double time = clocks(args, tile, split_depth, pieces, gpu);
    if (time < best.clocks) best = {tile.kernel, pieces, split_depth, time};
  }
}

// ---- Tiles by tensor instructions.

/// Operands whose rows lie innermost, and those that are rounded, have fewer tiles.
bool has_tensor_tile(const GemmArgs& args, GemmTile tile) {
  const bool are_rounded = args.type == FloatType::float32 && args.precision != Precision::tf32;
  if (are_rounded) return tile == GemmTile::tile_64x64;
  const auto [a, b] = directions_of(args);
  if (a == Along::rows) return tile == GemmTile::tile_64x64;
  if (b == Along::rows) return tile == GemmTile::tile_64x128 || tile == GemmTile::tile_64x64;
  return fits_registers(tile, args.multiplied() == Precision::tf32 ? 4 : 2);
}

GemmPlan tensor_plan(const GemmArgs& args, GemmTile tile, const GemmGpu& gpu) {
  const std::int64_t step_depth = kTensorRowBytes / (args.multiplied() == Precision::tf32 ? 4 : 2);
  TensorWork work;
  work.rows = args.rows;
  work.columns = args.columns;
  work.products = args.matrices();
  work.steps = ceil_div(args.depth, step_depth);
  work.element_bytes = static_cast<std::int64_t>(bytes_of(args.type));
  work.has_residual = args.post_ops.residual;
  const TensorChoice choice = choose_tensor_splits(work, tile, gpu);
  GemmPlan plan;
  plan.kernel = GemmKernel::tensor_tile;
  plan.tile = tile;
  plan.splits = choice.splits;
  plan.split_depth = choice.steps_per_split * step_depth;
  plan.clocks = choice.clocks;
  return plan;
}

std::vector<GemmPlan> tensor_plans(const GemmArgs& args, const GemmGpu& gpu) {
  std::vector<GemmPlan> plans;
  for (const TensorTile& tile : kTensorTiles) {
    if (has_tensor_tile(args, tile.tile) && holds_tensor_tile(tile, gpu))
      plans.push_back(tensor_plan(args, tile.tile, gpu));
  }
  if (plans.empty()) plans.push_back(tensor_plan(args, GemmTile::tile_64x64, gpu));
  return plans;
}

void choose_tile(const GemmArgs& args, const GemmGpu& gpu, GemmPlan& plan) {
  Choice best;
  for (const TileShape& tile : kTiles) consider(args, tile, gpu, best);
  plan.kernel = best.kernel;
  plan.splits = best.splits;
  plan.split_depth = best.split_depth;
  plan.clocks = best.clocks;
}

/// `vectors`: rows of the side that has few of them; `columns`: of the other, whose strides `matrix` has.
void choose_vector(const GemmArgs& args, const GemmSide& matrix, std::int64_t columns, int multiprocessors,
                   GemmPlan& plan) {
  plan.split_depth = std::max<std::int64_t>(args.depth, 1);
  constexpr std::int64_t kWarpsOfBlock = 8, kBlocksOfOne = 4;
  const std::int64_t warps = columns * args.matrices();
  if (matrix.depth == 1) {
    plan.kernel = GemmKernel::vector_depth;
    plan.block_per_column = args.depth >= 1024 && warps < multiprocessors * kWarpsOfBlock * kBlocksOfOne;
    return;
  }
  plan.kernel = GemmKernel::vector_rows;
  const std::int64_t blocks = ceil_div(columns, 32) * args.matrices();
  int splits = 1;
  while (splits < kMostSplits && blocks * splits < std::int64_t{2} * multiprocessors &&
         args.depth / (2 * splits) >= kLeastSplitDepth)
    splits *= 2;
  plan.split_depth = ceil_div(plan.split_depth, splits);
  plan.splits = static_cast<int>(ceil_div(std::max<std::int64_t>(args.depth, 1), plan.split_depth));
}

GemmPlan without_tensor_tiles(const GemmArgs& args, const GemmGpu& gpu) {
  GemmPlan plan;
  plan.swapped = args.columns <= kVectorRows && args.columns < args.rows;
  if (plan.swapped) {
    choose_vector(args, args.a, args.rows, gpu.multiprocessors, plan);
  } else if (args.rows <= kVectorRows) {
    choose_vector(args, args.b, args.columns, gpu.multiprocessors, plan);
  } else {
    choose_tile(args, gpu, plan);
  }
  return plan;
}

}  // namespace

std::vector<GemmPlan> gemm_plans(const GemmArgs& args, const GemmGpu& gpu) {
  std::vector<GemmPlan> plans;
  if (std::min(args.rows, args.columns) > kVectorRows && args.multiplied() != Precision::float32) {
    plans = tensor_plans(args, gpu);
  } else {
    plans.push_back(without_tensor_tiles(args, gpu));
  }
  for (GemmPlan& plan : plans) {
    if (plan.splits == 1) continue;
    plan.scratch_bytes =
        static_cast<std::size_t>(plan.splits * args.matrices() * args.rows * args.columns) * sizeof(float);
  }
  return plans;
}

GemmPlan plan_gemm(const GemmArgs& args, const GemmGpu& gpu) {
  const std::vector<GemmPlan> plans = gemm_plans(args, gpu);
  return *std::min_element(plans.begin(), plans.end(),
                           [](const GemmPlan& a, const GemmPlan& b) { return a.clocks < b.clocks; });
}

std::string name_of(const GemmPlan& plan, const GemmArgs& args) {
  switch (plan.kernel) {
    case GemmKernel::vector_depth:
      return std::string("gemm_vector_depth_") + short_name(args.type);
    case GemmKernel::vector_rows:
      return std::string("gemm_vector_rows_") + short_name(args.type);
    case GemmKernel::tile_32:
      return "gemm_tile_32_f32";
    case GemmKernel::tile_64:
      return "gemm_tile_64_f32";
    case GemmKernel::tile_128:
      return "gemm_tile_128_f32";
    case GemmKernel::tensor_tile:
      break;
  }
  return std::string("gemm_tensor_") + size_of(plan.tile) + "_" + short_name(args.multiplied());
}

}  // namespace mxinfer::kernels::cuda
