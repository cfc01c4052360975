// conv_winograd: 3 x 3 filters of stride 1 by Winograd's minimal filtering, which needs n * n multiplications
// for m * m * 9: a quarter for m = 4, 4/9 for m = 2 (winograd_points-inl.h). With channels innermost the
// transforms run along channels, and the sums over channels are one GEMM with packed weights for each of the
// n * n points.
//
// A task is a block of tiles, over all images, by some filters: it transforms its inputs, multiplies point by
// point and transforms back, some filters at a time. Tasks that share tiles transform them again, so filters
// are split only if there would be fewer tasks than threads.
#include <algorithm>

#include "kernels/conv/conv.h"
#include "kernels/conv/task_cut.h"
#include "kernels/conv/winograd/winograd_tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/winograd/conv_winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/panel_sums-inl.h"
#include "kernels/conv/conv_floats.h"
#include "kernels/conv/conv_panels-inl.h"
#include "kernels/conv/winograd/winograd_points-inl.h"

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
struct Cut : TaskCut {  // rows are tiles
  WinogradTiles tiles;
  std::int64_t input_row = 0, sum_row = 0;      ///< floats of a tile at one point
  std::int64_t input_point = 0, sum_point = 0;  ///< floats from one point to the next
};

template <class T>
Cut CutOf(const ConvProblem& s) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  const WinogradTiles tiles(s, T::kOut);
  const std::int64_t most = std::max(kLeastTiles, kInputFloats / (points * s.channels));
  // `task_hint` is four for each thread; here two are enough.
  Cut c{cut_tasks(tiles.all, {kLeastTiles, most, panel::kRows}, PanelCount(s.filters), 1,
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
std::int64_t Tasks(const ConvProblem& s) {
  const Cut c = CutOf<T>(s);
  return c.blocks * c.panel_blocks;
}

// Packed weights: [point][panel][channel][width].
std::int64_t PointFloats(const ConvProblem& s) {
  return PackedColumns(s.filters) * s.channels;
}

template <class T>
std::int64_t PackedElements(const ConvProblem& s) {
  return T::kIn * T::kIn * PointFloats(s);
}

using DoubleD = hn::ScalableTag<double>;
using DoubleV = hn::Vec<DoubleD>;
constexpr std::int64_t kDoubleLanes = HWY_LANES(double);

/// G g G^T for the filters of a panel on one channel, in double: u[point][filter], from g[tap][filter].
template <class T>
void TransformFilters(const float (&g)[9][panel::kColumns], float (&u)[T::kIn * T::kIn][panel::kColumns]) {
  constexpr int n = T::kIn;
  const DoubleD d;
  const hn::Rebind<float, DoubleD> single;
  for (std::int64_t x = 0; x < panel::kColumns; x += kDoubleLanes) {
    DoubleV rows[3][n];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      DoubleV in[3];
#pragma GCC unroll 3
      for (int j = 0; j < 3; ++j) in[j] = hn::PromoteTo(d, hn::LoadU(single, g[3 * i + j] + x));
      T::Filter(in, rows[i]);
    }
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) {
      const DoubleV in[3] = {rows[0][j], rows[1][j], rows[2][j]};
      DoubleV out[n];
      T::Filter(in, out);
#pragma GCC unroll 6
      for (int i = 0; i < n; ++i) hn::StoreU(hn::DemoteTo(single, out[i]), single, u[i * n + j] + x);
    }
  }
}

template <class T>
void Pack(const ConvProblem& s, const float* weight, float* packed) {
  constexpr int points = T::kIn * T::kIn;
  for (std::int64_t i = 0; i < PanelCount(s.filters); ++i) {
    const Panel p = PanelAt(s.filters, i);
    float* to = packed + p.first * s.channels;
    HWY_ALIGN float g[9][panel::kColumns];
    HWY_ALIGN float u[points][panel::kColumns];
    int tap = 0;
    ForEachColumn(p, weight + p.first * s.depth(), s.depth(), [&](const float* column) {
      std::copy_n(column, panel::kColumns, g[tap]);
      if (++tap < 9) return;
      tap = 0;
      TransformFilters<T>(g, u);
      for (int point = 0; point < points; ++point)
        std::copy_n(u[point], p.width(), to + point * PointFloats(s));
      to += p.width();
    });
  }
}

