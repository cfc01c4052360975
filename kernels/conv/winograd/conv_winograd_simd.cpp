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

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/winograd/conv_winograd_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_floats.h"
#include "kernels/conv/winograd/winograd_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

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

/// The GEMM of `panels` panels from `first` on, at every point, for `tiles` tiles.
template <class T>
void Multiply(const ConvProblem& s, const WinogradCut& c, const float* weight, const float* input,
              std::int64_t first, std::int64_t panels, std::int64_t tiles, const float** rows, float* sums) {
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
std::int64_t WinogradScratchElements(const ConvProblem& s) {
  return WinogradScratchOf<T>(s, WinogradCutOf<T>(s)).end;
}

template <class T>
void RunTask(const ConvArgs& args, const WinogradCut& c, std::int64_t task, float* scratch) {
  const ConvProblem& s = args.problem;
  const WinogradScratch at = WinogradScratchOf<T>(s, c);
  const auto [first, tiles, begin, end] = WinogradShareOf(c, task);
  TransformInputs<T>(args, c, at, first, tiles, scratch);
  const auto rows = reinterpret_cast<const float**>(scratch + at.rows);
  for (std::int64_t panel = begin; panel < end; panel += kBlockPanels) {
    const std::int64_t panels = std::min(kBlockPanels, end - panel);
    Multiply<T>(s, c, typed<float>(args.weight), scratch + at.input, panel, panels, tiles, rows,
                scratch + at.sums);
    TransformOutputs<T>(args, c, scratch + at.sums, first, tiles, panel, panels);
  }
}

template <class T>
void Run(const ConvArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const WinogradCut cut = WinogradCutOf<T>(args.problem);
  for (std::int64_t task = begin; task < end; ++task) RunTask<T>(args, cut, task, scratch);
}

template <class T>
Work WorkOf(const ConvProblem& s) {
  return WinogradWorkOf<T>(s, WinogradCutOf<T>(s), PackedElements<T>(s));
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
                         WinogradTasks<T>,
                         float_bytes<WinogradScratchElements<T>>,
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
