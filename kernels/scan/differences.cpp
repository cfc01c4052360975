#include "kernels/scan/differences.h"

#include "kernels/elementwise/wrapping.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
T weighted_sum(const DifferenceArgs& args, const T* at) {
  if constexpr (std::is_integral_v<T>) {
    std::uint64_t sum = 0;
    for (int k = args.n; k >= 0; --k)
      sum +=
          static_cast<std::uint64_t>(at[k * args.inner]) * static_cast<std::uint64_t>(args.coefficients[k]);
    return static_cast<T>(sum);
  } else {
    T sum{};  // rounded after each term
    for (int k = args.n; k >= 0; --k) {
      const auto factor = static_cast<Arithmetic<T>>(args.coefficients[k]);
      const T term = convert<T>(convert<Arithmetic<T>>(at[k * args.inner]) * factor);
      sum = convert<T>(convert<Arithmetic<T>>(sum) + convert<Arithmetic<T>>(term));
    }
    return sum;
  }
}

template <typename T>
void difference_lines(const DifferenceArgs& args, std::int64_t begin, std::int64_t end) {
  const std::int64_t kept = (args.length - args.n) * args.inner;
  for (std::int64_t o = begin; o < end; ++o) {
    const T* in = static_cast<const T*>(args.src) + o * args.length * args.inner;
    T* out = static_cast<T*>(args.dst) + o * kept;
    for (std::int64_t i = 0; i < kept; ++i) out[i] = weighted_sum(args, in + i);
  }
}

}  // namespace

DifferenceFn select_differences(ElementType type) {
  static constexpr PerType<DifferenceFn> kFunctions = {
      difference_lines<float>,        difference_lines<double>,
      difference_lines<Float16>,      difference_lines<std::uint8_t>,
      difference_lines<std::int32_t>, difference_lines<std::int8_t>,
      difference_lines<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
