#include <algorithm>
#include <array>
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

/// Neighbouring results that are computed together, so that whole lines are read.
constexpr std::int64_t kTogether = 32;
template <typename T>
using Together = std::array<T, kTogether>;

/// The sum of value(x) over all elements x, in several sums that a compiler makes vectors of.
template <typename Sum, typename T, typename Value>
Sum sum_of(const ReduceDims& dims, const T* src, const Value& value) {
  constexpr std::int64_t kParts = 8;
  const std::int64_t length = dims.sizes[dims.rank - 1], step = dims.strides[dims.rank - 1];
  Sum parts[kParts] = {};
  for_each_line(dims, [&](std::int64_t offset) {
    const T* line = src + offset;
    std::int64_t i = 0;
    for (; step == 1 && i + kParts <= length; i += kParts) {
      for (std::int64_t k = 0; k < kParts; ++k) parts[k] = wrapping_add(parts[k], value(line[i + k]));
    }
    for (; i < length; ++i) parts[0] = wrapping_add(parts[0], value(line[i * step]));
  });
  for (std::int64_t k = 1; k < kParts; ++k) parts[0] = wrapping_add(parts[0], parts[k]);
  return parts[0];
}

template <typename T>
void means_of(const ReduceDims& dims, const T* src, std::int64_t n, Together<SumType<T>>& means) {
  const std::int64_t count = dims.elements();
  const auto value = [](T x) { return convert<SumType<T>>(x); };
  if (n == 1) {
    means[0] = sum_of<SumType<T>>(dims, src, value);
  } else {
    means.fill(0);
    for_each_offset(dims, [&](std::int64_t at, std::int64_t) {
      for (std::int64_t j = 0; j < n; ++j) means[j] = wrapping_add(means[j], value(src[at + j]));
    });
  }
  for (std::int64_t j = 0; j < n; ++j) {
    if constexpr (kIsInteger<T>) {
      means[j] = count == 0 ? T{0} : static_cast<T>(static_cast<std::int64_t>(means[j]) / count);
    } else {
      means[j] /= static_cast<double>(count);
    }
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

/// How many results from i on lie side by side, and not along the reduced dimension.
std::int64_t together(const ReduceShape& shape, std::int64_t i, std::int64_t end) {
  const ReduceDims &kept = shape.kept, &reduced = shape.reduced;
  if (kept.strides[kept.rank - 1] != 1 || reduced.strides[reduced.rank - 1] == 1) return 1;
  const std::int64_t row = kept.sizes[kept.rank - 1];
  return std::min({kTogether, row - i % row, end - i});
}

template <typename T, typename Out>
void variance(const VarianceArgs& args, std::int64_t begin, std::int64_t end) {
  // MXNet's mean and squares have the input's type, which results of a wider one show.
  constexpr bool kWidens = std::is_same_v<T, float> && std::is_same_v<Out, double>;
  using C = std::conditional_t<kWidens, float, SumType<T>>;
  // Integers are summed in the result's type, floats are converted to it after.
  using Squares = std::conditional_t<kIsInteger<T>, SumType<Out>, double>;
  const ReduceDims& dims = args.shape.reduced;
  const auto divisor = static_cast<std::uint64_t>(dims.elements()) - static_cast<std::uint64_t>(args.ddof);
  Together<SumType<T>> means;
  Together<Squares> squares;
  for (std::int64_t i = begin, n = 1; i < end; i += n) {
    n = together(args.shape, i, end);
    const T* first = static_cast<const T*>(args.src) + offset_of(args.shape.kept, i);
    means_of(dims, first, n, means);
    const auto square = [](T x, SumType<T> mean) {
      const C distance = wrapping_sub(convert<C>(x), static_cast<C>(mean));
      return convert<Squares>(wrapping_mul(distance, distance));
    };
    if (n == 1) {
      squares[0] = sum_of<Squares>(dims, first, [&, mean = means[0]](T x) { return square(x, mean); });
    } else {
      squares.fill(0);
      for_each_offset(dims, [&](std::int64_t at, std::int64_t) {
        for (std::int64_t j = 0; j < n; ++j)
          squares[j] = wrapping_add(squares[j], square(first[at + j], means[j]));
      });
    }
    for (std::int64_t j = 0; j < n; ++j) {
      SumType<Out> result = quotient<Out>(convert<SumType<Out>>(squares[j]), divisor);
      if (args.root) result = convert<SumType<Out>>(std::sqrt(static_cast<double>(result)));
      static_cast<Out*>(args.dst)[i + j] = convert<Out>(result);
    }
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
