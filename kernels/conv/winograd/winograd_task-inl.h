// What the implementations of Winograd's minimal filtering share: how the work is cut into tasks, and the
// transforms of inputs and outputs. Included by kernels inside Highway's foreach_target loop.
//
//   const WinogradCut c = WinogradCutOf<WinogradPoints4>(s);
//   TransformInput<WinogradPoints4>(args, c, zeros, c.tiles.place(tile), points);
#if defined(MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_TASK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_TASK_INL_H_
#undef MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_TASK_INL_H_
#else
#define MXINFER_KERNELS_CONV_WINOGRAD_WINOGRAD_TASK_INL_H_
#endif

#include <algorithm>

#include "kernels/common/panel_sums-inl.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_panels-inl.h"
#include "kernels/conv/task_cut.h"
#include "kernels/conv/winograd/winograd_points-inl.h"
#include "kernels/conv/winograd/winograd_tiles.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = panel::D;
using V = panel::V;
using panel::kLanes;

/// Floats of transformed input of a task: they stay in the second-level cache, or not far beyond.
constexpr std::int64_t kInputFloats = 96 * 1024;
/// Tiles of a task, at least: each reads all weights.
constexpr std::int64_t kLeastTiles = 4 * panel::kRows;
/// Panels whose sums are kept at the same time for the transform back.
constexpr std::int64_t kBlockPanels = 64 / panel::kColumns > 0 ? 64 / panel::kColumns : 1;

/// How a shape is cut.
struct WinogradCut : TaskCut {  // rows are tiles
  WinogradTiles tiles;
  std::int64_t input_row = 0, sum_row = 0;      ///< floats of a tile at one point
  std::int64_t input_point = 0, sum_point = 0;  ///< floats from one point to the next
};

template <class T>
WinogradCut WinogradCutOf(const ConvProblem& s) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  const WinogradTiles tiles(s, T::kOut);
  const std::int64_t most = std::max(kLeastTiles, kInputFloats / (points * s.channels));
  // `task_hint` is four for each thread; here two are enough.
  WinogradCut c{cut_tasks(tiles.all, {kLeastTiles, most, panel::kRows}, PanelCount(s.filters), 1,
                          CeilDiv(s.task_hint, 2)),
                tiles};
  c.input_row = RoundUp(s.channels, kLanes);
  c.sum_row = std::min(kBlockPanels, c.task_panels) * panel::kColumns;
  // A cache line more, so that the points spread over all cache sets.
  c.input_point = RoundUp(c.block * c.input_row, 16) + 16;
  c.sum_point = RoundUp(c.block * c.sum_row, 16) + 16;
  return c;
}

template <class T>
std::int64_t WinogradTasks(const ConvProblem& s) {
  const WinogradCut c = WinogradCutOf<T>(s);
  return c.blocks * c.panel_blocks;
}

/// A thread's scratch, in floats: zeros, the transformed inputs, the sums, and addresses of rows.
struct WinogradScratch {
  std::int64_t zeros, input, sums, rows, end;
};

template <class T>
WinogradScratch WinogradScratchOf(const ConvProblem& s, const WinogradCut& c) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  WinogradScratch at{};
  at.zeros = 0;
  at.input = at.zeros + RoundUp(s.channels, 16);
  at.sums = at.input + points * c.input_point;
  at.rows = at.sums + points * c.sum_point;
  at.end = at.rows + c.block * kPointerFloats;
  return at;
}

/// B^T d B of one tile; `to` is its row at point 0.
template <class T>
void TransformInput(const ConvArgs& args, const WinogradCut& c, const float* zeros,
                    const WinogradTiles::Place& at, float* to) {
  constexpr int n = T::kIn;
  const ConvProblem& s = args.problem;
  const D d;
  const float* pixels[n * n];
  winograd_inputs(s, at, n, typed<float>(args.src), args.src_step(), zeros, pixels);
  for (std::int64_t k = 0; k < s.channels; k += kLanes) {
    TransformInputTile<T>([&](int i, int j)
                              HWY_ATTR { return panel::LoadColumns(pixels[i * n + j] + k, s.channels - k); },
                          [&](int point, V v) HWY_ATTR { hn::StoreU(v, d, to + point * c.input_point + k); });
  }
}

