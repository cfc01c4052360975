#include "kernels/int8/int8_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/int8/int8_pool_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "kernels/int8/rounding.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// One window: `each(address)` for every position, the address of its channel c.
template <typename T, class Each>
HWY_INLINE void ForPositions(const PoolArgs& args, const T* plane, const Int8PoolRow& row,
                             const PoolWindow& x, std::int64_t c, const Each& each) {
  for (std::int64_t iz = row.z.first; iz < row.z.last; ++iz) {
    for (std::int64_t iy = row.y.first; iy < row.y.last; ++iy) {
      const T* from = plane + ((iz * args.in[1] + iy) * args.in[2] + x.first) * args.inner + c;
      for (std::int64_t ix = x.first; ix < x.last; ++ix, from += args.inner) each(from);
    }
  }
}

struct BytesMax {
  // The vectors of a window are of bytes.
  template <typename T>
  using Lane = T;

  template <typename T, class D>
  static void Channels(D d, const PoolArgs& args, const T* plane, const Int8PoolRow& row, const PoolWindow& x,
                       std::int64_t c, T* to) {
    auto largest = hn::Set(d, std::numeric_limits<T>::min());
    ForPositions(args, plane, row, x, c,
                 [&](const T* from) HWY_ATTR { largest = hn::Max(largest, hn::LoadU(d, from)); });
    hn::StoreU(largest, d, to + c);
  }
  template <typename T>
  static void Channel(const PoolArgs& args, const T* plane, const Int8PoolRow& row, const PoolWindow& x,
                      std::int64_t c, T* to) {
    T largest = std::numeric_limits<T>::min();
    ForPositions(args, plane, row, x, c, [&](const T* from) { largest = std::max(largest, *from); });
    to[c] = largest;
  }
};

struct BytesMean {
  // They are of 32-bit sums.
  template <typename T>
  using Lane = std::int32_t;

  template <typename T, class D>
  static void Channels(D d, const PoolArgs& args, const T* plane, const Int8PoolRow& row, const PoolWindow& x,
                       std::int64_t c, T* to) {
    const hn::Rebind<T, D> bytes;
    const hn::Rebind<float, D> floats;
    auto sum = hn::Zero(d);
    ForPositions(args, plane, row, x, c, [&](const T* from) HWY_ATTR {
      sum = hn::Add(sum, hn::PromoteTo(d, hn::LoadU(bytes, from)));
    });
    const auto mean = hn::Div(hn::ConvertTo(floats, sum), hn::Set(floats, row.divisor(args, x)));
    hn::StoreU(hn::DemoteTo(bytes, hn::NearestInt(mean)), bytes, to + c);
  }
  template <typename T>
  static void Channel(const PoolArgs& args, const T* plane, const Int8PoolRow& row, const PoolWindow& x,
                      std::int64_t c, T* to) {
    std::int32_t sum = 0;
    ForPositions(args, plane, row, x, c, [&](const T* from) { sum += *from; });
    to[c] = saturate<T>(static_cast<float>(sum) / row.divisor(args, x));
  }
};

// Vectors of channels, the last of which overlaps the one before; with fewer than 16 channels, one by one.
template <class Op, typename T>
void PoolBytes(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  using Lane = typename Op::template Lane<T>;
  const hn::ScalableTag<Lane> wide;
  const hn::CappedTag<Lane, 16 / sizeof(Lane)> narrow;
  const auto wide_lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(narrow));
  for (std::int64_t task = begin; task < end; ++task) {
    const Int8PoolRow row(args, task);
    const T* plane = static_cast<const T*>(src) + row.plane * args.in_plane();
    T* to = static_cast<T*>(dst) + task * args.out[2] * args.inner;
    for (std::int64_t ox = 0; ox < args.out[2]; ++ox, to += args.inner) {
      const PoolWindow x = pool_window(args, 2, ox);
      std::int64_t c = 0;
      for (; c + wide_lanes <= args.inner; c += wide_lanes) Op::Channels(wide, args, plane, row, x, c, to);
      for (; c + lanes <= args.inner; c += lanes) Op::Channels(narrow, args, plane, row, x, c, to);
      if (c < args.inner && args.inner >= lanes) {
        Op::Channels(narrow, args, plane, row, x, args.inner - lanes, to);
      } else {
        for (; c < args.inner; ++c) Op::Channel(args, plane, row, x, c, to);
      }
    }
  }
}

void MaxOfS8(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  PoolBytes<BytesMax, std::int8_t>(args, src, dst, begin, end);
}
void MaxOfU8(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  PoolBytes<BytesMax, std::uint8_t>(args, src, dst, begin, end);
}
void MeanOfS8(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  PoolBytes<BytesMean, std::int8_t>(args, src, dst, begin, end);
}
void MeanOfU8(const PoolArgs& args, const void* src, void* dst, std::int64_t begin, std::int64_t end) {
  PoolBytes<BytesMean, std::uint8_t>(args, src, dst, begin, end);
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {
namespace {

MXINFER_TABLE(MaxOfS8);
MXINFER_TABLE(MaxOfU8);
MXINFER_TABLE(MeanOfS8);
MXINFER_TABLE(MeanOfU8);

// Beyond, sums of a window might not fit 32 bits.
constexpr std::int64_t kMostElements = std::int64_t{1} << 23;

bool is_small(const PoolArgs& args) {
  std::int64_t elements = 1;
  for (int d = 0; d < 3; ++d) elements *= std::min(args.kernel[d], args.in[d]);
  return elements <= kMostElements;
}

PoolFn channels_pool(const PoolArgs& args, Int8Type type, Target target) {
  const bool is_signed = type == Int8Type::s8;
  if (args.kind == PoolKind::max)
    return is_signed ? MXINFER_DISPATCH(MaxOfS8, target) : MXINFER_DISPATCH(MaxOfU8, target);
  return is_signed ? MXINFER_DISPATCH(MeanOfS8, target) : MXINFER_DISPATCH(MeanOfU8, target);
}

}  // namespace

PoolKernel select_int8_pool(const PoolArgs& args, Int8Type type, Target target) {
  PoolKernel kernel = int8_pool_ref(type);
  if (target == Target::ref) {
    kernel.reason = "the reference was requested";
  } else if (args.inner == 1) {
    kernel.reason = "plain loops: channels are not innermost";
  } else if (!is_small(args)) {
    kernel.reason = "plain loops: sums of a window do not fit 32 bits";
  } else {
    kernel.name = "int8_pool_channels";
    kernel.reason = "vectors along the channels";
    kernel.run = channels_pool(args, type, target);
    kernel.target = target;
  }
  return kernel;
}

}  // namespace mxinfer::kernels
#endif
