// What the kernels of an implicit GEMM share: where the rows of a tile are in src. For .cu files.
#pragma once

#include "kernels/common/divide.h"
#include "kernels/conv/conv_epilogue_device.h"
#include "kernels/conv/conv_vectors.h"
#include "kernels/conv/implicit_gemm/implicit_gemm.h"

namespace mxinfer::kernels::cuda {

/// The blocks of a launch: by rows of a phase, by filters, and by block_part().
inline dim3 tile_grid(const ImplicitGemm& g, int rows, int tile_rows, int tile_columns) {
  return {static_cast<unsigned>(ceil_div(rows, tile_rows)),
          static_cast<unsigned>(ceil_div(g.filters, tile_columns)),
          static_cast<unsigned>(g.groups * g.all_phases() * g.splits)};
}

/// The phase, group and range of the sum of a block, by blockIdx.z.
struct BlockPart {
  int split, phase, group;
  int first_step, steps;  ///< of the range
};
__device__ __forceinline__ BlockPart block_part(const ImplicitGemm& g) {
  const int z = static_cast<int>(blockIdx.z), phases = g.all_phases();
  const int split = z % g.splits, first_step = split * g.steps_per_split, left = g.steps - first_step;
  return {split, z / g.splits % phases, z / g.splits / phases, first_step,
          left < g.steps_per_split ? left : g.steps_per_split};
}

/// What the rows of a block see of src. In shared memory: it is read when a tap ends, and would cost
/// registers.
struct Window {
  int phase[3], taps[3], origin[3], move[3];
};

/// The calling thread of the first three sets a dimension.
__device__ __forceinline__ void set_window(const ImplicitGemm& g, int phase, Window* window) {
  const int d = static_cast<int>(threadIdx.x);
  if (d >= 3) return;
  const int at = d == 0   ? phase / (g.phases[1] * g.phases[2])
                 : d == 1 ? phase / g.phases[2] % g.phases[1]
                          : phase % g.phases[2];
  const PhaseWindow w = phase_window(g, d, at);
  window->phase[d] = at;
  window->taps[d] = w.taps;
  window->origin[d] = w.origin;
  window->move[d] = w.move;
  if (g.row_runs && d != 1) window->taps[d] = d == 0 ? g.row_planes() : 1;
}

/// A row of the GEMM as a position of the grid of its phase.
struct RowPosition {
  int image, at[3];
};
__device__ __forceinline__ RowPosition row_position(const ImplicitGemm& g, int row) {
  const auto plane = static_cast<unsigned>(g.grid[1] * g.grid[2]);
  const auto all = static_cast<unsigned>(g.grid[0]) * plane;
  const auto r = static_cast<unsigned>(row);
  const unsigned image = r / all, in_image = r - image * all;
  const unsigned d = in_image / plane, in_plane = in_image - d * plane;
  const unsigned h = in_plane / static_cast<unsigned>(g.grid[2]);
  return {static_cast<int>(image),
          {static_cast<int>(d), static_cast<int>(h),
           static_cast<int>(in_plane - h * static_cast<unsigned>(g.grid[2]))}};
}

/// The image of a row, and the input of its first tap, which may lie outside. In shared memory, as the
/// window.
struct RowCorner {
  int image, at[3];
};
constexpr int kNowhere = -(1 << 30);  ///< the corner of a row behind the last
__device__ __forceinline__ RowCorner row_corner(const ImplicitGemm& g, const Window& w, int row, int rows) {
  if (row >= rows) return {0, {kNowhere, kNowhere, kNowhere}};
  const RowPosition position = row_position(g, row);
  RowCorner corner{position.image, {}};
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    const int advance = g.transposed ? 1 : g.stride[d];
    corner.at[d] = position.at[d] * advance + w.origin[d];
  }
  return corner;
}

