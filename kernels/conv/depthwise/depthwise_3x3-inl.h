// A row of outputs of a 3 x 3 depthwise convolution, rounded to bfloat16. All of a filter's weights stay in
// registers along the row, and sums are rounded there, which pays where there are few channels at a time.
// Bits are those of depthwise_row-inl.h with its results rounded. Included by kernels inside Highway's
// foreach_target loop.
//
//   if (depthwise::Is3x3(args)) depthwise::RunRow3x3<Rounding::at_once>(row, dst, step);
#if defined(MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_3X3_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_3X3_INL_H_
#undef MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_3X3_INL_H_
#else
#define MXINFER_KERNELS_CONV_DEPTHWISE_DEPTHWISE_3X3_INL_H_
#endif

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/limits.h"
#include "kernels/conv/depthwise/depthwise_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE::depthwise {

/// Whether RunRow3x3 computes it.
inline bool Is3x3(const ConvArgs& args) {
  const ConvProblem& s = args.problem;
  return s.kernel[1] == 3 && s.kernel[2] == 3 && s.stride[2] <= 2 && s.pad[2] <= 1 &&
         s.dilate == Spatial{1, 1, 1} && s.channels % kLanes == 0 && args.residual == nullptr &&
         args.slopes == nullptr && limits_of(args.post_ops).exist;
}

/// What the positions of a row share, for a vector of channels.
struct Row3x3 {
  const float* lines;        ///< the first tap of position 0, which may be outside
  std::int64_t line, pixel;  ///< elements from one line of inputs to the next, and from one pixel
  Taps taps;                 ///< of which lines are inside
  V bias, low, high;
  BFloat16* dst;
  std::int64_t step;
};

/// Positions [x, x + kTile). At most one input is outside on either side.
template <int kTile, int kStride, Rounding kRounding>
HWY_INLINE void Tile3x3(const Row3x3& r, const V (&w)[9], std::int64_t x, Outside outside) {
  constexpr int kInputs = (kTile - 1) * kStride + 3;
  const float* first = r.lines + x * kStride * r.pixel;
  V sum[kTile];
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i) sum[i] = hn::Zero(D());
#pragma GCC unroll 3
  for (int kh = 0; kh < 3; ++kh) {
    if (kh < r.taps.first || kh >= r.taps.last) continue;
    const float* in = first + kh * r.line;
#pragma GCC unroll 16
    for (int j = 0; j < kInputs; ++j) {
      if (j == 0 && outside.left > 0) continue;
      if (j == kInputs - 1 && outside.right > 0) continue;
      const V value = LoadOnce(in + j * r.pixel);
#pragma GCC unroll 8
      for (int i = 0; i < kTile; ++i) {
        const int k = j - i * kStride;
        if (k >= 0 && k < 3) sum[i] = hn::MulAdd(value, w[3 * kh + k], sum[i]);
      }
    }
  }
  BFloat16* to = r.dst + x * r.step;
#pragma GCC unroll 8
  for (int i = 0; i < kTile; ++i)
    StoreRounded<kRounding>(Limit(hn::Add(sum[i], r.bias), r.low, r.high), to + i * r.step);
}

template <int kStride, Rounding kRounding>
void Channels3x3(const Row3x3& given, const float* weight, const ConvProblem& s) {
  const Row3x3 r = given;  // a copy: stores cannot alias it
  V w[9];
#pragma GCC unroll 9
  for (int tap = 0; tap < 9; ++tap) w[tap] = hn::LoadU(D(), weight + tap * kBlock);
  // Images are often a multiple of 7 wide.
  std::int64_t x = 0;
  const std::int64_t width = s.output[2];
  for (; x + 7 <= width; x += 7) Tile3x3<7, kStride, kRounding>(r, w, x, OutsideOf(s, x, 7));
  for (; x + 3 <= width; x += 3) Tile3x3<3, kStride, kRounding>(r, w, x, OutsideOf(s, x, 3));
  for (; x < width; ++x) Tile3x3<1, kStride, kRounding>(r, w, x, OutsideOf(s, x, 1));
}

/// The outputs of a row, `step` elements from one position to the next. The row's position and the args' dst
/// are not used.
template <Rounding kRounding>
void RunRow3x3(const Row& row, BFloat16* dst, std::int64_t step) {
  const ConvArgs& args = *row.args;
  const ConvProblem& s = args.problem;
  const Limits limits = limits_of(args.post_ops);
  const D d;
  Row3x3 r{};
  r.pixel = args.src_step();
  r.line = s.input[2] * r.pixel;
  r.taps = row.taps;
  r.low = hn::Set(d, limits.low);
  r.high = hn::Set(d, limits.high);
  r.step = step;
  for (std::int64_t c = 0; c < s.channels; c += kLanes) {
    r.lines = row.image + row.top * r.line - s.pad[2] * r.pixel + c;
    r.bias = args.bias != nullptr ? hn::LoadU(d, typed<float>(args.bias) + c) : hn::Zero(d);
    r.dst = dst + c;
    const float* weight = row.weight(c, 0);
    s.stride[2] == 2 ? Channels3x3<2, kRounding>(r, weight, s) : Channels3x3<1, kRounding>(r, weight, s);
  }
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE::depthwise
HWY_AFTER_NAMESPACE();

#endif
