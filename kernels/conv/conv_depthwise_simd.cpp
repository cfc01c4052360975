// conv_depthwise: convolutions with one input channel in each group (and any number of filters), of one or
// two spatial dimensions. There is no sum over channels to make a matrix product of; each tap is one
// multiply-add on vectors of neighbouring pixels.
//
// A task is one channel of one image. Strips of input rows are copied into a thread's scratch with their zero
// border, each row split into `stride` phases (columns 0, s, 2s, ..., then 1, s + 1, ...), so that every tap
// reads consecutive floats whatever pad, stride and dilation are.
#include <algorithm>
#include <cstring>

#include "kernels/conv/conv.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/conv/conv_depthwise_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"
#include "kernels/common/epilogue-inl.h"
#include "kernels/conv/conv_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

constexpr std::int64_t kLanes = HWY_LANES(float);
constexpr std::int64_t kStripRows = 8;  ///< output rows between two copies of input rows

constexpr std::int64_t RoundUp(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b * b;
}

/// How input rows lie in scratch.
struct Strip {
  std::int64_t rows;          ///< input rows behind kStripRows output rows
  std::int64_t phase_floats;  ///< of one phase of one row
  std::int64_t row_floats;
};

Strip StripOf(const ConvShape& s) {
  Strip strip{};
  const std::int64_t output_rows = std::min(kStripRows, s.output[1]);
  strip.rows = (output_rows - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
  // Whole vectors are read, also for the last pixels.
  strip.phase_floats = RoundUp(s.output[2], 2 * kLanes) + (s.kernel[2] - 1) * s.dilate[2] / s.stride[2];
  strip.row_floats = RoundUp(s.stride[2] * strip.phase_floats, 16);
  return strip;
}

std::int64_t Tasks(const ConvShape& s) {
  return s.batch * s.channels;
}

std::int64_t ScratchElements(const ConvShape& s) {
  const Strip strip = StripOf(s);
  return strip.rows * strip.row_floats;
}

std::int64_t NothingPacked(const ConvShape&) {
  return 0;
}

void FillStrip(const ConvShape& s, const Strip& strip, const float* plane, std::int64_t first_row,
               std::int64_t rows, float* scratch) {
  for (std::int64_t r = 0; r < rows; ++r, scratch += strip.row_floats) {
    const std::int64_t h = first_row + r;
    if (h < 0 || h >= s.input[1]) {
      ZeroRow(scratch, strip.row_floats);
      continue;
    }
    for (std::int64_t phase = 0; phase < s.stride[2]; ++phase) {
      GatherRow(scratch + phase * strip.phase_floats, 0, strip.phase_floats, plane + h * s.input[2],
                s.input[2], s.stride[2], phase - s.pad[2]);
    }
  }
}

/// Where the taps of a filter row lie, relative to the output pixel.
struct TapOffsets {
  std::int64_t column[kMaxDepthwiseWidth];
  std::int64_t row;  ///< from one filter row to the next
};

TapOffsets OffsetsOf(const ConvShape& s, const Strip& strip) {
  TapOffsets offsets{};
  for (std::int64_t kw = 0; kw < s.kernel[2]; ++kw) {
    const std::int64_t x = kw * s.dilate[2];
    offsets.column[kw] = x % s.stride[2] * strip.phase_floats + x / s.stride[2];
  }
  offsets.row = s.dilate[1] * strip.row_floats;
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

/// Adds bias and residual, applies the activation and stores `count` pixels at x.
HWY_INLINE void StorePixels(const RowArgs& row, std::int64_t x, std::int64_t count, V sum) {
  const D d;
  sum = hn::Add(sum, hn::Set(d, row.bias));
  if (count >= kLanes) {
    if (row.residual != nullptr) sum = hn::Add(sum, hn::LoadU(d, row.residual + x));
    hn::StoreU(ApplyPiecewiseLinear(d, *row.epilogue, sum), d, row.dst + x);
    return;
  }
  HWY_ALIGN float border[kLanes] = {};
  if (row.residual != nullptr) {
    CopyRow(border, row.residual + x, count);
    sum = hn::Add(sum, hn::Load(d, border));
  }
  hn::Store(ApplyPiecewiseLinear(d, *row.epilogue, sum), d, border);
  CopyRow(row.dst + x, border, count);
}

/// A row of output pixels under a filter whose size is known when compiling: its weights stay in registers.
template <int kHeight, int kWidth>
void FixedRow(const ConvShape&, const float* weight, const TapOffsets& offsets, const float* src,
              const RowArgs& row) {
  const D d;
  V w[kHeight * kWidth];
#pragma GCC unroll 32
  for (int i = 0; i < kHeight * kWidth; ++i) w[i] = hn::Set(d, weight[i]);
  std::int64_t column[kWidth];
#pragma GCC unroll 8
  for (int i = 0; i < kWidth; ++i) column[i] = offsets.column[i];
  for (std::int64_t x = 0; x < row.width; x += kLanes) {
    V sum = hn::Zero(d);
    const float* from = src + x;
#pragma GCC unroll 8
    for (int h = 0; h < kHeight; ++h) {
#pragma GCC unroll 8
      for (int i = 0; i < kWidth; ++i) {
        sum = hn::MulAdd(hn::LoadU(d, from + column[i]), w[h * kWidth + i], sum);
      }
      from += offsets.row;
    }
    StorePixels(row, x, row.width - x, sum);
  }
}

/// A row of output pixels under any filter.
void AnyRow(const ConvShape& s, const float* weight, const TapOffsets& offsets, const float* src,
            const RowArgs& row) {
  const D d;
  for (std::int64_t x = 0; x < row.width; x += 2 * kLanes) {
    V sum0 = hn::Zero(d), sum1 = hn::Zero(d);
    const float* from = src + x;
    const float* w = weight;
    for (std::int64_t h = 0; h < s.kernel[1]; ++h, from += offsets.row) {
      for (std::int64_t i = 0; i < s.kernel[2]; ++i) {
        const V tap = hn::Set(d, *w++);
        sum0 = hn::MulAdd(hn::LoadU(d, from + offsets.column[i]), tap, sum0);
        sum1 = hn::MulAdd(hn::LoadU(d, from + offsets.column[i] + kLanes), tap, sum1);
      }
    }
    StorePixels(row, x, row.width - x, sum0);
    if (x + kLanes < row.width) StorePixels(row, x + kLanes, row.width - x - kLanes, sum1);
  }
}

using RowFn = void (*)(const ConvShape&, const float*, const TapOffsets&, const float*, const RowArgs&);

RowFn RowOf(const ConvShape& s) {
  if (s.kernel[1] == 3 && s.kernel[2] == 3) return FixedRow<3, 3>;
  if (s.kernel[1] == 5 && s.kernel[2] == 5) return FixedRow<5, 5>;
  return AnyRow;
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
      if (!is_piecewise_linear(args.epilogue.activation)) activate_span(args.epilogue, row.dst, row.width);
    }
  }
}

void Run(const ConvArgs<float>& args, std::int64_t begin, std::int64_t end, float* scratch) {
  const ConvShape& s = args.shape;
  const Strip strip = StripOf(s);
  const TapOffsets offsets = OffsetsOf(s, strip);
  const RowFn compute = RowOf(s);
  for (std::int64_t task = begin; task < end; ++task) {
    const float* plane = args.src + task * s.input[1] * s.input[2];
    for (std::int64_t first = 0; first < s.output[1]; first += kStripRows) {
      const std::int64_t last = std::min(s.output[1], first + kStripRows);
      const std::int64_t rows = (last - first - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
      FillStrip(s, strip, plane, first * s.stride[1] - s.pad[1], rows, scratch);
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

HWY_EXPORT(ConvDepthwiseRow);

const ConvKernel& conv_depthwise(Target target) {
  return MXINFER_ROW(ConvDepthwiseRow, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
