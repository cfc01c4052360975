#include <algorithm>
#include <array>

#include "kernels/histogram/histogram.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
void even(const EvenBins& bins, const void* from, std::int64_t n, std::int64_t* counts, void* to) {
  using A = Arithmetic<T>;
  const T* src = static_cast<const T*>(from);
  T* bounds = static_cast<T*>(to);
  const double width = bins.high - bins.low, count = static_cast<double>(bins.count);
  for (std::int64_t i = 0; i <= bins.count; ++i) {
    const auto at = static_cast<double>(i);
    bounds[i] = convert<T>((bins.high * at + bins.low * (count - at)) / count);
  }
  std::fill_n(counts, bins.count, 0);
  for (std::int64_t k = 0; k < n; ++k) {
    const A x = static_cast<A>(src[k]);
    const double at = static_cast<double>(x);
    if (!(at >= bins.low && at <= bins.high)) continue;
    const auto near =
        convert<std::int64_t>((at - bins.low) * count / width);  // anything for an infinite range
    std::int64_t bin = std::clamp<std::int64_t>(near, 0, bins.count - 1);
    if (x < static_cast<A>(bounds[bin])) {
      --bin;
    } else if (bin + 1 < bins.count && x >= static_cast<A>(bounds[bin + 1])) {
      ++bin;
    }
    if (bin >= 0) ++counts[bin];
  }
}

template <typename T>
void between(const void* from, std::int64_t n, const void* of, std::int64_t bound_count,
             std::int64_t* counts) {
  using A = Arithmetic<T>;
  const T* src = static_cast<const T*>(from);
  const T* bounds = static_cast<const T*>(of);
  const auto less = [](A x, T bound) { return x < static_cast<A>(bound); };
  std::fill_n(counts, bound_count - 1, 0);
  for (std::int64_t k = 0; k < n; ++k) {
    const A x = static_cast<A>(src[k]);
    if (!(x >= static_cast<A>(bounds[0]) && x <= static_cast<A>(bounds[bound_count - 1]))) continue;
    const std::int64_t above = std::upper_bound(bounds, bounds + bound_count, x, less) - bounds;
    ++counts[std::clamp<std::int64_t>(above - 1, 0, bound_count - 2)];
  }
}

template <typename T>
constexpr HistogramKernel kKernel = {even<T>, between<T>};

constexpr PerType<const HistogramKernel*> kKernels = {
    &kKernel<float>,        &kKernel<double>,      &kKernel<Float16>,      &kKernel<std::uint8_t>,
    &kKernel<std::int32_t>, &kKernel<std::int8_t>, &kKernel<std::int64_t>, nullptr};

}  // namespace

const HistogramKernel* select_histogram(ElementType type) {
  return pick(kKernels, type);
}

}  // namespace mxinfer::kernels
