#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/reduce/dims_walk-inl.h"
#include "kernels/sort/percentile.h"

namespace mxinfer::kernels {
namespace {

template <typename Place>
double percentile_of(const double* sorted, std::int64_t count, double q, Interpolation interpolation) {
  const Place place = static_cast<Place>(q) / 100 * static_cast<Place>(count - 1);
  const auto at = [&](Place position) {
    return sorted[std::clamp<std::int64_t>(static_cast<std::int64_t>(position), 0, count - 1)];
  };
  const double low = at(std::floor(place)), high = at(std::ceil(place));
  switch (interpolation) {
    case Interpolation::lower:
      return low;
    case Interpolation::higher:
      return high;
    case Interpolation::midpoint:
      return (low + high) / 2;
    case Interpolation::nearest:
      return at(std::round(place));
    default: {
      const Place part = place - std::floor(place);
      return low == high ? low : low * static_cast<double>(1 - part) + high * static_cast<double>(part);
    }
  }
}

template <typename T>
void percentiles(const PercentileArgs& args, std::int64_t begin, std::int64_t end) {
  using Out = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const std::int64_t count = args.shape.reduced.elements();
  for (std::int64_t i = begin; i < end; ++i) {
    const T* first = static_cast<const T*>(args.src) + offset_of(args.shape.kept, i);
    bool has_nan = false;
    for_each_offset(args.shape.reduced, [&](std::int64_t from, std::int64_t number) {
      const auto x = convert<double>(first[from]);
      has_nan = has_nan || x != x;
      args.work[number] = x;
    });
    if (!has_nan) std::sort(args.work, args.work + count);
    for (std::int64_t k = 0; k < args.count; ++k) {
      const double value = has_nan ? std::numeric_limits<double>::quiet_NaN()
                           : args.in_float
                               ? percentile_of<float>(args.work, count, args.q[k], args.interpolation)
                               : percentile_of<double>(args.work, count, args.q[k], args.interpolation);
      static_cast<Out*>(args.dst)[k * args.results + i] = static_cast<Out>(value);
    }
  }
}

}  // namespace

PercentileFn select_percentile(ElementType type) {
  static constexpr PerType<PercentileFn> kFunctions = {percentiles<float>,        percentiles<double>,
                                                       percentiles<Float16>,      percentiles<std::uint8_t>,
                                                       percentiles<std::int32_t>, percentiles<std::int8_t>,
                                                       percentiles<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