/// A thread's scratch, in floats: zeros, the transformed inputs, the sums, and addresses of rows.
struct Scratch {
  std::int64_t zeros, input, sums, rows, end;
};

template <class T>
Scratch ScratchOf(const ConvProblem& s, const Cut& c) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  Scratch at{};
  at.zeros = 0;
  at.input = at.zeros + RoundUp(s.channels, 16);
  at.sums = at.input + points * c.input_point;
  at.rows = at.sums + points * c.sum_point;
  at.end = at.rows + c.block * kPointerFloats;
  return at;
}

template <class T>
std::int64_t ScratchElements(const ConvProblem& s) {
  return ScratchOf<T>(s, CutOf<T>(s)).end;
}

/// B^T d B of one tile; `to` is its row at point 0.
template <class T>
void TransformInput(const ConvArgs& args, const Cut& c, const float* zeros, const WinogradTiles::Place& at,
                    float* to) {
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

/// A^T m A of one tile for `count` filters from `filter` on, and into dst. `sums` is its row at point 0.
template <class T>
void TransformOutput(const ConvArgs& args, const Cut& c, const float* sums, const WinogradTiles::Place& at,
                     std::int64_t filter, std::int64_t count) {
  constexpr int m = T::kOut;
  const ConvProblem& s = args.problem;
  const D d;
  const auto rows = static_cast<int>(std::min<std::int64_t>(m, s.output[1] - at.row));
  const auto columns = static_cast<int>(std::min<std::int64_t>(m, s.output[2] - at.column));
  const std::int64_t corner = (at.image * s.output[1] + at.row) * s.output[2] + at.column;
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
        const std::int64_t position = corner + i * s.output[2] + j;
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
      ActivateRow(args.post_ops, typed<float>(args.dst) + (corner + i * s.output[2] + j) * step + filter,
                  count);
  }
}

/// The GEMM of `panels` panels from `first` on, at every point, for `tiles` tiles.
template <class T>
void Multiply(const ConvProblem& s, const Cut& c, const float* weight, const float* input, std::int64_t first,
              std::int64_t panels, std::int64_t tiles, const float** rows, float* sums) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  const std::int64_t first_filter = first * panel::kColumns;
  const std::int64_t filters = std::min(panels * panel::kColumns, s.filters - first_filter);
  panel::TileArgs t{};
  t.runs = 1;
  t.run_length = s.channels;
  t.dst_stride = c.sum_row;
  weight += first_filter * s.channels;
  for (std::int64_t p = 0; p < points; ++p, weight += PointFloats(s)) {
    for (std::int64_t i = 0; i < tiles; ++i) rows[i] = input + p * c.input_point + i * c.input_row;
    t.dst = sums + p * c.sum_point;
    MultiplyPanels(t, rows, tiles, weight, filters, 0, panels,
                   p + 1 < points ? weight + PointFloats(s) : nullptr);
  }
}

