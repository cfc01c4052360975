// conv_depthwise: convolutions with one input channel in each group (and any number of filters), of one or
// two spatial dimensions. There is no sum over channels to make a matrix product of; each tap is one
// multiply-add on vectors of neighbouring pixels.
//
// A task is one channel of one image. Strips of its rows are copied into a thread's scratch, where every tap
// reads consecutive floats (conv_strip-inl.h).
#include <algorithm>
#include <cstring>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/conv_depthwise_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/epilogue-inl.h"
#include "kernels/conv/conv_strip-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

constexpr std::int64_t kLanes = HWY_LANES(float);
constexpr std::int64_t kStripFloats = 4096;  ///< so that a strip stays in the first-level cache

/// Output rows between two copies of input rows.
std::int64_t StripRows(const ConvShape& s) {
  const std::int64_t floats_a_row = StripOf(s, 1).row_floats * s.stride[1];
  return std::clamp<std::int64_t>(kStripFloats / floats_a_row, std::min<std::int64_t>(4, s.output[1]),
                                  s.output[1]);
}

std::int64_t Tasks(const ConvShape& s) {
  return s.batch * s.channels;
}

std::int64_t ScratchElements(const ConvShape& s) {
  return StripOf(s, StripRows(s)).Floats();
}

std::int64_t NothingPacked(const ConvShape&) {
  return 0;
}

/// Where the taps of a filter row lie, relative to the output pixel.
struct TapOffsets {
  std::int64_t column[kMaxDepthwiseWidth];
  std::int64_t row;  ///< from one filter row to the next
};

TapOffsets OffsetsOf(const ConvShape& s, const Strip& strip) {
  TapOffsets offsets{};
  for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw) offsets.column[kw] = strip.Column(s, kw);
  offsets.row = strip.Row(s, 0, 1);
  return offsets;
}

/// What is added to a row of sums, and where it goes.
struct RowArgs {
  float* dst;
  const float* residual;  ///< or null
  float bias;
  const Epilogue* epilogue;
  std::int64_t width;
};

/// Adds bias and residual, applies the activation and stores a vector of pixels at x.
HWY_INLINE void StorePixels(const RowArgs& row, std::int64_t x, V sum) {
  const D d;
  sum = hn::Add(sum, hn::Set(d, row.bias));
  if (row.residual != nullptr) sum = hn::Add(sum, hn::LoadU(d, row.residual + x));
  hn::StoreU(ApplyPiecewiseLinear(d, *row.epilogue, sum), d, row.dst + x);
}

/// The sums of a vector of pixels under a filter whose size is known when compiling.
template <int kHeight, int kWidth>
struct FixedFilter {
  V weight[kHeight * kWidth];
  std::int64_t column[kWidth];
  std::int64_t row;

  FixedFilter(const ConvShape&, const float* w, const TapOffsets& offsets) : row(offsets.row) {
    const D d;
#pragma GCC unroll 32
    for (int i = 0; i < kHeight * kWidth; ++i) weight[i] = hn::Set(d, w[i]);
#pragma GCC unroll 8
    for (int i = 0; i < kWidth; ++i) column[i] = offsets.column[i];
  }

  HWY_INLINE V Sum(const float* from) const {
    const D d;
    V sum = hn::Zero(d);
#pragma GCC unroll 8
    for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 8
      for (int i = 0; i < kWidth; ++i) {
        sum = hn::MulAdd(hn::LoadU(d, from + column[i]), weight[h * kWidth + i], sum);
      }
      from += row;
    }
    return sum;
  }
};

/// The same for any filter.
struct AnyFilter {
  const ConvShape& shape;
  const float* weight;
  const TapOffsets& offsets;

  AnyFilter(const ConvShape& s, const float* w, const TapOffsets& o) : shape(s), weight(w), offsets(o) {}

  HWY_INLINE V Sum(const float* from) const {
    const D d;
    V sum = hn::Zero(d);
    const float* w = weight;
    for (std::int64_t h = 0; h < shape.kernel[1]; ++h, from += offsets.row) {
      for (std::int64_t i = 0; i < shape.kernel[2]; ++i) {
        sum = hn::MulAdd(hn::LoadU(d, from + offsets.column[i]), hn::Set(d, *w++), sum);
      }
    }
    return sum;
  }
};

