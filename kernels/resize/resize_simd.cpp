#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/resize/resize_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <cstring>

#include "kernels/resize/resize_rows.h"

// uint8 linear. A sum along x is at most 255 * 2049; only its upper bits are used later, so that sums are
// kept as int16 without their lowest four bits, and the rows are combined with multiplications that keep the
// upper half.

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int64_t;

#if HWY_TARGET != HWY_SCALAR

using DU8x8 = hn::FixedTag<std::uint8_t, 8>;
using DU16 = hn::FixedTag<std::uint16_t, 8>;
using DI16 = hn::FixedTag<std::int16_t, 8>;
using DI16x4 = hn::FixedTag<std::int16_t, 4>;
using DI32 = hn::FixedTag<std::int32_t, 4>;

/// Four bytes, twice.
HWY_INLINE hn::Vec<DU8x8> LoadFour(const std::uint8_t* from) {
  std::uint32_t bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return hn::BitCast(DU8x8(), hn::Set(hn::FixedTag<std::uint32_t, 2>(), bytes));
}

/// Four sums of two taps each, shifted right by four. taps: both taps of a value side by side.
HWY_INLINE void StoreSums(hn::Vec<DU8x8> taps, hn::Vec<DI16> weights, std::int16_t* out) {
  const DI32 di32;
  const auto wide = hn::BitCast(DI16(), hn::PromoteTo(DU16(), taps));
  auto rest = hn::Zero(di32);
  const auto part = hn::ReorderWidenMulAccumulate(di32, wide, weights, hn::Zero(di32), rest);
  const auto sums = hn::RearrangeToOddPlusEven(part, rest);
  hn::StoreU(hn::DemoteTo(DI16x4(), hn::ShiftRight<4>(sums)), DI16x4(), out);
}

/// Columns [0, end) of one channel; returns where it stopped.
HWY_INLINE int64_t SumGrey(const ResizeArgs& args, const std::uint8_t* src, int64_t end, std::int16_t* out) {
  int64_t x = 0;
  for (; x + 4 <= end; x += 4) {
    std::uint8_t pairs[8];
    for (int i = 0; i < 4; ++i) std::memcpy(pairs + 2 * i, src + args.x_first[x + i], 2);
    StoreSums(hn::LoadU(DU8x8(), pairs), hn::LoadU(DI16(), args.x_weight_fixed + 2 * x), out + x);
  }
  return x;
}

/// The same for 2 to 4 channels, a pixel at a time. Always stores four values: the next pixel's
/// store overwrites the extra ones, and nothing reads those of the last pixel.
HWY_INLINE int64_t SumColor(const ResizeArgs& args, const std::uint8_t* src, int64_t end, std::int16_t* out) {
  const int64_t channels = args.shape.channels;
  // The second tap is read as four bytes, which must lie inside the row.
  const int64_t last_first = args.shape.src_width - (4 + channels - 1) / channels - 1;
  while (end > 0 && args.x_first[end - 1] > last_first) --end;
  for (int64_t x = 0; x < end; ++x) {
    const std::uint8_t* pixel = src + args.x_first[x] * channels;
    const auto taps = hn::InterleaveLower(DU8x8(), LoadFour(pixel), LoadFour(pixel + channels));
    std::int32_t weight_pair;
    std::memcpy(&weight_pair, args.x_weight_fixed + 2 * x, sizeof weight_pair);
    StoreSums(taps, hn::BitCast(DI16(), hn::Set(DI32(), weight_pair)), out + x * channels);
  }
  return end;
}

#else  // one lane: nothing to gain

HWY_INLINE int64_t SumGrey(const ResizeArgs&, const std::uint8_t*, int64_t, std::int16_t*) {
  return 0;
}
HWY_INLINE int64_t SumColor(const ResizeArgs&, const std::uint8_t*, int64_t, std::int16_t*) {
  return 0;
}

#endif

void SumRow(const ResizeArgs& args, const std::uint8_t* src, std::int16_t* out) {
  const int64_t channels = args.shape.channels;
  int64_t x = 0;
  if (channels == 1) x = SumGrey(args, src, args.x_inner_end, out);
  if (channels >= 2 && channels <= 4) x = SumColor(args, src, args.x_inner_end, out);
  for (; x < args.shape.dst_width; ++x) {
    const bool inner = x < args.x_inner_end;
    const std::uint8_t* pixel = src + args.x_first[x] * channels;
    const std::int16_t* weight = args.x_weight_fixed + 2 * x;
    for (int64_t c = 0; c < channels; ++c) {
      const int sum = inner ? pixel[c] * weight[0] + pixel[c + channels] * weight[1] : pixel[c] * kResizeOne;
      out[x * channels + c] = static_cast<std::int16_t>(sum >> 4);
    }
  }
}

void CombineRows(const std::int16_t* const* rows, const std::int16_t* weight, std::uint8_t* out,
                 int64_t count) {
  const hn::ScalableTag<std::int16_t> d;
  const hn::Rebind<std::uint8_t, decltype(d)> d_out;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto upper_weight = hn::Set(d, weight[0]);
  const auto lower_weight = hn::Set(d, weight[1]);
  const auto two = hn::Set(d, 2);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto upper = hn::MulHigh(hn::LoadU(d, rows[0] + i), upper_weight);
    const auto lower = hn::MulHigh(hn::LoadU(d, rows[1] + i), lower_weight);
    const auto sum = hn::ShiftRight<2>(hn::Add(hn::Add(upper, lower), two));
    hn::StoreU(hn::DemoteTo(d_out, sum), d_out, out + i);
  }
  for (; i < count; ++i) {
    const int sum = ((weight[0] * rows[0][i]) >> 16) + ((weight[1] * rows[1][i]) >> 16);
    out[i] = static_cast<std::uint8_t>((sum + 2) >> 2);
  }
}

}  // namespace

void LinearRows(const ResizeArgs& args, const std::uint8_t* src, std::uint8_t* dst, int64_t row_begin,
                int64_t row_end, void* scratch) {
  run_tap_rows<std::uint8_t, std::int16_t, 2>(args, src, dst, row_begin, row_end,
                                              static_cast<std::int16_t*>(scratch), args.y_weight_fixed,
                                              SumRow, CombineRows);
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(LinearRows);

ResizeKernel<std::uint8_t> resize_linear_u8_simd(Target target) {
  return {"resize_linear_u8", target, MXINFER_DISPATCH(LinearRows, target)};
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
