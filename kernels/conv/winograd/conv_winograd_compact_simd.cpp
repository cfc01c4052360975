// conv_winograd_compact: Winograd's minimal filtering with weights as large as those stored. Filters are
// transformed while the convolution runs, some channels of a panel at a time, into the second-level cache.
// Where weights come from memory, that takes less time than to read n * n transformed numbers instead of 9.
//
// A task is a block of tiles, over all images, by some filters, as in conv_winograd.
#include <algorithm>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/winograd/conv_winograd_compact_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/conv_floats.h"
#include "kernels/conv/winograd/winograd_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kTaps = 9;
/// Floats of transformed filters of a panel at a time: they stay in the second-level cache beside the inputs.
constexpr std::int64_t kFilterFloats = 96 * 1024;

/// Channels of which filters are transformed at a time.
template <class T>
constexpr std::int64_t kBlockChannels = kFilterFloats / (T::kIn * T::kIn * panel::kColumns) / 8 * 8;

/// Floats from one point of transformed filters to the next: a cache line more, so that the points spread
/// over all cache sets.
template <class T>
std::int64_t PointStride(const ConvProblem& s) {
  return std::min(s.channels, kBlockChannels<T>) * panel::kColumns + 16;
}

// Packed weights: [panel][channel][tap][width].
std::int64_t PackedElements(const ConvProblem& s) {
  return PackedColumns(s.filters) * s.depth();
}

void Pack(const ConvProblem& s, const float* weight, float* packed) {
  for (std::int64_t i = 0; i < PanelCount(s.filters); ++i) {
    const Panel p = PanelAt(s.filters, i);
    ForEachColumn(p, weight + p.first * s.depth(), s.depth(), [&](const float* column) {
      std::copy_n(column, p.width(), packed);
      packed += p.width();
    });
  }
}

/// G g G^T of the filters of a vector on one channel: `g` has them by taps, `width` floats apart, and `u`
/// gets them by points.
template <class T>
HWY_INLINE void TransformFilters(const float* g, std::int64_t width, float* u, std::int64_t point_stride) {
  constexpr int n = T::kIn;
  const D d;
  V half[n][3];
#pragma GCC unroll 3
  for (int j = 0; j < 3; ++j) {
    V in[3], out[n];
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) in[i] = hn::LoadU(d, g + (3 * i + j) * width);
    T::Filter(in, out);
#pragma GCC unroll 6
    for (int i = 0; i < n; ++i) half[i][j] = out[i];
  }
#pragma GCC unroll 6
  for (int i = 0; i < n; ++i) {
    V out[n];
    T::Filter(half[i], out);
#pragma GCC unroll 6
    for (int j = 0; j < n; ++j) hn::StoreU(out[j], d, u + (i * n + j) * point_stride);
  }
}

/// Of `channels` channels of a panel: u[point][channel][width].
template <class T>
void TransformPanel(const Panel& p, const float* weight, std::int64_t channels, float* u,
                    std::int64_t point_stride) {
  constexpr std::int64_t kChannelsAhead = 2;
  const std::int64_t width = p.width();
  for (std::int64_t c = 0; c < channels; ++c, weight += kTaps * width, u += width) {
    for (std::int64_t x = 0; x < width; x += kLanes) {
      const float* const ahead = weight + kChannelsAhead * kTaps * width + x;
#pragma GCC unroll 9
      for (std::int64_t tap = 0; tap < kTaps; ++tap) hwy::Prefetch(ahead + tap * width);
      TransformFilters<T>(weight + x, width, u + x, point_stride);
    }
  }
}

/// Where a task's transformed filters begin in its scratch, which they follow.
template <class T>
std::int64_t FiltersAt(const ConvProblem& s, const WinogradCut& c) {
  return RoundUp(WinogradScratchOf<T>(s, c).end, 16);
}

template <class T>
std::int64_t ScratchElements(const ConvProblem& s) {
  return FiltersAt<T>(s, WinogradCutOf<T>(s)) + T::kIn * T::kIn * PointStride<T>(s);
}

