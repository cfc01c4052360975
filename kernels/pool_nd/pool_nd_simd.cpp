#include "kernels/pool_nd/pool_nd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pool_nd/pool_nd_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/pool_nd/larger-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The largest value.
struct MaxOp {
  static float start() { return std::numeric_limits<float>::lowest(); }
  static float apply(float best, float value) { return value > best ? value : best; }
  template <class V>
  static V apply(V best, V value) {
    return Larger(best, value);
  }
  template <class D>
  static float reduce(D d, hn::Vec<D> v) {
    return hn::GetLane(hn::MaxOfLanes(d, v));
  }
};

struct SumOp {
  static float start() { return 0.0f; }
  static float apply(float sum, float value) { return sum + value; }
  template <class V>
  static V apply(V sum, V value) {
    return hn::Add(sum, value);
  }
  template <class D>
  static float reduce(D d, hn::Vec<D> v) {
    return hn::GetLane(hn::SumOfLanes(d, v));
  }
};

// The divisor of a reduced window: 1 except for averages.
float divisor_of(const PoolArgs& args, const PoolWindow& z, const PoolWindow& y, const PoolWindow& x) {
  if (args.kind != PoolKind::avg) return 1.0f;
  return static_cast<float>(std::max<std::int64_t>(1, pool_divisor(args, z, y, x)));
}

// A row of outputs: the plane it reads, and its windows along depth and height.
struct RowTask {
  const float* plane;
  float* out;
  PoolWindow z, y;

  RowTask(const PoolArgs& args, const void* src, void* dst, std::int64_t task)
      : plane(static_cast<const float*>(src) + task / args.out[1] / args.out[0] * args.plane_stride()),
        out(static_cast<float*>(dst) + task * args.out[2] * args.dst_step()),
        z(pool_window(args, 0, task / args.out[1] % args.out[0])),
        y(pool_window(args, 1, task % args.out[1])) {}
};

template <class Op>
void scalar_columns(const PoolArgs& args, const RowTask& row, std::int64_t begin, std::int64_t end) {
  for (std::int64_t ox = begin; ox < end; ++ox) {
    const PoolWindow x = pool_window(args, 2, ox);
    float value = Op::start();
    for (std::int64_t iz = row.z.first; iz < row.z.last; ++iz) {
      for (std::int64_t iy = row.y.first; iy < row.y.last; ++iy) {
        const float* in = row.plane + (iz * args.in[1] + iy) * args.in[2];
        for (std::int64_t ix = x.first; ix < x.last; ++ix) value = Op::apply(value, in[ix]);
      }
    }
    row.out[ox] = value / divisor_of(args, row.z, row.y, x);
  }
}

// Outputs [begin, end) in vectors, the last of which overlaps the one before; returns where it stopped: end,
// or begin if there are fewer than a vector. Every window is inside the row, and with stride 2 one
// more element may be read. kKernel is the width of the window, 0: any.
template <class Op, int kStride, int kKernel, class D>
std::int64_t vector_columns(D d, const PoolArgs& args, const RowTask& row, std::int64_t begin,
                            std::int64_t end) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t kernel = kKernel > 0 ? kKernel : args.kernel[2];
  if (begin + lanes > end) return begin;
  const auto divisor = hn::Set(d, divisor_of(args, row.z, row.y, pool_window(args, 2, begin)));
  for (std::int64_t next = begin; next < end; next += lanes) {
    const std::int64_t ox = std::min(next, end - lanes);
    auto value = hn::Set(d, Op::start());
    for (std::int64_t iz = row.z.first; iz < row.z.last; ++iz) {
      for (std::int64_t iy = row.y.first; iy < row.y.last; ++iy) {
        const float* in = row.plane + (iz * args.in[1] + iy) * args.in[2] + ox * kStride - args.pad[2];
        if (kStride == 1) {
          for (std::int64_t k = 0; k < kernel; ++k) value = Op::apply(value, hn::LoadU(d, in + k));
        } else {
          for (std::int64_t k = 0; k < kernel; k += 2) {
            hn::Vec<D> even, odd;
            hn::LoadInterleaved2(d, in + k, even, odd);
            value = Op::apply(value, even);
            if (k + 1 < kernel) value = Op::apply(value, odd);
          }
        }
      }
    }
    if (args.kind == PoolKind::avg) value = hn::Div(value, divisor);
    hn::StoreU(value, d, row.out + ox);
  }
  return end;
}

template <class Op, int kStride, int kKernel>
void PoolRows(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 4> narrow;
  // Columns whose window, and the elements read behind it, are inside the row.
  const std::int64_t reach = kStride == 2 ? (args.kernel[2] + 1) / 2 * 2 : args.kernel[2];
  const std::int64_t room = args.in[2] + args.pad[2] - reach;
  const std::int64_t inside_begin = std::min(args.out[2], (args.pad[2] + kStride - 1) / kStride);
  const std::int64_t inside_end = room < 0 ? 0 : std::min(args.out[2], room / kStride + 1);
  for (std::int64_t task = begin; task < end; ++task) {
    const RowTask row(args, src, dst, task);
    scalar_columns<Op>(args, row, 0, inside_begin);
    std::int64_t ox = vector_columns<Op, kStride, kKernel>(d, args, row, inside_begin, inside_end);
    ox = vector_columns<Op, kStride, kKernel>(narrow, args, row, ox, inside_end);
    scalar_columns<Op>(args, row, ox, args.out[2]);
  }
}

