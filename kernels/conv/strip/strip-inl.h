// Rows of outputs of a convolution of few input channels: copies rows of input into a strip with its border,
// in which all taps of a row of the filter are one run, and multiplies from there. Included by kernels inside
// Highway's foreach_target loop.
//
//   const strip::Sizes sizes = strip::SizesOf(shape, rows);
//   strip::Rows<SrcLayout::nchw>(args, sizes, image, first, rows, dst, residual, scratch);
#if defined(MXINFER_KERNELS_CONV_STRIP_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_STRIP_STRIP_INL_H_
#undef MXINFER_KERNELS_CONV_STRIP_STRIP_INL_H_
#else
#define MXINFER_KERNELS_CONV_STRIP_STRIP_INL_H_
#endif

#include <algorithm>

#include "kernels/common/panel_sums-inl.h"
#include "kernels/conv/conv.h"
#include "kernels/conv/conv_panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace strip {

/// The scratch for some rows of outputs at a time.
struct Sizes {
  std::int64_t columns;                     ///< positions of a row of the strip, its border included
  std::int64_t strip_floats, table_floats;  ///< of scratch: the strip, and a table of addresses
  std::int64_t floats() const { return strip_floats + table_floats; }
};

/// Rows of input that so many rows of outputs reach.
inline std::int64_t InputRows(const ConvProblem& s, std::int64_t rows) {
  return (rows - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
}

inline Sizes SizesOf(const ConvProblem& s, std::int64_t rows) {
  Sizes sizes{};
  sizes.columns = (s.output[2] - 1) * s.stride[2] + s.kernel[2];
  // Interleaving writes whole vectors.
  sizes.strip_floats = RoundUp(InputRows(s, rows) * sizes.columns * s.channels + 4 * panel::kLanes, 16);
  sizes.table_floats = rows * s.output[2] * s.kernel[1] * kPointerFloats;
  return sizes;
}

/// NCHW to NHWC: to[w * channels + c] = src[c * channel_step + w], for w < count.
inline void InterleaveRow(const float* src, std::int64_t channel_step, std::int64_t channels,
                          std::int64_t count, float* to) {
  std::int64_t w = 0;
#if HWY_TARGET != HWY_SCALAR
  if (channels == 3) {
    const panel::D d;
    for (; w + panel::kLanes <= count; w += panel::kLanes) {
      hn::StoreInterleaved3(hn::LoadU(d, src + w), hn::LoadU(d, src + channel_step + w),
                            hn::LoadU(d, src + 2 * channel_step + w), d, to + w * 3);
    }
  }
#endif
  for (; w < count; ++w) {
    for (std::int64_t c = 0; c < channels; ++c) to[w * channels + c] = src[c * channel_step + w];
  }
}

/// Fills the positions from `from` to `to` with the border, or zeros.
inline void FillBorder(const ConvArgs& args, float* from, float* to) {
  if (args.border == nullptr) {
    std::fill(from, to, 0.0f);
    return;
  }
  for (; from != to; from += args.problem.channels) std::copy_n(args.border, args.problem.channels, from);
}

/// Rows of input from `top` on, with the border around them.
template <SrcLayout kLayout>
void FillStrip(const ConvArgs& args, const Sizes& sizes, const float* image, std::int64_t top,
               std::int64_t rows, float* to_strip) {
  const ConvProblem& s = args.problem;
  const std::int64_t width = s.input[2], row_floats = sizes.columns * s.channels;
  // The positions of a row that are inside the image.
  const std::int64_t left = std::min(s.pad[2], sizes.columns);
  const std::int64_t count = std::max<std::int64_t>(0, std::min(width, sizes.columns - left));
  for (std::int64_t r = 0; r < rows; ++r) {
    float* to = to_strip + r * row_floats;
    const std::int64_t h = top + r;
    if (h < 0 || h >= s.input[1]) {
      FillBorder(args, to, to + row_floats);
      continue;
    }
    float* inside = to + left * s.channels;
    FillBorder(args, to, inside);
    if constexpr (kLayout == SrcLayout::nchw) {
      InterleaveRow(image + h * width, s.input[1] * width, s.channels, count, inside);
    } else {
      const std::int64_t step = args.src_step();
      const std::int64_t together = step == s.channels ? count : 1;  // contiguous positions
      const float* from = image + h * width * step;
      for (std::int64_t w = 0; w < count; w += together)
        std::copy_n(from + w * step, together * s.channels, inside + w * s.channels);
    }
    FillBorder(args, inside + count * s.channels, to + row_floats);
  }
}

/// Computes rows [first, first + rows) of an image's outputs into `dst`; `residual` is added to them, or
/// null.
template <SrcLayout kLayout>
void Rows(const ConvArgs& args, const Sizes& sizes, std::int64_t image, std::int64_t first, std::int64_t rows,
          float* dst, const float* residual, float* scratch) {
  const ConvProblem& s = args.problem;
  const std::int64_t step = kLayout == SrcLayout::nchw ? s.channels : args.src_step();
  FillStrip<kLayout>(args, sizes, typed<float>(args.src) + image * step * s.input[1] * s.input[2],
                     first * s.stride[1] - s.pad[1], InputRows(s, rows), scratch);

  const auto table = reinterpret_cast<const float**>(scratch + sizes.strip_floats);
  const std::int64_t count = rows * s.output[2];
  const panel::RowTiles tiles(count);
  const std::int64_t row_floats = sizes.columns * s.channels;
  std::int64_t y = 0, x = 0;
  for (std::int64_t tile = 0; tile < tiles.tiles; ++tile) {
    const std::int64_t count_of_tile = tiles.count(tile);
    const float** to = table + tiles.first(tile) * s.kernel[1];
    for (std::int64_t i = 0; i < count_of_tile; ++i) {
      std::int64_t at = y * s.stride[1] * row_floats + x * s.stride[2] * s.channels;
      for (std::int64_t kh = 0; kh < s.kernel[1]; ++kh, at += s.dilate[1] * row_floats)
        to[kh * count_of_tile + i] = scratch + at;
      if (++x < s.output[2]) continue;
      x = 0;
      ++y;
    }
  }
  panel::TileArgs t{};
  t.runs = s.kernel[1];
  t.run_length = s.kernel[2] * s.channels;
  t.residual_stride = s.filters;
  t.dst_stride = args.dst_step();
  t.dst = dst;
  t.bias = typed<float>(args.bias);
  t.residual = residual;
  t.slopes = args.slopes;
  t.post_ops = &args.post_ops;
  MultiplyPanels(t, table, count, typed<float>(args.weight), s.filters, 0, PanelCount(s.filters));
}

}  // namespace strip

}  // namespace
}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
