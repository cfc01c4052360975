// Channels-last pooling of bfloat16: vectors run along channels, windows are reduced in float32, and the
// results are rounded.
#include <algorithm>
#include <limits>

#include "kernels/pool_nd/pool_nd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pool_nd/pool_bf16_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/bfloat16-inl.h"
#include "kernels/common/dispatch.h"
#include "kernels/pool_nd/larger-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// A NaN loses, as in the other kernels.
struct Largest {
  static constexpr float kStart = std::numeric_limits<float>::lowest();
  static constexpr bool kDivides = false;
  static HWY_INLINE V Apply(V best, V value) { return Larger(best, value); }
  static float Apply(float best, float value) { return value > best ? value : best; }
};
struct Sum {
  static constexpr float kStart = 0.0f;
  static constexpr bool kDivides = true;
  static HWY_INLINE V Apply(V sum, V value) { return hn::Add(sum, value); }
  static float Apply(float sum, float value) { return sum + value; }
};

struct Window {
  PoolWindow z, y, x;
  float divisor;
};

/// function(pointer to the channels of a position) for each position of the window.
template <class Function>
HWY_INLINE void ForEach(const PoolArgs& args, const Window& w, const BFloat16* plane,
                        const Function& function) {
  for (std::int64_t z = w.z.first; z < w.z.last; ++z) {
    for (std::int64_t y = w.y.first; y < w.y.last; ++y) {
      const BFloat16* row = plane + (z * args.in[1] + y) * args.in[2] * args.src_step();
      for (std::int64_t x = w.x.first; x < w.x.last; ++x) function(row + x * args.src_step());
    }
  }
}

/// kVectors vectors of channels.
template <class Reduction, int kVectors>
HWY_INLINE void Vectors(const PoolArgs& args, const Window& w, const BFloat16* plane, BFloat16* dst) {
  const D d;
  V value[kVectors];
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) value[v] = hn::Set(d, Reduction::kStart);
  ForEach(args, w, plane, [&](const BFloat16* at) HWY_ATTR {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      value[v] = Reduction::Apply(value[v], LoadBFloat16(d, at + v * kLanes));
  });
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) {
    if constexpr (Reduction::kDivides) value[v] = hn::Div(value[v], hn::Set(d, w.divisor));
    StoreBFloat16(d, value[v], dst + v * kLanes);
  }
}

template <class Reduction>
void Position(const PoolArgs& args, const Window& w, const PoolChannelRange& channels, const BFloat16* plane,
              BFloat16* dst) {
  std::int64_t c = channels.begin;
  for (; c + 4 * kLanes <= channels.end; c += 4 * kLanes) Vectors<Reduction, 4>(args, w, plane + c, dst + c);
  for (; c + kLanes <= channels.end; c += kLanes) Vectors<Reduction, 1>(args, w, plane + c, dst + c);
  for (; c < channels.end; ++c) {
    float value = Reduction::kStart;
    ForEach(args, w, plane + c,
            [&](const BFloat16* at) { value = Reduction::Apply(value, static_cast<float>(*at)); });
    dst[c] = BFloat16(value / w.divisor);
  }
}

/// A task is one row of outputs, or a block of its channels.
void Run(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  const std::int64_t blocks = pool_channel_blocks(args);
  for (std::int64_t task = begin; task < end; ++task) {
    const PoolChannelRange channels = pool_channel_range(args, task % blocks);
    const std::int64_t row = task / blocks;
    const std::int64_t oy = row % args.out[1], oz = row / args.out[1] % args.out[0];
    const BFloat16* plane =
        static_cast<const BFloat16*>(src) + row / args.out[1] / args.out[0] * args.plane_stride();
    BFloat16* out = static_cast<BFloat16*>(dst) + row * args.out[2] * args.dst_step();
    Window w{pool_window(args, 0, oz), pool_window(args, 1, oy), {}, 1.0f};
    for (std::int64_t ox = 0; ox < args.out[2]; ++ox, out += args.dst_step()) {
      w.x = pool_window(args, 2, ox);
      if (args.kind == PoolKind::avg)
        w.divisor = static_cast<float>(std::max<std::int64_t>(1, pool_divisor(args, w.z, w.y, w.x)));
      args.kind == PoolKind::max ? Position<Largest>(args, w, channels, plane, out)
                                 : Position<Sum>(args, w, channels, plane, out);
    }
  }
}

}  // namespace

PoolFn PoolBf16Impl() {
  return Run;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(PoolBf16Impl);

PoolFn pool_bf16(Target target) {
  return MXINFER_DISPATCH(PoolBf16Impl, target)();
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
