// Strip: rows of a plane copied into scratch with their zero border, for tap-by-tap reading. Each row is
// split into `stride` phases (columns 0, s, 2s, ..., then 1, s + 1, ...), so that every tap of a filter reads
// consecutive floats whatever pad, stride and dilation are. Of the last two spatial dimensions.
//
//   const Strip strip = StripOf(shape, output_rows);
//   FillStrip(shape, strip, plane, first_input_row, rows, scratch);      // rows <= strip.rows
//   // input of output pixel (h, w) under tap (kh, kw), with h counted from the strip's first output row:
//   scratch[strip.Row(shape, h, kh) + strip.Column(shape, kw) + w]
#if defined(MXINFER_KERNELS_CONV_CONV_STRIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_CONV_STRIP_INL_H_
#undef MXINFER_KERNELS_CONV_CONV_STRIP_INL_H_
#else
#define MXINFER_KERNELS_CONV_CONV_STRIP_INL_H_
#endif

#include <hwy/highway.h>

#include "kernels/conv/conv.h"
#include "kernels/conv/conv_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {

struct Strip {
  std::int64_t rows;          ///< input rows
  std::int64_t filled;        ///< floats of a phase that are set; whole vectors may be read behind them
  std::int64_t phase_floats;  ///< from one phase to the next
  std::int64_t row_floats;    ///< from one row to the next

  std::int64_t Row(const ConvShape& s, std::int64_t h, std::int64_t kh) const {
    return (h * s.stride[1] + kh * s.dilate[1]) * row_floats;
  }
  std::int64_t Column(const ConvShape& s, std::int64_t kw) const {
    const std::int64_t x = kw * s.dilate[2];
    return x % s.stride[2] * phase_floats + x / s.stride[2];
  }
  std::int64_t Floats() const { return rows * row_floats; }
};

inline std::int64_t InputRows(const ConvShape& s, std::int64_t output_rows) {
  return (output_rows - 1) * s.stride[1] + (s.kernel[1] - 1) * s.dilate[1] + 1;
}

inline Strip StripOf(const ConvShape& s, std::int64_t output_rows) {
  constexpr std::int64_t kSlack = 2 * HWY_LANES(float);
  Strip strip{};
  strip.rows = InputRows(s, output_rows);
  strip.filled = s.output[2] + (s.kernel[2] - 1) * s.dilate[2] / s.stride[2];
  strip.phase_floats = strip.filled + kSlack;
  strip.row_floats = (s.stride[2] * strip.phase_floats + 15) / 16 * 16;
  return strip;
}

/// Both phases of a row under stride 2 in one pass.
inline void GatherTwoPhases(float* dst, const Strip& strip, const float* src, std::int64_t width,
                            std::int64_t pad) {
  // Even elements start in phase 0 where pad is even; in each phase, half the padding comes first.
  const std::int64_t even_pad = std::min(pad / 2, strip.filled),
                     odd_pad = std::min((pad + 1) / 2, strip.filled);
  float* const even_phase = dst + (pad & 1) * strip.phase_floats;
  float* const odd_phase = dst + (1 - (pad & 1)) * strip.phase_floats;
  const std::int64_t evens = std::min((width + 1) / 2, strip.filled - even_pad);
  const std::int64_t odds = std::min(width / 2, strip.filled - odd_pad);
  float* const even = even_phase + even_pad;
  float* const odd = odd_phase + odd_pad;
  std::int64_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  constexpr std::int64_t kLanes = HWY_LANES(float);
  for (const std::int64_t both = std::min(evens, odds); i + kLanes <= both; i += kLanes) {
    const auto low = hn::LoadU(d, src + 2 * i), high = hn::LoadU(d, src + 2 * i + kLanes);
    hn::StoreU(hn::ConcatEven(d, high, low), d, even + i);
    hn::StoreU(hn::ConcatOdd(d, high, low), d, odd + i);
  }
#endif
  for (std::int64_t j = i; j < evens; ++j) even[j] = src[2 * j];
  for (std::int64_t j = i; j < odds; ++j) odd[j] = src[2 * j + 1];
  ZeroRow(even_phase, even_pad);
  ZeroRow(odd_phase, odd_pad);
  ZeroRow(even + evens, strip.filled - even_pad - evens);
  ZeroRow(odd + odds, strip.filled - odd_pad - odds);
}

inline void FillStrip(const ConvShape& s, const Strip& strip, const float* plane, std::int64_t first_row,
                      std::int64_t rows, float* scratch) {
  const std::int64_t width = s.input[2], stride = s.stride[2], pad = s.pad[2];
  for (std::int64_t h = first_row; h < first_row + rows; ++h, scratch += strip.row_floats) {
    if (h < 0 || h >= s.input[1]) {
      for (std::int64_t p = 0; p < stride; ++p) ZeroRow(scratch + p * strip.phase_floats, strip.filled);
    } else if (stride == 2) {
      GatherTwoPhases(scratch, strip, plane + h * width, width, pad);
    } else {
      for (std::int64_t p = 0; p < stride; ++p) {
        GatherRow(scratch + p * strip.phase_floats, 0, strip.filled, plane + h * width, width, stride,
                  p - pad);
      }
    }
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
