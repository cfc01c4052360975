// conv_nhwc_strip: few input channels, as in the first convolution of a network. A run of one tap would be
// three numbers long; the taps of a row of the filter together are one run once the input has its border of
// zeros. So a task copies the rows it needs into a strip with that border, from planes too, and multiplies
// from there.
//
// A task is some rows of outputs of one image, with all filters.
#include <algorithm>

#include "kernels/conv_nhwc/conv_nhwc.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv_nhwc/conv_nhwc_strip_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/conv_nhwc/conv_nhwc_panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

/// Positions of a task: enough that copying a strip costs little, few enough that it stays in cache.
constexpr std::int64_t kPositions = 512;

struct Cut {
  std::int64_t rows, blocks;                ///< rows of outputs of a task; tasks of an image
  std::int64_t strip_rows, strip_columns;   ///< positions of a strip, its border included
  std::int64_t strip_floats, table_floats;  ///< of scratch
};

Cut CutOf(const ConvShape& s) {
  Cut c{};
  const std::int64_t most = std::max<std::int64_t>(1, kPositions / s.output[2]);
  const std::int64_t wanted = CeilDiv(s.wanted_tasks, s.batch);
  c.rows = std::clamp<std::int64_t>(CeilDiv(s.output[1], wanted), 1, most);
  c.blocks = CeilDiv(s.output[1], c.rows);
  c.strip_rows = (c.rows - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
  c.strip_columns = (s.output[2] - 1) * s.stride[2] + s.kernel[2];
  // Interleaving writes whole vectors.
  c.strip_floats = RoundUp(c.strip_rows * c.strip_columns * s.channels + 4 * panel::kLanes, 16);
  c.table_floats = c.rows * s.output[2] * s.kernel[1] * kPointerFloats;
  return c;
}

std::int64_t Tasks(const ConvShape& s) {
  return s.batch * CutOf(s).blocks;
}

std::int64_t ScratchElements(const ConvShape& s) {
  const Cut c = CutOf(s);
  return c.strip_floats + c.table_floats;
}

/// to[w * channels + c] = plane c [w], for `count` positions.
void InterleaveRow(const float* src, std::int64_t plane, std::int64_t channels, std::int64_t count,
                   float* to) {
  std::int64_t w = 0;
#if HWY_TARGET != HWY_SCALAR
  if (channels == 3) {
    const panel::D d;
    for (; w + panel::kLanes <= count; w += panel::kLanes) {
      hn::StoreInterleaved3(hn::LoadU(d, src + w), hn::LoadU(d, src + plane + w),
                            hn::LoadU(d, src + 2 * plane + w), d, to + w * 3);
    }
  }
#endif
  for (; w < count; ++w) {
    for (std::int64_t c = 0; c < channels; ++c) to[w * channels + c] = src[c * plane + w];
  }
}

/// Zeros, or what the border says, from one position to another.
void FillBorder(const ConvArgs<float>& args, float* from, float* to) {
  if (args.border == nullptr) {
    std::fill(from, to, 0.0f);
    return;
  }
  for (; from != to; from += args.shape.channels) std::copy_n(args.border, args.shape.channels, from);
}

/// Rows of input from `top` on, with the border around them.
template <Source kSource>
void FillStrip(const ConvArgs<float>& args, const Cut& c, const float* image, std::int64_t top,
               float* strip) {
  const ConvShape& s = args.shape;
  const std::int64_t width = s.input[2], row_floats = c.strip_columns * s.channels;
  // The positions of a row that exist.
  const std::int64_t left = std::min(s.pad[2], c.strip_columns);
  const std::int64_t count = std::max<std::int64_t>(0, std::min(width, c.strip_columns - left));
  for (std::int64_t r = 0; r < c.strip_rows; ++r) {
    float* to = strip + r * row_floats;
    const std::int64_t h = top + r;
    if (h < 0 || h >= s.input[1]) {
      FillBorder(args, to, to + row_floats);
      continue;
    }
    float* inside = to + left * s.channels;
    FillBorder(args, to, inside);
    if constexpr (kSource == Source::channels_first) {
      InterleaveRow(image + h * width, s.input[1] * width, s.channels, count, inside);
    } else {
      const std::int64_t step = args.src_step();
      const std::int64_t together = step == s.channels ? count : 1;  // positions that lie side by side
      const float* from = image + h * width * step;
      for (std::int64_t w = 0; w < count; w += together)
        std::copy_n(from + w * step, together * s.channels, inside + w * s.channels);
    }
    FillBorder(args, inside + count * s.channels, to + row_floats);
  }
}

template <Source kSource>
void RunTask(const ConvArgs<float>& args, const Cut& c, std::int64_t task, float* scratch) {
  const ConvShape& s = args.shape;
  const std::int64_t image = task / c.blocks, first = task % c.blocks * c.rows;
  const std::int64_t rows = std::min(c.rows, s.output[1] - first), count = rows * s.output[2];
  const std::int64_t step = kSource == Source::channels_first ? s.channels : args.src_step();
  FillStrip<kSource>(args, c, args.src + image * step * s.input[1] * s.input[2],
                     first * s.stride[1] - s.pad[1], scratch);

  const auto table = reinterpret_cast<const float**>(scratch + c.strip_floats);
  const panel::RowTiles tiles(count);
  for (std::int64_t tile = 0; tile < tiles.tiles; ++tile) {
    const float** to = table + tiles.first(tile) * s.kernel[1];
    for (std::int64_t i = 0; i < tiles.count(tile); ++i) {
      const std::int64_t at = tiles.first(tile) + i;
      const std::int64_t y = at / s.output[2] * s.stride[1], x = at % s.output[2] * s.stride[2];
      for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh)
        to[kh * tiles.count(tile) + i] =
            scratch + ((y + kh * s.dilate[1]) * c.strip_columns + x) * s.channels;
    }
  }
  panel::TileArgs t{};
  t.runs = s.kernel[1];
  t.run_length = s.kernel[2] * s.channels;
  t.residual_stride = s.filters;
  t.dst_stride = args.dst_step();
  const std::int64_t position = (image * s.output[1] + first) * s.output[2];
  t.dst = args.dst + position * t.dst_stride;
  t.bias = args.bias;
  if (args.residual != nullptr) t.residual = args.residual + position * s.filters;
  t.slopes = args.slopes;
  t.epilogue = &args.epilogue;
  MultiplyPanels(t, table, count, args.weight, s.filters, 0, PanelCount(s.filters));
}

