#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/softmax/softmax_simd.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/common/math-inl.h"
#include "kernels/common/partial-inl.h"
#include "kernels/softmax/softmax.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels {
namespace HWY_NAMESPACE {
namespace {

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

/// dst[i] = f(src[i]), a vector at a time; elements beyond the end are `fill`.
template <class F>
HWY_INLINE void ForEachVector(const float* src, float* dst, std::int64_t n, float fill, const F& f) {
  const DF d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const VF y = f.of(hn::LoadU(d, src + i));
    if (dst != nullptr) hn::StoreU(y, d, dst + i);
  }
  if (i == n) return;
  const VF y = f.of(LoadFirst(d, src + i, n - i, fill));
  if (dst != nullptr) StoreFirst(d, y, dst + i, n - i);
}

struct Largest {
  VF sign;
  mutable VF largest;
  HWY_INLINE VF of(VF x) const { return largest = hn::Max(largest, hn::Mul(x, sign)); }
};
/// s = (sign x - max) / temperature; adds exp(s) to the sum and returns it.
struct ExpSum {
  VF sign, largest, scale;
  mutable VF sum;
  HWY_INLINE VF of(VF x) const {
    const DF d;
    const VF e = Exp(d, hn::Mul(hn::Sub(hn::Mul(x, sign), largest), scale));
    sum = hn::Add(sum, e);
    return e;
  }
};
struct Times {
  VF factor;
  HWY_INLINE VF of(VF x) const { return hn::Mul(x, factor); }
};
struct LogShift {
  VF sign, largest, scale, log_sum;
  HWY_INLINE VF of(VF x) const {
    return hn::Sub(hn::Mul(hn::Sub(hn::Mul(x, sign), largest), scale), log_sum);
  }
};

HWY_INLINE void Row(const SoftmaxArgs& args, const float* src, float* dst, std::int64_t n) {
  const DF d;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const VF sign = hn::Set(d, args.sign);
  const VF scale = hn::Set(d, static_cast<float>(1 / args.temperature));
  // Elements beyond the end count as -infinity, whose exponential is 0.
  const float fill = args.sign * -kInfinity;
  Largest largest{sign, hn::Set(d, -kInfinity)};
  ForEachVector(src, nullptr, n, fill, largest);
  const VF shift = hn::MaxOfLanes(d, largest.largest);
  ExpSum exponentials{sign, shift, scale, hn::Zero(d)};
  ForEachVector(src, args.log ? nullptr : dst, n, fill, exponentials);
  const float sum = hn::GetLane(hn::SumOfLanes(d, exponentials.sum));
  if (args.log) {
    ForEachVector(src, dst, n, fill, LogShift{sign, shift, scale, hn::Set(d, std::log(sum))});
  } else {
    ForEachVector(dst, dst, n, 0.0f, Times{hn::Set(d, 1.0f / sum)});
  }
}

/// Adjacent lines, one in each lane; `count` lanes are in use.
HWY_INLINE void Columns(const SoftmaxArgs& args, const float* src, float* dst, std::int64_t count) {
  const DF d;
  const bool full = count == static_cast<std::int64_t>(hn::Lanes(d));
  const VF sign = hn::Set(d, args.sign);
  const VF scale = hn::Set(d, static_cast<float>(1 / args.temperature));
  const auto load = [&](const float* from, std::int64_t i) HWY_ATTR {
    const float* at = from + i * args.inner;
    return full ? hn::LoadU(d, at) : LoadFirst(d, at, count, 0.0f);
  };
  const auto store = [&](VF v, std::int64_t i) HWY_ATTR {
    float* at = dst + i * args.inner;
    if (full) {
      hn::StoreU(v, d, at);
    } else {
      StoreFirst(d, v, at, count);
    }
  };
  VF largest = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i < args.axis; ++i) largest = hn::Max(largest, hn::Mul(load(src, i), sign));
  ExpSum exponentials{sign, largest, scale, hn::Zero(d)};
  for (std::int64_t i = 0; i < args.axis; ++i) {
    const VF e = exponentials.of(load(src, i));
    if (!args.log) store(e, i);
  }
  if (args.log) {
    const LogShift shift{sign, largest, scale, Log(d, exponentials.sum)};
    for (std::int64_t i = 0; i < args.axis; ++i) store(shift.of(load(src, i)), i);
  } else {
    const Times times{hn::Div(hn::Set(d, 1.0f), exponentials.sum)};
    for (std::int64_t i = 0; i < args.axis; ++i) store(times.of(load(dst, i)), i);
  }
}

}  // namespace

void SoftmaxRows(const SoftmaxArgs& args, const void* src, void* dst, const void* lengths, std::int64_t begin,
                 std::int64_t end) {
  for (std::int64_t k = begin; k < end; ++k) {
    const std::int64_t n = softmax_length(args, lengths, k);
    float* out = static_cast<float*>(dst) + k * args.axis;
    if (n > 0) Row(args, static_cast<const float*>(src) + k * args.axis, out, n);
    std::fill(out + n, out + args.axis, 0.0f);
  }
}

void SoftmaxColumns(const SoftmaxArgs& args, const void* src, void* dst, const void*, std::int64_t begin,
                    std::int64_t end) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(DF()));
  while (begin < end) {
    const std::int64_t column = begin % args.inner;
    const std::int64_t offset = begin / args.inner * args.axis * args.inner + column;
    const std::int64_t n = std::min({lanes, args.inner - column, end - begin});
    Columns(args, static_cast<const float*>(src) + offset, static_cast<float*>(dst) + offset, n);
    begin += n;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mxinfer::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {

MXINFER_TABLE(SoftmaxRows);
MXINFER_TABLE(SoftmaxColumns);

SoftmaxFn softmax_rows_f32(Target target) {
  return MXINFER_DISPATCH(SoftmaxRows, target);
}
SoftmaxFn softmax_columns_f32(Target target) {
  return MXINFER_DISPATCH(SoftmaxColumns, target);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
