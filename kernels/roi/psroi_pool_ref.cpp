#include <algorithm>
#include <cmath>

#include "kernels/roi/roi.h"

namespace mxinfer::kernels {
namespace {

/// A region in pixels of the map: whole pixels of the image, scaled; `shift` moves pixel centers.
template <typename A>
struct Region {
  A x, y, width, height;
};

template <typename T>
Region<Real<T>> region_of(const T* roi, float map_scale, Real<T> shift) {
  using A = Real<T>;
  const A scale = static_cast<A>(map_scale);
  const auto start = [&](T low) { return std::round(static_cast<A>(low)) * scale - shift; };
  const auto end = [&](T high) { return (std::round(static_cast<A>(high)) + 1) * scale - shift; };
  const A x = start(roi[1]), y = start(roi[2]);
  return {x, y, std::max(end(roi[3]) - x, A(0.1)), std::max(end(roi[4]) - y, A(0.1))};
}

// The group that a bin belongs to.
std::int64_t group_of(std::int64_t bin, std::int64_t bins, std::int64_t groups) {
  return std::clamp<std::int64_t>(bin * groups / bins, 0, groups - 1);
}

// The channel that a bin of an output channel reads.
std::int64_t channel_of(const PsRoiPoolArgs& args, std::int64_t channel, std::int64_t y, std::int64_t x) {
  return (channel * args.groups + group_of(y, args.bins_y, args.groups)) * args.groups +
         group_of(x, args.bins_x, args.groups);
}

template <typename T>
const T* map_of(const PsRoiPoolArgs& args, const T* roi) {
  const std::int64_t index = convert<std::int32_t>(static_cast<Real<T>>(roi[0]));
  return static_cast<const T*>(args.data) + index * args.channels * args.plane();
}

/// One bin of one region and output channel.
template <typename T>
struct Bin {
  Region<Real<T>> region;
  Real<T> width, height;
  std::int64_t task, row, column;
  const T* plane;  ///< of the channel that it reads
};

// Fills the bins of the tasks with pool(bin).
template <typename T, typename Pool>
void for_bins(const PsRoiPoolArgs& args, std::int64_t begin, std::int64_t end, Real<T> shift,
              const Pool& pool) {
  using A = Real<T>;
  for (std::int64_t task = begin; task < end; ++task) {
    const T* roi = static_cast<const T*>(args.rois) + task / args.out_channels * 5;
    const Region<A> region = region_of(roi, args.scale, shift);
    const A width = region.width / static_cast<A>(args.bins_x);
    const A height = region.height / static_cast<A>(args.bins_y);
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    for (std::int64_t y = 0; y < args.bins_y; ++y) {
      for (std::int64_t x = 0; x < args.bins_x; ++x) {
        const T* plane = map_of(args, roi) + channel_of(args, task % args.out_channels, y, x) * args.plane();
        *dst++ = static_cast<T>(pool(Bin<T>{region, width, height, task, y, x, plane}));
      }
    }
  }
}

template <typename T>
Real<T> average(const T* plane, std::int64_t width, std::int64_t y1, std::int64_t y2, std::int64_t x1,
                std::int64_t x2) {
  using A = Real<T>;
  if (y2 <= y1 || x2 <= x1) return 0;
  A sum = 0;
  for (std::int64_t y = y1; y < y2; ++y) {
    for (std::int64_t x = x1; x < x2; ++x) sum += static_cast<A>(plane[y * width + x]);
  }
  return sum / static_cast<A>((y2 - y1) * (x2 - x1));
}

template <typename T>
void psroi_pool(const PsRoiPoolArgs& args, std::int64_t begin, std::int64_t end) {
  using A = Real<T>;
  const auto pixel = [](A position, std::int64_t limit) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(position), 0, limit);
  };
  for_bins<T>(args, begin, end, A(0), [&](const Bin<T>& bin) {
    const A top = static_cast<A>(bin.row) * bin.height, bottom = static_cast<A>(bin.row + 1) * bin.height;
    const A left = static_cast<A>(bin.column) * bin.width, right = static_cast<A>(bin.column + 1) * bin.width;
    const auto y1 = pixel(std::floor(top + bin.region.y), args.height);
    const auto y2 = pixel(std::ceil(bottom + bin.region.y), args.height);
    const auto x1 = pixel(std::floor(left + bin.region.x), args.width);
    const auto x2 = pixel(std::ceil(right + bin.region.x), args.width);
    return average(bin.plane, args.width, y1, y2, x1, x2);
  });
}