/// What lies outside the images into the scratch of a task, and B^T d B of its tiles.
template <class T>
void TransformInputs(const ConvArgs& args, const WinogradCut& c, const WinogradScratch& at,
                     std::int64_t first, std::int64_t tiles, float* scratch) {
  const std::int64_t channels = args.problem.channels;
  if (args.border != nullptr) {
    std::copy_n(args.border, channels, scratch + at.zeros);
  } else {
    std::fill_n(scratch + at.zeros, channels, 0.0f);
  }
  for (std::int64_t i = 0; i < tiles; ++i) {
    TransformInput<T>(args, c, scratch + at.zeros, c.tiles.place(first + i),
                      scratch + at.input + i * c.input_row);
  }
}

/// A^T m A of one tile for `count` filters from `filter` on, and into dst. `sums` is its row at point 0.
template <class T>
void TransformOutput(const ConvArgs& args, const WinogradCut& c, const float* sums,
                     const WinogradTiles::Place& at, std::int64_t filter, std::int64_t count) {
  constexpr int m = T::kOut;
  const ConvProblem& s = args.problem;
  const D d;
  const auto rows = static_cast<int>(c.tiles.rows.count(at.row));
  const auto columns = static_cast<int>(c.tiles.columns.count(at.column));
  const std::int64_t corner = (at.image * s.output[1] + at.row) * s.output[2] + at.column;
  const std::int64_t down = c.tiles.rows.step() * s.output[2], right = c.tiles.columns.step();
  const std::int64_t step = args.dst_step();
  for (std::int64_t k = 0; k < count; k += kLanes) {
    const V bias = args.bias != nullptr ? panel::LoadColumns(typed<float>(args.bias) + filter + k, count - k)
                                        : hn::Zero(d);
    const V slope =
        args.slopes != nullptr ? panel::LoadColumns(args.slopes + filter + k, count - k) : hn::Zero(d);
    const auto sum = [&](int point) HWY_ATTR { return hn::LoadU(d, sums + point * c.sum_point + k); };
    TransformOutputTile<T>(sum, [&](int i, const V(&out)[m]) HWY_ATTR {
      if (i >= rows) return;
#pragma GCC unroll 4
      for (int j = 0; j < m; ++j) {
        if (j >= columns) break;
        const std::int64_t position = corner + i * down + j * right;
        V v = hn::Add(out[j], bias);
        if (args.residual != nullptr)
          v = hn::Add(v, panel::LoadColumns(typed<float>(args.residual) + position * s.filters + filter + k,
                                            count - k));
        v = args.slopes != nullptr ? Leaky(d, v, slope) : ApplyPiecewiseLinear(d, args.post_ops, v);
        panel::StoreColumns(v, typed<float>(args.dst) + position * step + filter + k, count - k);
      }
    });
  }
  if (args.slopes != nullptr || is_piecewise_linear(args.post_ops.activation)) return;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      ActivateRow(args.post_ops, typed<float>(args.dst) + (corner + i * down + j * right) * step + filter,
                  count);
  }
}

/// A^T m A of a task's tiles for `panels` panels from `panel` on, and into dst.
template <class T>
void TransformOutputs(const ConvArgs& args, const WinogradCut& c, const float* sums, std::int64_t first,
                      std::int64_t tiles, std::int64_t panel, std::int64_t panels) {
  const std::int64_t filter = panel * panel::kColumns;
  const std::int64_t count = std::min(panels * panel::kColumns, args.problem.filters - filter);
  for (std::int64_t i = 0; i < tiles; ++i)
    TransformOutput<T>(args, c, sums + i * c.sum_row, c.tiles.place(first + i), filter, count);
}

/// The tiles and the panels of a task.
struct WinogradShare {
  std::int64_t first, tiles;  ///< of all tiles
  std::int64_t begin, end;    ///< panels
};

inline WinogradShare WinogradShareOf(const WinogradCut& c, std::int64_t task) {
  const std::int64_t first = task / c.panel_blocks * c.block;
  const std::int64_t begin = task % c.panel_blocks * c.task_panels;
  return {first, std::min(c.block, c.tiles.all - first), begin, std::min(c.panels, begin + c.task_panels)};
}

/// The work with `weight_floats` packed weights, without transforms of filters.
template <class T>
Work WinogradWorkOf(const ConvProblem& s, const WinogradCut& c, std::int64_t weight_floats) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  Work work;
  work.flops =
      static_cast<double>(points) * TileFlops(c.tiles.all, c.block, PackedColumns(s.filters), 1, s.channels);
  work.weight_bytes = passed_weight_bytes(weight_floats, c.blocks);
  // Inputs and sums of the points, written and read; the transforms take as long again.
  work.cache_bytes = static_cast<double>(points * c.tiles.all * (s.channels * c.panel_blocks + s.filters)) *
                     4 * sizeof(float);
  work.activation_bytes = activation_bytes(s, sizeof(float));
  return work;
}

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
