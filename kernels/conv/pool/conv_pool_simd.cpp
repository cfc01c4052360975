// conv_pool_strips: a task is a few rows of windows, enough to fill the convolution's tiles.
#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/conv/pool/conv_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/pool/conv_pool_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv/strip/strip-inl.h"
#include "kernels/pool_nd/larger-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using panel::kLanes;
using panel::V;

/// Positions of the convolution that a task adds to those of the task before.
constexpr std::int64_t kPositions = 512;

struct Cut {
  std::int64_t rows, blocks;  ///< rows of windows of a task; tasks of an image
  std::int64_t row_floats;    ///< of the convolution's outputs
  std::int64_t buffer_rows, buffer_floats;
  strip::Sizes sizes;
};

Cut CutOf(const ConvPoolShape& s) {
  Cut c{};
  c.rows = std::clamp<std::int64_t>(kPositions / (s.stride[1] * s.conv.output[2]), 1, s.output[1]);
  c.blocks = CeilDiv(s.output[1], c.rows);
  c.row_floats = s.conv.output[2] * s.conv.filters;
  c.buffer_rows = std::min(s.conv.output[1], (c.rows - 1) * s.stride[1] + s.kernel[1]);
  c.buffer_floats = RoundUp(c.buffer_rows * c.row_floats, 16);
  c.sizes = strip::SizesOf(s.conv, c.buffer_rows);
  return c;
}

std::int64_t Tasks(const ConvPoolShape& s) {
  return s.conv.batch * CutOf(s).blocks;
}

std::int64_t ScratchElements(const ConvPoolShape& s) {
  const Cut c = CutOf(s);
  return c.buffer_floats + c.sizes.floats();
}

/// [first, end) along a dimension.
struct Range {
  std::int64_t first, end;
};

/// The convolution's outputs that windows [first, end) cover along dimension d.
Range Covered(const ConvPoolShape& s, std::size_t d, std::int64_t first, std::int64_t end) {
  const std::int64_t begin = first * s.stride[d] - s.pad[d];
  const std::int64_t last = (end - 1) * s.stride[d] - s.pad[d] + s.kernel[d];
  const std::int64_t from = std::clamp<std::int64_t>(begin, 0, s.conv.output[d]);
  return {from, std::clamp(last, from, s.conv.output[d])};
}

/// The largest of a window, for kVectors vectors of channels, `count` of them; `from` is the first position
/// of the window.
template <int kVectors>
HWY_INLINE void Window(const Cut& c, std::int64_t pixel, std::int64_t rows, std::int64_t columns,
                       const float* from, std::int64_t count, float* to) {
  V best[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) best[v] = hn::Set(panel::D(), std::numeric_limits<float>::lowest());
  for (std::int64_t y = 0; y < rows; ++y) {
    const float* at = from + y * c.row_floats;
    for (std::int64_t x = 0; x < columns; ++x, at += pixel) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        best[v] = Larger(best[v], panel::LoadColumns(at + v * kLanes, count - v * kLanes));
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) panel::StoreColumns(best[v], to + v * kLanes, count - v * kLanes);
}

/// A row of windows over rows of the convolution's outputs, from `from` on.
void PoolRow(const ConvPoolShape& s, const Cut& c, const float* from, std::int64_t rows, float* to) {
  const std::int64_t pixel = s.conv.filters;
  for (std::int64_t x = 0; x < s.output[2]; ++x, to += pixel) {
    const Range columns = Covered(s, 2, x, x + 1);
    const float* window = from + columns.first * pixel;
    const std::int64_t width = columns.end - columns.first;
    std::int64_t m = 0;
    for (; m + 4 * kLanes <= pixel; m += 4 * kLanes)
      Window<4>(c, pixel, rows, width, window + m, 4 * kLanes, to + m);
    for (; m < pixel; m += kLanes) Window<1>(c, pixel, rows, width, window + m, pixel - m, to + m);
  }
}

/// Rows of an image's convolution that are in the buffer.
struct BufferedRows {
  std::int64_t image = -1;
  Range rows{0, 0};
};