template <class T>
void RunTask(const ConvArgs& args, const Cut& c, std::int64_t task, float* scratch) {
  const ConvProblem& s = args.problem;
  const Scratch at = ScratchOf<T>(s, c);
  const std::int64_t first = task / c.panel_blocks * c.block;
  const std::int64_t tiles = std::min(c.block, c.tiles.all - first);
  if (args.border != nullptr) {
    std::copy_n(args.border, s.channels, scratch + at.zeros);
  } else {
    std::fill_n(scratch + at.zeros, s.channels, 0.0f);
  }
  for (std::int64_t i = 0; i < tiles; ++i) {
    TransformInput<T>(args, c, scratch + at.zeros, c.tiles.place(first + i),
                      scratch + at.input + i * c.input_row);
  }
  const auto rows = reinterpret_cast<const float**>(scratch + at.rows);
  const std::int64_t begin = task % c.panel_blocks * c.task_panels;
  const std::int64_t end = std::min(c.panels, begin + c.task_panels);
  for (std::int64_t panel = begin; panel < end; panel += kBlockPanels) {
    const std::int64_t panels = std::min(kBlockPanels, end - panel);
    Multiply<T>(s, c, typed<float>(args.weight), scratch + at.input, panel, panels, tiles, rows,
                scratch + at.sums);
    const std::int64_t filter = panel * panel::kColumns;
    const std::int64_t count = std::min(panels * panel::kColumns, s.filters - filter);
    for (std::int64_t i = 0; i < tiles; ++i) {
      TransformOutput<T>(args, c, scratch + at.sums + i * c.sum_row, c.tiles.place(first + i), filter, count);
    }
  }
}

template <class T>
void Run(const ConvArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf<T>(args.problem);
  for (std::int64_t task = begin; task < end; ++task) RunTask<T>(args, cut, task, scratch);
}

template <class T>
Work WorkOf(const ConvProblem& s) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  const Cut c = CutOf<T>(s);
  Work work;
  work.flops =
      static_cast<double>(points) * TileFlops(c.tiles.all, c.block, PackedColumns(s.filters), 1, s.channels);
  work.weight_bytes = passed_weight_bytes(PackedElements<T>(s), c.blocks);
  // Inputs and sums of the points, written and read; the transforms take as long again.
  work.cache_bytes = static_cast<double>(points * c.tiles.all * (s.channels * c.panel_blocks + s.filters)) *
                     4 * sizeof(float);
  work.activation_bytes = activation_bytes(s, sizeof(float));
  return work;
}

template <class T>
constexpr const char* kPacking = nullptr;
template <>
constexpr const char* kPacking<WinogradPoints4> =
    panel::kColumns == 64   ? "conv_nhwc_winograd4 panels of 64 filters"
    : panel::kColumns == 16 ? "conv_nhwc_winograd4 panels of 16 filters"
    : panel::kColumns == 8  ? "conv_nhwc_winograd4 panels of 8 filters"
                            : "conv_nhwc_winograd4 panels of 2 filters";
template <>
constexpr const char* kPacking<WinogradPoints2> =
    panel::kColumns == 64   ? "conv_nhwc_winograd2 panels of 64 filters"
    : panel::kColumns == 16 ? "conv_nhwc_winograd2 panels of 16 filters"
    : panel::kColumns == 8  ? "conv_nhwc_winograd2 panels of 8 filters"
                            : "conv_nhwc_winograd2 panels of 2 filters";

template <class T>
constexpr ConvImpl kImpl{T::kOut == 4 ? "conv_nhwc_winograd4_f32" : "conv_nhwc_winograd2_f32",
                         kPacking<T>,
                         float_bytes<PackedElements<T>>,
                         pack_floats<Pack<T>>,
                         Tasks<T>,
                         float_bytes<ScratchElements<T>>,
                         run_floats<Run<T>>,
                         WorkOf<T>,
                         true};

}  // namespace

const ConvImpl& ConvWinograd4Impl() {
  return kImpl<WinogradPoints4>;
}
const ConvImpl& ConvWinograd2Impl() {
  return kImpl<WinogradPoints2>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvWinograd4Impl);
MXINFER_TABLE(ConvWinograd2Impl);

const ConvImpl& conv_winograd(Target target, int outputs) {
  return outputs == 4 ? MXINFER_DISPATCH(ConvWinograd4Impl, target)()
                      : MXINFER_DISPATCH(ConvWinograd2Impl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
