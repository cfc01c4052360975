#include <cmath>
#include <type_traits>

#include "kernels/elementwise/wrapping.h"
#include "kernels/reduce/dims_walk-inl.h"
#include "kernels/reduce/variance.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T>;
/// What sums are computed in: integers wrap.
template <typename T>
using SumType = std::conditional_t<kIsInteger<T>, T, double>;

template <typename T>
SumType<T> mean_of(const ReduceDims& dims, const T* src) {
  const std::int64_t count = dims.elements();
  SumType<T> sum = 0;
  for_each_offset(
      dims, [&](std::int64_t at, std::int64_t) { sum = wrapping_add(sum, convert<SumType<T>>(src[at])); });
  if constexpr (kIsInteger<T>) {
    return count == 0 ? T{0} : static_cast<T>(static_cast<std::int64_t>(sum) / count);
  } else {
    return sum / static_cast<double>(count);
  }
}

template <typename Out>
SumType<Out> quotient(SumType<Out> sum, std::uint64_t divisor) {
  const auto by = static_cast<SumType<Out>>(divisor);
  if constexpr (kIsInteger<Out>) {
    if (by == 0) return 0;
    return wrapping_div(sum, by);
  } else {
    return sum / by;
  }
}

template <typename T, typename Out>
void variance(const VarianceArgs& args, std::int64_t begin, std::int64_t end) {
  // MXNet's mean and squares have the input's type, which results of a wider one show.
  constexpr bool kWidens = std::is_same_v<T, float> && std::is_same_v<Out, double>;
  using C = std::conditional_t<kWidens, float, SumType<T>>;
  const ReduceDims& dims = args.shape.reduced;
  const auto divisor = static_cast<std::uint64_t>(dims.elements()) - static_cast<std::uint64_t>(args.ddof);
  for (std::int64_t i = begin; i < end; ++i) {
    const T* first = static_cast<const T*>(args.src) + offset_of(args.shape.kept, i);
    const auto mean = static_cast<C>(mean_of(dims, first));
    // Integers are summed in the result's type, floats are converted to it after.
    std::conditional_t<kIsInteger<T>, SumType<Out>, double> squares = 0;
    for_each_offset(dims, [&](std::int64_t at, std::int64_t) {
      const C distance = wrapping_sub(convert<C>(first[at]), mean);
      squares = wrapping_add(squares, convert<decltype(squares)>(wrapping_mul(distance, distance)));
    });
    SumType<Out> result = quotient<Out>(convert<SumType<Out>>(squares), divisor);
    if (args.root) result = convert<SumType<Out>>(std::sqrt(static_cast<double>(result)));
    static_cast<Out*>(args.dst)[i] = convert<Out>(result);
  }
}

template <typename T>
constexpr PerType<VarianceFn> variances_of() {
  return {variance<T, float>,        variance<T, double>,
          variance<T, Float16>,      variance<T, std::uint8_t>,
          variance<T, std::int32_t>, variance<T, std::int8_t>,
          variance<T, std::int64_t>, nullptr};
}

template <typename T>
void weighted_mean(const WeightedMeanArgs& args, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const T* first = static_cast<const T*>(args.src) + offset_of(args.shape.kept, i);
    const T* weight = static_cast<const T*>(args.weight) + offset_of(args.weights.kept, i);
    SumType<T> sum = 0, weights = 0;
    for_each_offset(args.shape.reduced, [&](std::int64_t at, std::int64_t number) {
      const auto w = convert<SumType<T>>(weight[offset_of(args.weights.reduced, number)]);
      sum = wrapping_add(sum, wrapping_mul(convert<SumType<T>>(first[at]), w));
      weights = wrapping_add(weights, w);
    });
    SumType<T> mean = 0;
    if constexpr (kIsInteger<T>) {
      if (weights != 0) mean = wrapping_div(sum, weights);
    } else {
      mean = sum / weights;
    }
    static_cast<T*>(args.mean)[i] = convert<T>(mean);
    if (args.sum != nullptr) static_cast<T*>(args.sum)[i] = convert<T>(weights);
  }
}

}  // namespace

VarianceFn select_variance(ElementType type, ElementType result) {
  static constexpr PerType<PerType<VarianceFn>> kFunctions = {
      variances_of<float>(),        variances_of<double>(),       variances_of<Float16>(),
      variances_of<std::uint8_t>(), variances_of<std::int32_t>(), variances_of<std::int8_t>(),
      variances_of<std::int64_t>(), PerType<VarianceFn>{}};
  return pick(pick(kFunctions, type), result);
}

WeightedMeanFn select_weighted_mean(ElementType type) {
  static constexpr PerType<WeightedMeanFn> kFunctions = {
      weighted_mean<float>,        weighted_mean<double>,
      weighted_mean<Float16>,      weighted_mean<std::uint8_t>,
      weighted_mean<std::int32_t>, weighted_mean<std::int8_t>,
      weighted_mean<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