/// Makes the buffer begin with rows `needed` of an image: moves those that it holds, computes the others.
template <SrcLayout kLayout>
void FillBuffer(const ConvArgs& conv, const Cut& c, std::int64_t image, const Range& needed,
                BufferedRows& buffered, float* buffer, float* scratch) {
  const bool follows =
      buffered.image == image && buffered.rows.first <= needed.first && needed.first <= buffered.rows.end;
  const std::int64_t kept = follows ? buffered.rows.end - needed.first : 0;
  if (kept > 0) {
    std::memmove(buffer, buffer + (needed.first - buffered.rows.first) * c.row_floats,
                 static_cast<std::size_t>(kept * c.row_floats) * sizeof(float));
  }
  const std::int64_t first = needed.first + kept;
  if (first < needed.end) {
    strip::Rows<kLayout>(conv, c.sizes, image, first, needed.end - first, buffer + kept * c.row_floats,
                         nullptr, scratch);
  }
  buffered = {image, {needed.first, std::max(first, needed.end)}};
}

template <SrcLayout kLayout>
void Run(const ConvPoolArgs& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const ConvPoolShape& s = args.shape;
  const Cut c = CutOf(s);
  ConvArgs conv = args.conv;
  conv.problem = s.conv;
  BufferedRows buffered;
  for (std::int64_t task = begin; task < end; ++task) {
    const std::int64_t image = task / c.blocks, top = task % c.blocks * c.rows;
    const std::int64_t bottom = std::min(s.output[1], top + c.rows);
    const Range needed = Covered(s, 1, top, bottom);
    FillBuffer<kLayout>(conv, c, image, needed, buffered, scratch, scratch + c.buffer_floats);
    for (std::int64_t y = top; y < bottom; ++y) {
      const Range rows = Covered(s, 1, y, y + 1);
      PoolRow(s, c, scratch + (rows.first - needed.first) * c.row_floats, rows.end - rows.first,
              args.dst + (image * s.output[1] + y) * s.output[2] * s.conv.filters);
    }
  }
}

Work WorkOf(const ConvPoolShape& s) {
  const Cut c = CutOf(s);
  const ConvProblem& conv = s.conv;
  const std::int64_t added = c.rows * s.stride[1];  // rows of the convolution with each task
  const std::int64_t rows = conv.batch * conv.output[1];
  const auto outputs = static_cast<double>(conv.batch * volume(s.output) * conv.filters);
  Work work;
  work.flops = TileFlops(rows * conv.output[2], added * conv.output[2], PackedColumns(conv.filters),
                         conv.kernel[1], conv.kernel[2] * conv.channels);
  work.weight_bytes = passed_weight_bytes(PackedPanelElements(conv), 1);
  const std::int64_t strips =
      conv.batch * c.blocks * strip::InputRows(conv, added) * c.sizes.columns * conv.channels;
  // Strips are written and read; rows of the convolution are written, and read by each window.
  work.cache_bytes =
      sizeof(float) * (2 * static_cast<double>(strips) + static_cast<double>(rows * c.row_floats) +
                       outputs * static_cast<double>(volume(s.kernel)));
  work.activation_bytes =
      sizeof(float) * (static_cast<double>(conv.batch * conv.channels * volume(conv.input)) + outputs);
  return work;
}

constexpr ConvPoolKernel kImpl{"conv_nhwc_strip_pool_f32", Tasks, ScratchElements, Run<SrcLayout::nhwc>,
                               WorkOf};
constexpr ConvPoolKernel kNchwImpl{"conv_nhwc_strip_of_nchw_pool_f32", Tasks, ScratchElements,
                                   Run<SrcLayout::nchw>, WorkOf};

}  // namespace

const ConvPoolKernel& ConvPoolImpl() {
  return kImpl;
}
const ConvPoolKernel& ConvPoolNchwImpl() {
  return kNchwImpl;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvPoolImpl);
MXINFER_TABLE(ConvPoolNchwImpl);

const ConvPoolKernel& conv_pool_strips(SrcLayout layout, Target target) {
  return layout == SrcLayout::nhwc ? MXINFER_DISPATCH(ConvPoolImpl, target)()
                                   : MXINFER_DISPATCH(ConvPoolNchwImpl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
