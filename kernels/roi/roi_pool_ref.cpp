#include <algorithm>
#include <cmath>

#include "kernels/roi/roi.h"

namespace mxinfer::kernels {
namespace {

/// Bins along one axis, in pixels. MXNet computes them with ints, which wrap around for absurd coordinates.
template <typename A>
struct BinAxis {
  std::int32_t start = 0;
  A size = 1;  ///< of a bin
  std::int64_t limit = 0;

  BinAxis(A low, A high, A scale, std::int64_t bins, std::int64_t pixels) : limit(pixels) {
    start = convert<std::int32_t>(std::round(low * scale));
    const auto end = convert<std::int32_t>(std::round(high * scale));
    const auto length =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(end) - static_cast<std::uint32_t>(start) + 1u);
    size = static_cast<A>(std::max(length, 1)) / static_cast<A>(bins);
  }
  std::int64_t clamp(A pixel) const {
    return std::clamp<std::int64_t>(convert<std::int32_t>(pixel) + std::int64_t{start}, 0, limit);
  }
  std::int64_t first(std::int64_t bin) const { return clamp(std::floor(static_cast<A>(bin) * size)); }
  std::int64_t last(std::int64_t bin) const { return clamp(std::ceil(static_cast<A>(bin + 1) * size)); }
};

template <typename T>
Real<T> largest(const T* plane, std::int64_t width, std::int64_t y1, std::int64_t y2, std::int64_t x1,
                std::int64_t x2) {
  using A = Real<T>;
  if (y2 <= y1 || x2 <= x1) return 0;
  A best = std::is_same_v<T, Float16> ? A(-65504) : std::numeric_limits<A>::lowest();
  for (std::int64_t y = y1; y < y2; ++y) {
    for (std::int64_t x = x1; x < x2; ++x) {
      const A value = static_cast<A>(plane[y * width + x]);
      best = value > best ? value : best;
    }
  }
  return best;
}

template <typename T>
void roi_pool(const RoiArgs& args, std::int64_t begin, std::int64_t end) {
  using A = Real<T>;
  for (std::int64_t task = begin; task < end; ++task) {
    const T* roi = static_cast<const T*>(args.rois) + task / args.channels * 5;
    T* dst = static_cast<T*>(args.dst) + task * args.bins();
    const std::int64_t index = convert<std::int32_t>(static_cast<A>(roi[0]));
    if (index < 0 || index >= args.batch) {
      std::fill_n(dst, args.bins(), static_cast<T>(A(0)));
      continue;
    }
    const T* plane =
        static_cast<const T*>(args.data) + (index * args.channels + task % args.channels) * args.plane();
    const A scale = static_cast<A>(args.scale);
    const BinAxis<A> xs(static_cast<A>(roi[1]), static_cast<A>(roi[3]), scale, args.bins_x, args.width);
    const BinAxis<A> ys(static_cast<A>(roi[2]), static_cast<A>(roi[4]), scale, args.bins_y, args.height);
    for (std::int64_t y = 0; y < args.bins_y; ++y) {
      for (std::int64_t x = 0; x < args.bins_x; ++x) {
        *dst++ = static_cast<T>(largest(plane, args.width, ys.first(y), ys.last(y), xs.first(x), xs.last(x)));
      }
    }
  }
}

}  // namespace

RoiPoolFn select_roi_pool(ElementType type) {
  static constexpr PerType<RoiPoolFn> kFunctions{roi_pool<float>, roi_pool<double>, roi_pool<Float16>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
