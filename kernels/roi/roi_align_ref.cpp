#include <algorithm>
#include <cmath>

#include "kernels/roi/roi_align_samples-inl.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
Real<T> bin_sum(const RoiAlignArgs& args, const RegionSamples<T>& region, const T* plane, std::int64_t bin_y,
                std::int64_t bin_x) {
  using A = Real<T>;
  const SampleTable<A>&xs = region.xs(), &ys = region.ys();
  A total = 0;
  for (std::int64_t i = ys.first[bin_y]; i < ys.first[bin_y + 1]; ++i) {
    const Sample<A>& y = ys.samples[i];
    const T* low = plane + y.low * args.width;
    const T* high = plane + y.high * args.width;
    for (std::int64_t j = xs.first[bin_x]; j < xs.first[bin_x + 1]; ++j) {
      const Sample<A>& x = xs.samples[j];
      total += y.low_weight * (x.low_weight * A(low[x.low]) + x.high_weight * A(low[x.high])) +
               y.high_weight * (x.low_weight * A(high[x.low]) + x.high_weight * A(high[x.high]));
    }
  }
  return total;
}

template <typename T>
void roi_align(const RoiAlignArgs& args, std::byte* scratch, std::int64_t begin, std::int64_t end) {
  RegionSamples<T> region(args, scratch);
  for_each_region(args, region, begin, end, [&](std::int64_t channel, T* dst) {
    for (std::int64_t bin = 0; bin < args.bins(); ++bin) {
      const T* plane = region.plane(args.position_sensitive ? channel * args.bins() + bin : channel);
      dst[bin] = static_cast<T>(bin_sum(args, region, plane, bin / args.bins_x, bin % args.bins_x) /
                                region.divisor());
    }
  });
}

/// A region turned around its center.
template <typename A>
struct Rotated {
  A x, y, cosine, sine;
  RegionAxis<A> xs, ys;
};

template <typename T>
Rotated<Real<T>> rotated_region(const RoiAlignArgs& args, const T* roi) {
  using A = Real<T>;
  const A scale = static_cast<A>(args.scale);
  const A angle = static_cast<A>(static_cast<double>(static_cast<A>(roi[5])) * 3.14159265358979323846 / 180);
  const auto axis = [&](T size, std::int64_t bins) {
    const A length = std::max(static_cast<A>(size) * scale, A(1));
    const A bin = length / static_cast<A>(bins);
    return RegionAxis<A>{-length / 2, bin, samples_of(args.samples, bin)};
  };
  return {static_cast<A>(roi[1]) * scale, static_cast<A>(roi[2]) * scale, std::cos(angle), std::sin(angle),
          axis(roi[3], args.bins_x),      axis(roi[4], args.bins_y)};
}

template <typename T>
Real<T> rotated_sum(const RoiAlignArgs& args, const Rotated<Real<T>>& region, const T* plane,
                    std::int64_t bin_y, std::int64_t bin_x) {
  using A = Real<T>;
  A total = 0;
  for (std::int64_t i = 0; i < region.ys.samples; ++i) {
    const A v = region.ys.position(bin_y, i);
    for (std::int64_t j = 0; j < region.xs.samples; ++j) {
      const A u = region.xs.position(bin_x, j);
      const A x = u * region.cosine + v * region.sine + region.x;
      const A y = v * region.cosine - u * region.sine + region.y;
      if (is_outside(x, args.width) || is_outside(y, args.height)) continue;
      const Sample<A> sx = sample_at(x, args.width), sy = sample_at(y, args.height);
      const T* low = plane + sy.low * args.width;
      const T* high = plane + sy.high * args.width;
      total += sy.low_weight * (sx.low_weight * A(low[sx.low]) + sx.high_weight * A(low[sx.high])) +
               sy.high_weight * (sx.low_weight * A(high[sx.low]) + sx.high_weight * A(high[sx.high]));
    }
  }
  return total;
}

template <typename T>
void roi_align_rotated(const RoiAlignArgs& args, std::int64_t begin, std::int64_t end) {
  using A = Real<T>;
  for (std::int64_t task = begin; task < end; ++task) {
    const T* roi = static_cast<const T*>(args.rois) + task / args.channels * 6;
    const Rotated<A> region = rotated_region(args, roi);
    const A divisor = static_cast<A>(region.xs.samples) * static_cast<A>(region.ys.samples);
    const std::int64_t index = convert<std::int32_t>(static_cast<A>(roi[0]));
    const T* plane =
        static_cast<const T*>(args.data) + (index * args.channels + task % args.channels) * args.plane();
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    for (std::int64_t bin = 0; bin < args.bins(); ++bin) {
      dst[bin] =
          static_cast<T>(rotated_sum(args, region, plane, bin / args.bins_x, bin % args.bins_x) / divisor);
    }
  }
}

}  // namespace

std::size_t roi_align_scratch(const RoiAlignArgs& args) {
  return RegionSamples<double>::bytes(args);
}

RoiAlignFn select_roi_align(ElementType type) {
  static constexpr PerType<RoiAlignFn> kFunctions{roi_align<float>, roi_align<double>, roi_align<Float16>};
  return pick(kFunctions, type);
}

RoiAlignRotatedFn select_roi_align_rotated(ElementType type) {
  static constexpr PerType<RoiAlignRotatedFn> kFunctions{roi_align_rotated<float>, roi_align_rotated<double>,
                                                         roi_align_rotated<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
