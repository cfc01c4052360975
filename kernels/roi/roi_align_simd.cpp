#include "kernels/roi/roi_align_samples-inl.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/roi/roi_align_simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which includes this file once a target.
#include <hwy/highway.h>

#include "kernels/common/partial-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mxinfer::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The pixels of a row that a region has samples between.
struct Columns {
  std::int64_t first, count;
};

inline Columns columns_of(const SampleTable<float>& xs, std::int64_t bins) {
  const std::int64_t samples = xs.first[bins];  // ascending, and so are their pixels
  if (samples == 0) return {0, 0};
  const std::int64_t first = xs.samples[0].low;
  return {first, xs.samples[samples - 1].high + 1 - first};
}

/// sum = the rows of a bin, weighted as its samples are: at each pixel of the columns, before samples of the
/// row are taken.
inline void sum_rows(const RoiAlignArgs& args, const SampleTable<float>& ys, std::int64_t bin,
                     const float* plane, const Columns& columns, float* sum) {
  const hn::ScalableTag<float> d;
  const auto n = static_cast<std::int64_t>(hn::Lanes(d));
  const float* from = plane + columns.first;
  for (std::int64_t x = 0; x < columns.count; x += n) {
    const std::int64_t rest = columns.count - x;
    auto total = hn::Zero(d);
    for (std::int64_t i = ys.first[bin]; i < ys.first[bin + 1]; ++i) {
      const Sample<float>& y = ys.samples[i];
      const float* low = from + y.low * args.width + x;
      const float* high = from + y.high * args.width + x;
      const bool whole = rest >= n;
      total = hn::MulAdd(hn::Set(d, y.low_weight), whole ? hn::LoadU(d, low) : LoadFirst(d, low, rest, 0.0f),
                         total);
      total = hn::MulAdd(hn::Set(d, y.high_weight),
                         whole ? hn::LoadU(d, high) : LoadFirst(d, high, rest, 0.0f), total);
    }
    hn::StoreU(total, d, sum + x);
  }
}

inline void sum_bins(const SampleTable<float>& xs, std::int64_t bins, const float* sum, float divisor,
                     float* dst) {
  for (std::int64_t bin = 0; bin < bins; ++bin) {
    float total = 0;
    for (std::int64_t j = xs.first[bin]; j < xs.first[bin + 1]; ++j) {
      const Sample<float>& x = xs.samples[j];
      total += x.low_weight * sum[x.low] + x.high_weight * sum[x.high];
    }
    dst[bin] = total / divisor;
  }
}

void RoiAlign(const RoiAlignArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  RegionSamples<float> region(args, scratch);
  auto* sum = reinterpret_cast<float*>(scratch + RegionSamples<float>::bytes(args));
  for_each_region(args, region, begin, end, [&](std::int64_t channel, float* dst) {
    const float* plane = region.plane(channel);
    const Columns columns = columns_of(region.xs(), args.bins_x);
    for (std::int64_t y = 0; y < args.bins_y; ++y) {
      sum_rows(args, region.ys(), y, plane, columns, sum + columns.first);
      sum_bins(region.xs(), args.bins_x, sum, region.divisor(), dst + y * args.bins_x);
    }
  });
}

}  // namespace mxinfer::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/common/dispatch.h"

namespace mxinfer::kernels {
namespace {
MXINFER_TABLE(RoiAlign);
}  // namespace

std::size_t roi_align_f32_scratch(const RoiAlignArgs& args) {
  // A row of the map; the last vector is stored whole, and those of AVX-512 have 64 bytes.
  const std::size_t row = static_cast<std::size_t>(args.width) * sizeof(float) + 64;
  return RegionSamples<float>::bytes(args) + row;
}

RoiAlignFn select_roi_align_f32(Target target) {
  return MXINFER_DISPATCH(RoiAlign, target);
}

}  // namespace mxinfer::kernels
#endif