// kVectors vectors of channels from c on.
template <class Op, int kVectors, class D>
HWY_INLINE void window_channels(D d, const PoolArgs& args, const RowTask& row, const PoolWindow& x,
                                float* out, std::int64_t c, float divisor) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  hn::Vec<D> value[kVectors];
  for (int v = 0; v < kVectors; ++v) value[v] = hn::Set(d, Op::start());
  for (std::int64_t iz = row.z.first; iz < row.z.last; ++iz) {
    for (std::int64_t iy = row.y.first; iy < row.y.last; ++iy) {
      const float* in = row.plane + ((iz * args.in[1] + iy) * args.in[2] + x.first) * args.src_step() + c;
      for (std::int64_t ix = x.first; ix < x.last; ++ix, in += args.src_step()) {
        for (int v = 0; v < kVectors; ++v) value[v] = Op::apply(value[v], hn::LoadU(d, in + v * lanes));
      }
    }
  }
  for (int v = 0; v < kVectors; ++v)
    hn::StoreU(hn::Div(value[v], hn::Set(d, divisor)), d, out + c + v * lanes);
}

// A task is a row of outputs, or a block of its channels.
template <class Op>
void PoolChannels(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t blocks = pool_channel_blocks(args);
  for (std::int64_t task = begin; task < end; ++task) {
    const RowTask row(args, src, dst, task / blocks);
    const PoolChannelRange channels = pool_channel_range(args, task % blocks);
    for (std::int64_t ox = 0; ox < args.out[2]; ++ox) {
      const PoolWindow x = pool_window(args, 2, ox);
      const float divisor = divisor_of(args, row.z, row.y, x);
      float* out = row.out + ox * args.dst_step();
      std::int64_t c = channels.begin;
      for (; c + 4 * lanes <= channels.end; c += 4 * lanes)
        window_channels<Op, 4>(d, args, row, x, out, c, divisor);
      for (; c + lanes <= channels.end; c += lanes) window_channels<Op, 1>(d, args, row, x, out, c, divisor);
      for (; c < channels.end; ++c) window_channels<Op, 1>(one, args, row, x, out, c, divisor);
    }
  }
}

template <class Op>
void PoolGlobal(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const std::int64_t count = args.in_plane();
  const float divisor =
      divisor_of(args, pool_window(args, 0, 0), pool_window(args, 1, 0), pool_window(args, 2, 0));
  for (std::int64_t plane = begin; plane < end; ++plane) {
    const float* in = static_cast<const float*>(src) + plane * count;
    auto a = hn::Set(d, Op::start());
    auto b = a;
    std::int64_t i = 0;
    for (; i + 2 * lanes <= count; i += 2 * lanes) {
      a = Op::apply(a, hn::LoadU(d, in + i));
      b = Op::apply(b, hn::LoadU(d, in + i + lanes));
    }
    if (i + lanes <= count) {
      a = Op::apply(a, hn::LoadU(d, in + i));
      i += lanes;
    }
    float value = Op::reduce(d, Op::apply(a, b));
    for (; i < count; ++i) value = Op::apply(value, in[i]);
    static_cast<float*>(dst)[plane] = value / divisor;
  }
}

template <class Op, int kStride>
PoolFn rows_of_width(std::int64_t kernel) {
  if (kernel == 2) return PoolRows<Op, kStride, 2>;
  if (kernel == 3) return PoolRows<Op, kStride, 3>;
  return PoolRows<Op, kStride, 0>;
}

PoolFn RowsFor(const PoolArgs& args) {
  const bool two = args.stride[2] == 2;
  if (args.kind == PoolKind::max) {
    return two ? rows_of_width<MaxOp, 2>(args.kernel[2]) : rows_of_width<MaxOp, 1>(args.kernel[2]);
  }
  return two ? rows_of_width<SumOp, 2>(args.kernel[2]) : rows_of_width<SumOp, 1>(args.kernel[2]);
}

PoolFn ChannelsFor(const PoolArgs& args) {
  return args.kind == PoolKind::max ? PoolChannels<MaxOp> : PoolChannels<SumOp>;
}

PoolFn GlobalFor(const PoolArgs& args) {
  return args.kind == PoolKind::max ? PoolGlobal<MaxOp> : PoolGlobal<SumOp>;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(RowsFor);
MXINFER_TABLE(ChannelsFor);
MXINFER_TABLE(GlobalFor);

PoolFn pool_rows_f32(const PoolArgs& args, Target target) {
  return MXINFER_DISPATCH(RowsFor, target)(args);
}
PoolFn pool_channels_f32(const PoolArgs& args, Target target) {
  return MXINFER_DISPATCH(ChannelsFor, target)(args);
}
PoolFn pool_global_f32(const PoolArgs& args, Target target) {
  return MXINFER_DISPATCH(GlobalFor, target)(args);
}

}  // namespace mxinfer::kernels
#endif
