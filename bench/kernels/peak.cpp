#include "peak.h"

#include <algorithm>
#include <chrono>
#include <map>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/kernels/peak.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/common/dispatch.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::bench::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
constexpr int kChains = 12;  // enough to fill two pipes of any latency up to 6

/// Runs `rounds` rounds of kChains multiply-adds on vectors; returns their sum, so that they are not
/// optimised away.
float MultiplyAdds(long rounds) {
  const hn::ScalableTag<float> d;
  hn::Vec<decltype(d)> sum[kChains];
#pragma GCC unroll 16
  for (int i = 0; i < kChains; ++i) sum[i] = hn::Set(d, static_cast<float>(i));
  const auto factor = hn::Set(d, 0.999f), term = hn::Set(d, 0.001f);
  for (long r = 0; r < rounds; ++r) {
#pragma GCC unroll 16
    for (int i = 0; i < kChains; ++i) sum[i] = hn::MulAdd(sum[i], factor, term);
  }
  for (int i = 1; i < kChains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  return hn::GetLane(sum[0]);
}

double FlopsOfRound() {
  return 2.0 * kChains * static_cast<double>(HWY_LANES(float));
}

}  // namespace mxinfer::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mxinfer::bench {

MXINFER_TABLE(MultiplyAdds);
MXINFER_TABLE(FlopsOfRound);

double peak_gflops(kernels::Target target) {
  static std::map<kernels::Target, double> known;
  if (const auto found = known.find(target); found != known.end()) return found->second;
  const kernels::Target compiled = target == kernels::Target::ref ? kernels::Target::baseline : target;
  constexpr long kRounds = 2'000'000;
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    volatile float result = MXINFER_DISPATCH(MultiplyAdds, compiled)(kRounds);
    (void)result;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    best = std::max(best, static_cast<double>(kRounds) * MXINFER_DISPATCH(FlopsOfRound, compiled)() /
                              seconds.count() / 1e9);
  }
  return known[target] = best;
}

}  // namespace mxinfer::bench
#endif  // HWY_ONCE
