#include "kernels/speed/speed.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/speed/speed_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr std::int64_t kLanes = HWY_LANES(float);

/// As many sums as the tiles of GEMM keep: enough to hide the latency of an addition.
constexpr int kSums = 12;

HWY_INLINE float Total(V (&sum)[kSums]) {
  for (int i = 1; i < kSums; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  return hn::GetLane(sum[0]);
}

float Multiply(std::int64_t rounds) {
  const D d;
  // Sums stay near 1, whatever the number of rounds.
  const V factor = hn::Set(d, 0.5f), term = hn::Set(d, static_cast<float>(rounds & 1) + 0.5f);
  V sum[kSums];
#pragma GCC unroll 12
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Set(d, static_cast<float>(i));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kSums; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
  }
  return Total(sum);
}

float Read(const float* from, std::int64_t count) {
  const D d;
  constexpr int kVectors = 8;
  V sum[kSums];
#pragma GCC unroll 12
  for (int i = 0; i < kSums; ++i) sum[i] = hn::Zero(d);
  for (std::int64_t at = 0; at < count; at += kVectors * kLanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) sum[i] = hn::Add(sum[i], hn::LoadU(d, from + at + i * kLanes));
  }
  return Total(sum);
}

constexpr SpeedKernel kKernel{2.0 * kSums * kLanes, Multiply, Read};

}  // namespace

const SpeedKernel& SpeedImpl() {
  return kKernel;
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::kernels {

MXINFER_TABLE(SpeedImpl);

const SpeedKernel& speed_kernel(Target target) {
  return MXINFER_DISPATCH(SpeedImpl, target)();
}

void flush_from_caches(const float* from, std::int64_t count) {
  constexpr std::int64_t kLineFloats = 16;
  for (std::int64_t at = 0; at < count; at += kLineFloats) hwy::FlushCacheline(from + at);
}

}  // namespace mxinfer::kernels
#endif  // HWY_ONCE