template <Source kSource>
void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const Cut cut = CutOf(args.shape);
  for (std::int64_t task = begin; task < end; ++task) RunTask<kSource>(args, cut, task, scratch);
}

Work WorkOf(const ConvShape& s) {
  const Cut c = CutOf(s);
  const std::int64_t rows = s.batch * s.output[1];
  Work work;
  work.flops = TileFlops(rows * s.output[2], c.rows * s.output[2], PackedColumns(s.filters), s.kernel[1],
                         s.kernel[2] * s.channels);
  work.weight_bytes = WeightBytes(PackedPanelElements(s), 1);
  work.cache_bytes =
      static_cast<double>(CeilDiv(rows, c.rows) * c.strip_rows * c.strip_columns * s.channels) * 2 *
      sizeof(float);
  work.activation_bytes = ActivationBytes(s);
  return work;
}

constexpr ConvKernel kRow{
    "conv_nhwc_strip_f32",      kPanelPacking, PackedPanelElements, PackPanels, Tasks, ScratchElements,
    Run<Source::channels_last>, WorkOf};
constexpr ConvKernel kPlanesRow{
    "conv_nhwc_strip_of_planes_f32", kPanelPacking, PackedPanelElements, PackPanels, Tasks, ScratchElements,
    Run<Source::channels_first>,     WorkOf};

}  // namespace

const ConvKernel& ConvNhwcStripRow() {
  return kRow;
}
const ConvKernel& ConvNhwcStripOfPlanesRow() {
  return kPlanesRow;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

HWY_EXPORT(ConvNhwcStripRow);
HWY_EXPORT(ConvNhwcStripOfPlanesRow);

const ConvKernel& conv_nhwc_strip(Source source, Target target) {
  return source == Source::channels_last ? MXINFER_ROW(ConvNhwcStripRow, target)()
                                         : MXINFER_ROW(ConvNhwcStripOfPlanesRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
