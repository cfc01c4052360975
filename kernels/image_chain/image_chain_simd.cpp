#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/image_chain/image_chain_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/image_chain/image_chain.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using std::int64_t;

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

HWY_INLINE VF Apply(const ChainStep& step, int64_t channel, VF value) {
  const VF number = hn::Set(DF(), step.numbers[channel]);
  switch (step.op) {
    case ChainOp::add:
      return hn::Add(value, number);
    case ChainOp::subtract:
      return hn::Sub(value, number);
    case ChainOp::multiply:
      return hn::Mul(value, number);
    case ChainOp::divide:
      return hn::Div(value, number);
  }
  return value;
}

HWY_INLINE VF Chain(const ChainArgs& args, int64_t channel, VF value) {
  if (args.first == ChainFirst::share_of_255) value = hn::Div(value, hn::Set(DF(), 255.0f));
  for (int64_t s = 0; s < args.step_count; ++s) value = Apply(args.steps[s], channel, value);
  return args.mirror ? hn::Reverse(DF(), value) : value;
}

/// One pixel of the rest of a row, as a vector of one value repeated.
HWY_INLINE void OnePixel(const ChainArgs& args, const float* from, float* to) {
  const DF d;
  for (int64_t c = 0; c < 3; ++c) {
    to[c * args.dst_channel_step] = hn::GetLane(Chain(args, c, hn::Set(d, from[c])));
  }
}

}  // namespace

void ChainRows(const ChainArgs& args, const void* src, float* dst, int64_t rows) {
  const DF d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t y = 0; y < rows; ++y) {
    const float* from = static_cast<const float*>(src) + y * args.src_row_step;
    float* to = dst + y * args.dst_row_step;
    int64_t x = 0;
    for (; x + lanes <= args.width; x += lanes) {
      VF red, green, blue;
      hn::LoadInterleaved3(d, from + 3 * x, red, green, blue);
      float* out = to + (args.mirror ? args.width - lanes - x : x);
      hn::StoreU(Chain(args, 0, red), d, out);
      hn::StoreU(Chain(args, 1, green), d, out + args.dst_channel_step);
      hn::StoreU(Chain(args, 2, blue), d, out + 2 * args.dst_channel_step);
    }
    for (; x < args.width; ++x) OnePixel(args, from + 3 * x, to + (args.mirror ? args.width - 1 - x : x));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(ChainRows);

ChainRowsFn chain_rows_f32_simd(Target target) {
  return MXINFER_DISPATCH(ChainRows, target);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
