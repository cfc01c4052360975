// Convolutions and transposed convolutions as one GEMM on a GPU, whose rows are gathered while they are read:
// a row is a position of the output, its elements are what the filter sees there.
//
//   ImplicitGemm gemm = implicit_gemm(device_conv(problem, Direction::forward, SrcLayout::nhwc));
//   choose_tiles(&gemm, multiprocessors);
//   pack_implicit_gemm(gemm, weight, packed);                            // packed_words(gemm)
//   gemm.src = ...;                                                      // device addresses
//   cuda::implicit_gemm_conv(gemm, stream);
//
// A transposed convolution of stride s is s convolutions in each dimension: the outputs whose position has
// one remainder by s are reached by the same taps. Those are its phases, and each has its own weights.
//
// The sum over channels and taps may be cut into `splits` ranges, which are blocks of their own; the last
// block of a tile, or a second kernel, adds their results. Sizes and the device alone decide how: results do
// not depend on anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/common/precision.h"
#include "kernels/conv/device_conv.h"
#include "kernels/gemm/tensor_tiles.h"

namespace mxinfer::kernels {

struct ImplicitGemm : DeviceConv {
  float* partial = nullptr;  ///< partial_bytes(), if the sum is split
  /// counter_bytes(), if they are not 0: zeros before a launch and behind it. Null: a second kernel adds.
  unsigned* counters = nullptr;
  int phases[3]{1, 1, 1};  ///< in each dimension
  int grid[3]{};           ///< positions of the largest phase
  int steps = 0;           ///< of the largest phase, of step_depth() each
  int packed_filters = 0;  ///< filters, rounded up to whole vectors

  GemmTile tile = GemmTile::tile_64x64;
  int splits = 1;
  int steps_per_split = 0;

  /// What operands are rounded to; those that are not float32 are multiplied by tensor instructions. Of
  /// 16-bit floats their own.
  Precision precision = Precision::float32;
  /// Operands are bytes, whatever `type` and `precision` are, and sums 32-bit integers: kernels/int8.
  bool of_bytes = false;

  /// The sum is made of runs: the channels of a tap or, by tensor instructions of few channels, what a row of
  /// a filter sees, which lies side by side in src. By tensor instructions they are padded to whole 16 bytes.
  bool row_runs = false;
  int run = 0, padded_run = 0;

  /// The kernel of patches computes it: blocks read what they see of src once. It has no tiles and no splits.
  /// implicit_gemm() sets it if that kernel can; tiles can, too, without it.
  bool patches = false;

  /// Positions along a side of a patch; what there is room for of elements of src, in all copies of a patch,
  /// and of the sum.
  static constexpr int kPatchSide = 16, kMostPatchDepth = 176;
  static constexpr int most_patch(bool has_pairs) { return has_pairs ? 6912 : 5120; }
  /// Elements of operands in 16 bytes.
  constexpr int patch_vector() const { return has_pairs() ? 8 : 4; }
  /// Of row_runs: lines of a plane that a patch sees, elements from a line to the next (with those before the
  /// first one that is seen, so that lines are whole vectors), and 16 bytes of the sum.
  constexpr int patch_lines() const { return (kPatchSide - 1) * stride[1] + kernel[1]; }
  constexpr int patch_pitch() const {
    const int elements = (kPatchSide - 1) * stride[2] * row_step() + padded_run, vector = patch_vector();
    return (vector - 1 + elements + vector - 1) / vector * vector;
  }
  constexpr int patch_chunks() const { return row_planes() * kernel[1] * padded_run / patch_vector(); }
  /// Of 16-bit elements, every second position may begin within a word; those are read from a second copy.
  constexpr int patch_copies() const { return has_pairs() && row_step() * stride[2] % 2 != 0 ? 2 : 1; }