/// A row narrower than a vector.
template <class Filter>
HWY_INLINE void NarrowRow(const Filter& filter, const float* src, const RowArgs& row) {
  HWY_ALIGN float dst[kLanes] = {}, residual[kLanes] = {};
  RowArgs copy = row;
  copy.dst = dst;
  if (row.residual != nullptr) {
    CopyRow(residual, row.residual, row.width);
    copy.residual = residual;
  }
  StorePixels(copy, 0, filter.Sum(src));
  CopyRow(row.dst, dst, row.width);
}

/// A row of output pixels; its last vector may lie over the one before it.
template <class Filter>
void Row(const ConvShape& s, const float* weight, const TapOffsets& offsets, const float* src,
         const RowArgs& row) {
  const Filter filter(s, weight, offsets);
  if (row.width < kLanes) return NarrowRow(filter, src, row);
  std::int64_t x = 0;
  for (; x + 2 * kLanes <= row.width; x += 2 * kLanes) {
    const V first = filter.Sum(src + x), second = filter.Sum(src + x + kLanes);
    StorePixels(row, x, first);
    StorePixels(row, x + kLanes, second);
  }
  for (; x < row.width; x += kLanes) {
    x = std::min(x, row.width - kLanes);
    StorePixels(row, x, filter.Sum(src + x));
  }
}

using RowFn = void (*)(const ConvShape&, const float*, const TapOffsets&, const float*, const RowArgs&);

RowFn RowOf(const ConvShape& s) {
  if (s.kernel[1] == 3 && s.kernel[2] == 3) return Row<FixedFilter<3, 3>>;
  if (s.kernel[1] == 5 && s.kernel[2] == 5) return Row<FixedFilter<5, 5>>;
  return Row<AnyFilter>;
}

void RunStrip(const ConvArgs<float>& args, const Strip& strip, const TapOffsets& offsets, RowFn compute,
              std::int64_t task, std::int64_t first, std::int64_t last, const float* scratch) {
  const ConvShape& s = args.shape;
  const std::int64_t multiplier = s.group_filters(), taps = s.kernel[1] * s.kernel[2];
  for (std::int64_t i = 0; i < multiplier; ++i) {
    const std::int64_t m = task % s.channels * multiplier + i;
    for (std::int64_t h = first; h < last; ++h) {
      const std::int64_t at = ((task * multiplier + i) * s.output[1] + h) * s.output[2];
      const RowArgs row{args.dst + at, args.residual != nullptr ? args.residual + at : nullptr,
                        args.bias != nullptr ? args.bias[m] : 0.0f, &args.epilogue, s.output[2]};
      compute(s, args.weight + m * taps, offsets, scratch + (h - first) * s.stride[1] * strip.row_floats,
              row);
      if (!is_piecewise_linear(args.epilogue.activation)) ActivateRow(args.epilogue, row.dst, row.width);
    }
  }
}

void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const ConvShape& s = args.shape;
  const std::int64_t rows = StripRows(s);
  const Strip strip = StripOf(s, rows);
  const TapOffsets offsets = OffsetsOf(s, strip);
  const RowFn compute = RowOf(s);
  for (std::int64_t task = begin; task < end; ++task) {
    const float* plane = args.src + task * s.input[1] * s.input[2];
    for (std::int64_t first = 0; first < s.output[1]; first += rows) {
      const std::int64_t last = std::min(s.output[1], first + rows);
      FillStrip(s, strip, plane, first * s.stride[1] - s.pad[1], InputRows(s, last - first), scratch);
      RunStrip(args, strip, offsets, compute, task, first, last, scratch);
    }
  }
}

constexpr ConvKernel kRow{"conv_depthwise_f32", nullptr, NothingPacked, nullptr, Tasks, ScratchElements, Run};

}  // namespace

const ConvKernel& ConvDepthwiseRow() {
  return kRow;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(ConvDepthwiseRow);

const ConvKernel& conv_depthwise(Target target) {
  return MXINFER_ROW(ConvDepthwiseRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
