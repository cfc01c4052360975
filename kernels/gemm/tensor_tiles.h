// The tiles of products by tensor instructions on a GPU, for convolutions and matrix products alike, and an
// estimate of what each takes. A block computes a tile of rows x columns sums. It brings its operands into
// shared memory by asynchronous copies, 128 bytes of each row at a step, several steps ahead.
//
//   TensorWork work{.rows = 4096, .columns = 768, .steps = 12, .element_bytes = 2};
//   const TensorChoice best = choose_tensor_tile(work, gpu);                // a tile, and pieces of the depth
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm/gemm_tile.h"

namespace mxinfer::kernels::cuda {

/// What the choice of kernels depends on of a GPU.
struct GemmGpu {
  int multiprocessors = 1;
  std::size_t shared_bytes = 0;  ///< the shared memory that one block may have, nearly a multiprocessor's
  int major = 9, minor = 0;      ///< its compute capability
};

/// Measured on an H200: clocks of a step of one block on a multiprocessor that is full of them, and alone.
struct StepClocks {
  double full, lone;
};

struct TensorTile {
  GemmTile tile;
  bool by_groups;  ///< by wgmma: a warp has 16 rows, and all columns
  int rows, columns;
  int stages;  ///< steps of operands in shared memory
  int warps_down, warps_across;
  int blocks;  ///< that a multiprocessor has registers for
  StepClocks halves, tf32;

  constexpr int threads() const { return 32 * warps_down * warps_across; }
};

inline constexpr TensorTile kTensorTiles[] = {
    {GemmTile::tile_128x256, false, 128, 256, 3, 2, 4, 1, {2600, 2600}, {2530, 2530}},
    {GemmTile::tile_128x128, false, 128, 128, 2, 2, 4, 2, {1390, 1670}, {1230, 1230}},
    {GemmTile::tile_128x64, false, 128, 64, 3, 4, 1, 3, {860, 1230}, {790, 1110}},
    {GemmTile::tile_64x128, false, 64, 128, 3, 2, 2, 3, {760, 1200}, {730, 1140}},
    {GemmTile::tile_64x64, false, 64, 64, 4, 2, 2, 3, {490, 960}, {470, 850}},
    {GemmTile::tile_64x32, false, 64, 32, 4, 4, 1, 4, {320, 860}, {310, 860}},
    {GemmTile::group_128x256, true, 128, 256, 4, 8, 1, 1, {1640, 1640}, {1760, 1760}},
    {GemmTile::group_128x128, true, 128, 128, 3, 8, 1, 2, {840, 1000}, {930, 1280}},
    {GemmTile::group_128x64, true, 128, 64, 2, 8, 1, 3, {640, 1140}, {920, 1180}},
    {GemmTile::group_64x128, true, 64, 128, 3, 4, 1, 3, {430, 990}, {600, 890}},
    {GemmTile::group_64x64, true, 64, 64, 3, 4, 1, 4, {330, 760}, {300, 840}},
};

constexpr const TensorTile& tensor_tile(GemmTile tile) {
  for (const TensorTile& one : kTensorTiles) {
    if (one.tile == tile) return one;
  }
  return kTensorTiles[4];
}

/// Whether sums, with elements of so many bytes, fit into registers.
constexpr bool fits_registers(GemmTile tile, std::size_t element_bytes) {
  return tile != GemmTile::tile_128x128 || element_bytes == 2;
}

/// Bytes of a row in a step.
inline constexpr int kTensorRowBytes = 128;

/// Bytes of shared memory of a block: its operands, or its sums, which take their place.
constexpr std::size_t tensor_shared_bytes(const TensorTile& t) {
  const int operands = t.stages * (t.rows + t.columns) * kTensorRowBytes;
  const int sums = t.rows * (t.columns + 8) * 4;
  return static_cast<std::size_t>(operands > sums ? operands : sums);
}

/// A stack of products of the same sizes.
struct TensorWork {
  std::int64_t rows = 0, columns = 0;
  std::int64_t products = 1;       ///< matrices; groups and phases of a convolution
  std::int64_t steps = 0;          ///< of the depth
  std::int64_t element_bytes = 2;  ///< of operands and results: 4 of tf32
  double row_reuse = 1;            ///< how often a convolution reads an element of its input
  bool has_residual = false;
};

struct TensorChoice {
  GemmTile tile = GemmTile::tile_64x64;
  int splits = 1;
  std::int64_t steps_per_split = 0;
  double clocks = 0;  ///< estimated, of a multiprocessor
};

/// The number of pieces of the depth with which a tile takes least time.
TensorChoice choose_tensor_splits(const TensorWork& work, GemmTile tile, const GemmGpu& gpu);

/// The tile of least time.
TensorChoice choose_tensor_tile(const TensorWork& work, const GemmGpu& gpu);

/// The time of a tile, with the depth in so many pieces.
double tensor_clocks(const TensorWork& work, GemmTile tile, int splits, const GemmGpu& gpu);

/// Whether the GPU has the instructions, and a block of it may have the shared memory and so much more.
constexpr bool holds_tensor_tile(const TensorTile& tile, const GemmGpu& gpu, std::size_t more_bytes = 0) {
  return (!tile.by_groups || gpu.major == 9) && tensor_shared_bytes(tile) + more_bytes <= gpu.shared_bytes;
}

}  // namespace mxinfer::kernels::cuda