  /// Elements of the sum in a step: 32 bytes or, by tensor instructions, 128.
  constexpr int step_depth() const {
    if (of_bytes) return 128;
    switch (precision) {
      case Precision::float32:
        return 8;
      case Precision::tf32:
        return 32;
      default:
        return 64;
    }
  }
  /// Of row_runs: the planes that src consists of, each with rows of its own, and a pixel's elements in a
  /// run.
  constexpr int row_planes() const { return src_channel == 1 ? 1 : channels; }
  constexpr int row_step() const { return src_channel == 1 ? channels : 1; }
  /// Whether a word of packed weights is two elements.
  constexpr bool has_pairs() const {
    return precision == Precision::float16 || precision == Precision::bfloat16;
  }
  constexpr int all_phases() const { return phases[0] * phases[1] * phases[2]; }
  constexpr std::int64_t phase_positions() const {
    return static_cast<std::int64_t>(grid[0]) * grid[1] * grid[2];
  }
  /// Of the kernel that adds the ranges of a tile itself, in the block that ends last. One of float32.
  constexpr std::size_t counter_bytes() const {
    return splits == 1 || precision != Precision::float32 ? 0 : tile_count() * sizeof(unsigned);
  }
  constexpr bool adds_itself() const { return counters != nullptr && counter_bytes() != 0; }
  constexpr std::size_t tile_count() const {
    const auto rows = static_cast<std::size_t>(batch) * static_cast<std::size_t>(phase_positions());
    return (rows + 31) / 32 * ((static_cast<std::size_t>(filters) + 31) / 32) *
           static_cast<std::size_t>(groups * all_phases());
  }
  std::size_t partial_bytes() const {
    return splits == 1 ? 0
                       : static_cast<std::size_t>(splits) * static_cast<std::size_t>(batch) *
                             static_cast<std::size_t>(epilogue.positions * epilogue.filters) * sizeof(float);
  }
};

/// Without addresses; how weights are packed depends on how the rows of src lie (set_row_strides()).
/// Precondition: implicit_gemm_rejects() is null.
ImplicitGemm implicit_gemm(const DeviceConv& conv, Precision precision = Precision::float32);

/// Of bytes; its weights are packed by kernels/int8.
ImplicitGemm implicit_gemm_of_bytes(const DeviceConv& conv);

/// Why there is no GEMM of so many groups, or null.
const char* implicit_gemm_rejects(const DeviceConv& conv);

/// Sets tile, splits and steps_per_split to what a GPU of so many multiprocessors needs the least time for.
/// Precondition: precision is float32.
void choose_tiles(ImplicitGemm* gemm, int multiprocessors);

/// Whether the kernels by tensor instructions that copy rows of src as they are have a tile for elements of
/// so many bytes: with tf32, what one by wgmma knows of rows would not fit into registers either.
constexpr bool has_aligned_tile(GemmTile tile, std::size_t element_bytes) {
  return cuda::fits_registers(tile, element_bytes) && (tile != GemmTile::group_128x128 || element_bytes == 2);
}
/// The same of those that gather them.
constexpr bool has_gathered_tile(GemmTile tile) {
  return tile == GemmTile::tile_128x64 || tile == GemmTile::tile_64x64 || tile == GemmTile::tile_64x32;
}
/// The same of those that copy rows of bytes.
constexpr bool has_byte_tile(GemmTile tile) {
  return tile == GemmTile::tile_128x128 || has_gathered_tile(tile);
}

/// The estimated time of the kernel of patches, in clocks of a multiprocessor, as TensorChoice::clocks.
/// Precondition: gemm.patches.
double patch_clocks(const ImplicitGemm& gemm, const cuda::GemmGpu& gpu);

/// Each tile that the kernels have by tensor instructions and the GPU has memory for, with the splits of
/// least time. Precondition: precision is not float32.
std::vector<cuda::TensorChoice> tensor_choices(const ImplicitGemm& gemm, const cuda::GemmGpu& gpu);

/// The same for a tile and a number of splits, at least 1: it is lowered to what the sum has steps for.
void set_tiles(ImplicitGemm* gemm, GemmTile tile, int splits);

/// The estimated time: how many multiplications of float32 a multiprocessor has time for. Precondition:
/// precision is float32.
double estimated_products(const ImplicitGemm& gemm, int multiprocessors);

/// What the positions of a phase see of src along a dimension: tap j of position q reads src at
/// q * advance + origin + j * move, with the filter's tap first + j * step.
struct PhaseWindow {
  int taps, first, step, origin, move;
};

/// Of a phase in a dimension.
constexpr PhaseWindow phase_window(const DeviceConv& g, int dimension, int phase) {
  const int kernel = g.kernel[dimension], dilate = g.dilate[dimension], stride = g.stride[dimension];
  const int shifted = phase + g.pad[dimension];
  if (!g.transposed) return {kernel, 0, 1, -g.pad[dimension], dilate};
  // Output phase + stride * q is reached by the taps k for which k * dilate leaves the remainder of
  // `shifted`: the first one of them, and then every one that is a multiple of both further.
  int first = 0;
  while (first < kernel && (shifted - static_cast<std::int64_t>(first) * dilate) % stride != 0) ++first;
  int step = 1;
  while (static_cast<std::int64_t>(step) * dilate % stride != 0) ++step;
  if (first >= kernel) return {0, 0, 1, 0, 0};
  const int taps = (kernel - 1 - first) / step + 1;
  const auto origin = static_cast<int>((shifted - static_cast<std::int64_t>(first) * dilate) / stride);
  return {taps, first, step, origin, static_cast<int>(-static_cast<std::int64_t>(step) * dilate / stride)};
}

/// Whether an int counts the elements of src between the first tap of a row and any other one.
constexpr bool has_near_taps(const DeviceConv& c) {
  std::int64_t elements = 0;
  for (int d = 0; d < 3; ++d)
    elements = elements * c.input[d] + std::int64_t{c.dilate[d]} * (c.kernel[d] - 1);
  return elements * c.src_position < kMostConvElements;
}

/// Where element k of the sum of filter m of a phase is in weights as stored, -1 if it is padding. The order
/// of the sum is runs, then what is in a run.
constexpr std::int64_t stored_weight_of(const ImplicitGemm& g, int group, int phase, int k, int m) {
  if (m >= g.filters) return -1;
  const int at[3] = {phase / (g.phases[1] * g.phases[2]), phase / g.phases[2] % g.phases[1],
                     phase % g.phases[2]};
  const PhaseWindow w[3] = {phase_window(g, 0, at[0]), phase_window(g, 1, at[1]), phase_window(g, 2, at[2])};
  const int tap = k / g.padded_run, in_run = k % g.padded_run;
  if (in_run >= g.run) return -1;
  if (g.row_runs) {
    if (tap >= g.row_planes() * g.kernel[1]) return -1;
    const int of_row[3] = {0, tap % g.kernel[1], in_run / g.row_step()};
    return stored_weight(g, group, tap / g.kernel[1] + in_run % g.row_step(), m, of_row);
  }
  if (tap >= w[0].taps * w[1].taps * w[2].taps) return -1;
  const int j[3] = {tap / (w[1].taps * w[2].taps), tap / w[2].taps % w[1].taps, tap % w[2].taps};
  const int of_kernel[3] = {w[0].first + j[0] * w[0].step, w[1].first + j[1] * w[1].step,
                            w[2].first + j[2] * w[2].step};
  return stored_weight(g, group, in_run, m, of_kernel);
}

/// 32-bit words of packed weights, for each group and phase. Of float32 (steps * step_depth(),
/// packed_filters), a float each. Of others (packed_filters, steps * step_depth()), rounded: a float each of
/// tf32, else two elements each, the first in the lower half. Zero where there is no weight.
constexpr std::int64_t packed_words(const ImplicitGemm& g) {
  const std::int64_t elements =
      static_cast<std::int64_t>(g.groups) * g.all_phases() * g.steps * g.step_depth() * g.packed_filters;
  return g.has_pairs() ? elements / 2 : elements;
}
/// Which stored weight is element i of the packed ones, -1 if it is padding.
constexpr std::int64_t stored_weight_at(const ImplicitGemm& g, std::int64_t i) {
  const int depth = g.steps * g.step_depth();
  const std::int64_t part = i / (static_cast<std::int64_t>(depth) * g.packed_filters);
  const std::int64_t in_part = i - part * depth * g.packed_filters;
  const bool by_filter = g.precision != Precision::float32;
  const int across = by_filter ? depth : g.packed_filters;
  const auto row = static_cast<int>(in_part / across), column = static_cast<int>(in_part % across);
  return stored_weight_of(g, static_cast<int>(part / g.all_phases()), static_cast<int>(part % g.all_phases()),
                          by_filter ? column : row, by_filter ? row : column);
}
/// `weight` is (M, channels / groups, kernel...), of a transposed one (channels, M / groups, kernel...).
void pack_implicit_gemm(const ImplicitGemm& gemm, const float* weight, std::uint32_t* packed);

}  // namespace mxinfer::kernels