template <typename T>
Real<T> interpolate(const T* plane, Real<T> x, Real<T> y, std::int64_t width) {
  using A = Real<T>;
  const auto x1 = static_cast<std::int64_t>(std::floor(x)), x2 = static_cast<std::int64_t>(std::ceil(x));
  const auto y1 = static_cast<std::int64_t>(std::floor(y)), y2 = static_cast<std::int64_t>(std::ceil(y));
  const A dx = x - static_cast<A>(x1), dy = y - static_cast<A>(y1);
  const T *low = plane + y1 * width, *high = plane + y2 * width;
  return (1 - dx) * (1 - dy) * A(low[x1]) + (1 - dx) * dy * A(high[x1]) + dx * (1 - dy) * A(low[x2]) +
         dx * dy * A(high[x2]);
}

// The average of the samples of a bin that are in the map; (x, y) is the first one.
template <typename T>
Real<T> sampled(const PsRoiPoolArgs& args, const T* plane, Real<T> x, Real<T> y, Real<T> step_x,
                Real<T> step_y) {
  using A = Real<T>;
  const A right = static_cast<A>(args.width), bottom = static_cast<A>(args.height);
  A sum = 0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < args.samples; ++i) {
    for (std::int64_t j = 0; j < args.samples; ++j) {
      const A at_x = x + static_cast<A>(j) * step_x, at_y = y + static_cast<A>(i) * step_y;
      if (!(at_x >= A(-0.5) && at_x <= right - A(0.5) && at_y >= A(-0.5) && at_y <= bottom - A(0.5)))
        continue;
      sum += interpolate(plane, std::clamp(at_x, A(0), right - 1), std::clamp(at_y, A(0), bottom - 1),
                         args.width);
      ++count;
    }
  }
  return count == 0 ? A(0) : sum / static_cast<A>(count);
}

// How far a bin is moved along axis 0 (x) or 1 (y), in units of the region.
template <typename T>
Real<T> offset_of(const PsRoiPoolArgs& args, std::int64_t axis, const Bin<T>& bin) {
  if (args.trans == nullptr) return 0;
  const std::int64_t region = bin.task / args.out_channels, channel = bin.task % args.out_channels;
  const std::int64_t of = region * args.classes + channel / (args.out_channels / args.classes);
  const std::int64_t part_y = bin.row * args.parts / args.bins_y;
  const std::int64_t part_x = bin.column * args.parts / args.bins_x;
  const T value =
      static_cast<const T*>(args.trans)[((of * 2 + axis) * args.parts + part_y) * args.parts + part_x];
  return static_cast<Real<T>>(value) * static_cast<Real<T>>(args.trans_std);
}

template <typename T>
void deformable_psroi_pool(const PsRoiPoolArgs& args, std::int64_t begin, std::int64_t end) {
  using A = Real<T>;
  const A samples = static_cast<A>(args.samples);
  for_bins<T>(args, begin, end, A(0.5), [&](const Bin<T>& bin) {
    const Region<A>& region = bin.region;
    const A x = static_cast<A>(bin.column) * bin.width + region.x + offset_of(args, 0, bin) * region.width;
    const A y = static_cast<A>(bin.row) * bin.height + region.y + offset_of(args, 1, bin) * region.height;
    return sampled(args, bin.plane, x, y, bin.width / samples, bin.height / samples);
  });
}

}  // namespace

PsRoiPoolFn select_psroi_pool(ElementType type) {
  static constexpr PerType<PsRoiPoolFn> kFunctions{psroi_pool<float>, psroi_pool<double>,
                                                   psroi_pool<Float16>};
  return pick(kFunctions, type);
}

PsRoiPoolFn select_deformable_psroi_pool(ElementType type) {
  static constexpr PerType<PsRoiPoolFn> kFunctions{
      deformable_psroi_pool<float>, deformable_psroi_pool<double>, deformable_psroi_pool<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