/// The sums of a panel at all points, of `t.run_length` channels from `t.run_offset` on. `t.weight` are the
/// transformed filters, `next` the weights read next, of `next_floats` floats.
template <class T>
void MultiplyPoints(panel::TileArgs t, const Panel& p, const WinogradCut& c, std::int64_t point_stride,
                    const float* input, std::int64_t row_count, const float** rows, const float* next,
                    std::int64_t next_floats) {
  constexpr std::int64_t points = T::kIn * T::kIn;
  const panel::RowTiles tiles(row_count);
  Prefetch prefetch{reinterpret_cast<const char*>(next), 0, 0, 0};
  if (next_floats > 0) {
    const std::int64_t bytes =
        CeilDiv(next_floats * static_cast<std::int64_t>(sizeof(float)), points * tiles.tiles);
    prefetch.step = CeilDiv(bytes, t.run_length);
    prefetch.tile_bytes = bytes;
  }
  for (std::int64_t point = 0; point < points; ++point) {
    for (std::int64_t i = 0; i < row_count; ++i) rows[i] = input + point * c.input_point + i * c.input_row;
    MultiplyTiles(t, p.vectors, 0, 1, tiles, rows, prefetch);
    t.weight += point_stride;
    t.dst += c.sum_point;
    prefetch.from += tiles.tiles * prefetch.tile_bytes;
  }
}

template <class T>
void RunTask(const ConvArgs& args, const WinogradCut& c, std::int64_t task, float* scratch) {
  const ConvProblem& s = args.problem;
  const WinogradScratch at = WinogradScratchOf<T>(s, c);
  const auto [first, tiles, begin, end] = WinogradShareOf(c, task);
  TransformInputs<T>(args, c, at, first, tiles, scratch);
  const auto rows = reinterpret_cast<const float**>(scratch + at.rows);
  float* filters = scratch + FiltersAt<T>(s, c);
  const std::int64_t stride = PointStride<T>(s);
  for (std::int64_t panel = begin; panel < end; panel += kBlockPanels) {
    const std::int64_t panels = std::min(kBlockPanels, end - panel);
    for (std::int64_t i = panel; i < panel + panels; ++i) {
      const Panel p = PanelAt(s.filters, i);
      const float* weight = typed<float>(args.weight) + p.first * s.depth();
      panel::TileArgs t{};
      t.runs = 1;
      t.dst_stride = c.sum_row;
      t.columns = p.columns;
      for (std::int64_t k = 0; k < s.channels; k += kBlockChannels<T>) {
        t.run_offset = k;
        t.run_length = std::min(kBlockChannels<T>, s.channels - k);
        t.first_block = k == 0;
        TransformPanel<T>(p, weight, t.run_length, filters, stride);
        weight += t.run_length * kTaps * p.width();
        const bool is_last = i + 1 == end && k + t.run_length == s.channels;
        t.weight = filters;
        t.dst = scratch + at.sums + (i - panel) * panel::kColumns;
        MultiplyPoints<T>(t, p, c, stride, scratch + at.input, tiles, rows, weight,
                          is_last ? 0 : t.run_length * kTaps * p.width());
      }
    }
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
  constexpr std::int64_t points = T::kIn * T::kIn;
  const WinogradCut c = WinogradCutOf<T>(s);
  Work work = WinogradWorkOf<T>(s, c, PackedElements(s));
  // Filters of the points, for each block of tiles: written beyond the first-level cache, they take longer.
  constexpr double kFilterBytes = 3.5 * sizeof(float);
  work.cache_bytes +=
      static_cast<double>(points * c.blocks * PackedColumns(s.filters) * s.channels) * kFilterBytes;
  return work;
}

constexpr const char* kPacking = panel::kColumns == 64   ? "conv_nhwc_winograd filters in panels of 64"
                                 : panel::kColumns == 16 ? "conv_nhwc_winograd filters in panels of 16"
                                 : panel::kColumns == 8  ? "conv_nhwc_winograd filters in panels of 8"
                                                         : "conv_nhwc_winograd filters in panels of 2";

template <class T>
constexpr ConvImpl kImpl{T::kOut == 4 ? "conv_nhwc_winograd4_compact_f32" : "conv_nhwc_winograd2_compact_f32",
                         kPacking,
                         float_bytes<PackedElements>,
                         pack_floats<Pack>,
                         WinogradTasks<T>,
                         float_bytes<ScratchElements<T>>,
                         run_floats<Run<T>>,
                         WorkOf<T>,
                         true};

}  // namespace

const ConvImpl& ConvWinograd4CompactImpl() {
  return kImpl<WinogradPoints4>;
}
const ConvImpl& ConvWinograd2CompactImpl() {
  return kImpl<WinogradPoints2>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvWinograd4CompactImpl);
MXINFER_TABLE(ConvWinograd2CompactImpl);

const ConvImpl& conv_winograd_compact(Target target, int outputs) {
  return outputs == 4 ? MXINFER_DISPATCH(ConvWinograd4CompactImpl, target)()
                      : MXINFER_DISPATCH(ConvWinograd2CompactImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
