// The time of a tile, by measurements on an H200 and the figures of other GPUs.
#include "kernels/gemm/tensor_tiles.h"

#include <algorithm>
#include <limits>

#include "kernels/common/divide.h"

namespace mxinfer::kernels::cuda {
namespace {

constexpr double kTileClocks = 800;     ///< to start a block, and to store what it has
constexpr double kKernelClocks = 5000;  ///< of a second kernel, which waits for the first
constexpr double kSplitMargin = 1.05;   ///< what pieces must promise to be worth their memory
constexpr double kOverlap = 0.5;  ///< the part of the shorter one of products and memory that is not hidden
constexpr std::int64_t kLeastSteps = 3;  ///< of a piece
constexpr int kMostPieces = 32;
constexpr std::size_t kDriverBytes = 1024;  ///< shared memory that the driver adds to a block

/// Per clock of a multiprocessor: products of 16-bit floats, and bytes of memory.
struct Throughput {
  double products, bytes;
};
Throughput throughput_of(const GemmGpu& gpu) {
  if (gpu.major == 7) return {512, 5.0};  // T4
  if (gpu.major == 8)
    return gpu.minor == 0   ? Throughput{1024, 9.5}  // A100
           : gpu.minor == 9 ? Throughput{512, 2.5}   // L4
                            : Throughput{512, 4.9};  // A10
  return {2048, 16.0};                               // H100, H200
}

std::int64_t resident_blocks(const TensorTile& tile, const GemmGpu& gpu) {
  const auto by_shared =
      static_cast<std::int64_t>(gpu.shared_bytes / (tensor_shared_bytes(tile) + kDriverBytes));
  return std::clamp<std::int64_t>(by_shared, 1, tile.blocks);
}

/// The part of the memory's bandwidth that a multiprocessor reaches: while a block stores its results, only
/// others read operands.
double reached_bandwidth(std::int64_t resident) {
  return resident == 1 ? 0.5 : resident == 2 ? 0.75 : 0.85;
}

/// Clocks of a step of a block on a full multiprocessor: none multiplies faster than its instructions.
double step_clocks(const TensorTile& tile, const StepClocks& measured, const Throughput& throughput) {
  constexpr double kReached = 0.8;  // of the peak
  constexpr double kStepDepth = 64;
  return std::max(measured.full, tile.rows * tile.columns * kStepDepth / (kReached * throughput.products));
}

/// The same of so many blocks that share the multiprocessor.
double wave_clocks(const TensorTile& tile, const StepClocks& measured, const Throughput& throughput,
                   std::int64_t blocks) {
  if (blocks == 0) return 0;
  return std::max(static_cast<double>(blocks) * step_clocks(tile, measured, throughput), measured.lone);
}

/// Bytes that a block moves from and to memory: rows of the left operand are read once by the blocks of a row
/// of tiles, which follow each other; what the right operand has stays in the cache.
double tile_bytes(const TensorWork& work, const TensorTile& tile, std::int64_t steps) {
  const auto across = static_cast<double>(ceil_div(work.columns, tile.columns));
  const double rows = static_cast<double>(std::min<std::int64_t>(tile.rows, work.rows));
  const double columns = static_cast<double>(std::min<std::int64_t>(tile.columns, work.columns));
  const double left = rows * static_cast<double>(steps) * kTensorRowBytes / work.row_reuse / across;
  const double results = rows * columns * static_cast<double>(work.element_bytes);
  return left + results * (work.has_residual ? 2 : 1);
}

}  // namespace

double tensor_clocks(const TensorWork& work, GemmTile kind, int splits, const GemmGpu& gpu) {
  const TensorTile& tile = tensor_tile(kind);
  const Throughput throughput = throughput_of(gpu);
  const std::int64_t steps = ceil_div(std::max<std::int64_t>(work.steps, 1), splits);
  const std::int64_t blocks =
      ceil_div(work.rows, tile.rows) * ceil_div(work.columns, tile.columns) * work.products * splits;
  // Those of the multiprocessor that has the most.
  const std::int64_t of_one = ceil_div(blocks, gpu.multiprocessors), resident = resident_blocks(tile, gpu);
  const auto blocks_of_one = static_cast<double>(of_one);
  const std::int64_t full_waves = of_one / resident;
  const StepClocks& measured = work.element_bytes == 4 ? tile.tf32 : tile.halves;
  const double waves = static_cast<double>(full_waves) * wave_clocks(tile, measured, throughput, resident) +
                       wave_clocks(tile, measured, throughput, of_one % resident);
  const double products = static_cast<double>(steps) * waves;
  const double memory =
      blocks_of_one * tile_bytes(work, tile, steps) / (throughput.bytes * reached_bandwidth(resident));
  const double time =
      std::max(products, memory) + kOverlap * std::min(products, memory) + blocks_of_one * kTileClocks;
  if (splits == 1) return time;
  const double sums = 4.0 * static_cast<double>(work.rows * work.columns * work.products) * (2 * splits + 1);
  return kSplitMargin * (time + kKernelClocks + sums / (throughput.bytes * gpu.multiprocessors));
}

TensorChoice choose_tensor_splits(const TensorWork& work, GemmTile tile, const GemmGpu& gpu) {
  TensorChoice best{.tile = tile, .clocks = std::numeric_limits<double>::infinity()};
  const std::int64_t all = std::max<std::int64_t>(work.steps, 1);
  for (int splits = 1; splits <= kMostPieces; ++splits) {
    const std::int64_t steps = ceil_div(all, splits);
    if (splits > 1 && (steps < kLeastSteps || ceil_div(all, steps) != splits)) continue;
    const double clocks = tensor_clocks(work, tile, splits, gpu);
    if (clocks < best.clocks) best = {tile, splits, steps, clocks};
  }
  return best;
}

TensorChoice choose_tensor_tile(const TensorWork& work, const GemmGpu& gpu) {
  TensorChoice best{.clocks = std::numeric_limits<double>::infinity()};
  for (const TensorTile& tile : kTensorTiles) {
    if (!holds_tensor_tile(tile, gpu)) continue;
    const TensorChoice choice = choose_tensor_splits(work, tile.tile, gpu);
    if (choice.clocks < best.clocks) best = choice;
  }
  return best;
}

}  // namespace mxinfer::kernels::cuda