/// The window of a block's phase, and the corners of its rows, by all of its threads.
template <int ROWS>
__device__ __forceinline__ void find_rows(const ImplicitGemm& g, int phase, int first_row, int rows,
                                          Window* window, RowCorner (&corners)[ROWS]) {
  set_window(g, phase, window);
  __syncthreads();
  const int row = static_cast<int>(threadIdx.x);
  if (row < ROWS) corners[row] = row_corner(g, *window, first_row + row, rows);
  __syncthreads();
}

/// An element of the sum: its place in a run, which is a channel of the group, and a tap of the phase. Of
/// row_runs tap[0] is the plane.
struct SumElement {
  int channel, tap[3];
  bool is_padding;  ///< behind the last run

  __device__ __forceinline__ void set(const ImplicitGemm& g, const Window& w, int k) {
    int t = k / g.padded_run;
    channel = k - t * g.padded_run;
    is_padding = t >= w.taps[0] * w.taps[1] * w.taps[2];
    if (is_padding) t = 0;
    tap[0] = t / (w.taps[1] * w.taps[2] > 0 ? w.taps[1] * w.taps[2] : 1);
    t -= tap[0] * w.taps[1] * w.taps[2];
    tap[1] = t / (w.taps[2] > 0 ? w.taps[2] : 1);
    tap[2] = t - tap[1] * w.taps[2];
  }

  /// `count` elements further; whether that is another tap.
  __device__ __forceinline__ bool advance(const ImplicitGemm& g, const Window& w, int count) {
    channel += count;
    if (channel < g.padded_run) return false;
    while (channel >= g.padded_run) {
      channel -= g.padded_run;
      if (++tap[2] < w.taps[2]) continue;
      tap[2] = 0;
      if (++tap[1] < w.taps[1]) continue;
      tap[1] = 0;
      if (++tap[0] >= w.taps[0]) is_padding = true;
    }
    return true;
  }
};

__device__ __forceinline__ bool is_inside(const ImplicitGemm& g, int d, int h, int x) {
  return static_cast<unsigned>(d) < static_cast<unsigned>(g.input[0]) &&
         static_cast<unsigned>(h) < static_cast<unsigned>(g.input[1]) &&
         static_cast<unsigned>(x) < static_cast<unsigned>(g.input[2]);
}

/// Where channel 0 of the group is for a tap of a row: in src, or in the border if it lies outside. Null:
/// zeros. `step` gets the elements from one channel to the next.
template <typename T>
__device__ __forceinline__ const T* tap_address(const ImplicitGemm& g, const Window& w,
                                                const RowCorner& corner, const SumElement& k, int group,
                                                int* step) {
  if (k.is_padding) return nullptr;
  const int d = corner.at[0] + k.tap[0] * w.move[0];
  const int h = corner.at[1] + k.tap[1] * w.move[1];
  const int x = corner.at[2] + k.tap[2] * w.move[2];
  if (!is_inside(g, d, h, x)) {
    *step = 1;
    return g.border != nullptr ? static_cast<const T*>(g.border) + group * g.channels : nullptr;
  }
  *step = g.src_channel;
  return static_cast<const T*>(g.src) + corner.image * g.src_image +
         static_cast<std::int64_t>(group) * g.channels * g.src_channel +
         static_cast<std::int64_t>((d * g.input[1] + h) * g.input[2] + x) * g.src_position;
}

/// A position of the output, counted through all images, of a row of a phase; -1 if there is none: phases
/// differ by a position in each dimension.
__device__ __forceinline__ std::int64_t output_position(const ImplicitGemm& g, const Window& w, int row) {
  if (!g.transposed) return row;
  const RowPosition position = row_position(g, row);
  int at[3];
#pragma unroll
  for (int d = 0; d < 3; ++d) {
    at[d] = w.phase[d] + position.at[d] * g.stride[d];
    if (at[d] >= g.output[d]) return -1;
  }
  return position.image * g.epilogue.positions + (at[0] * g.output[1] + at[1]) * g.output[2] + at[2];
}

}  // namespace mxinfer::kernels::cuda
