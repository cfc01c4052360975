#include <algorithm>
#include <cmath>

#include "kernels/check/check.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
bool all_finite(const void* from, std::int64_t n) {
  const T* src = static_cast<const T*>(from);
  return std::all_of(src, src + n, [](T x) { return std::isfinite(static_cast<Arithmetic<T>>(x)); });
}

template <typename T>
bool close(const Closeness& closeness, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (a == b) return true;
    const double difference = std::abs(static_cast<double>(a) - static_cast<double>(b));
    return difference <= static_cast<double>(closeness.absolute) +
                             static_cast<double>(closeness.relative) * std::abs(static_cast<double>(b));
  } else {
    using A = Arithmetic<T>;
    const A x = static_cast<A>(a), y = static_cast<A>(b);
    if (std::isnan(x) && std::isnan(y)) return closeness.equal_nan;
    if (x == y) return true;
    return std::abs(x - y) <=
           static_cast<A>(closeness.absolute) + static_cast<A>(closeness.relative) * std::abs(y);
  }
}

template <typename T>
bool all_close(const Closeness& closeness, const void* first, const void* second, std::int64_t n) {
  const T *a = static_cast<const T*>(first), *b = static_cast<const T*>(second);
  return std::equal(a, a + n, b, [&](T x, T y) { return close(closeness, x, y); });
}

template <typename T>
void count_nonzero(const void* from, std::int64_t rows, std::int64_t n, std::int64_t* dst) {
  const T* src = static_cast<const T*>(from);
  for (std::int64_t row = 0; row < rows; ++row, src += n) {
    dst[row] =
        std::count_if(src, src + n, [](T x) { return static_cast<Arithmetic<T>>(x) != Arithmetic<T>{0}; });
  }
}

template <typename T>
float sum_of_squares(const void* from, std::int64_t n) {
  using A = Arithmetic<T>;
  const T* src = static_cast<const T*>(from);
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const A x = static_cast<A>(src[i]);
    sum += static_cast<float>(convert<T>(x * x));
  }
  return sum;
}

constexpr PerType<AllFiniteFn> kAllFinite = {all_finite<float>, all_finite<double>, all_finite<Float16>};
constexpr PerType<SumOfSquaresFn> kSumOfSquares = {sum_of_squares<float>, sum_of_squares<double>,
                                                   sum_of_squares<Float16>};
constexpr PerType<AllCloseFn> kAllClose = {
    all_close<float>,        all_close<double>,      all_close<Float16>,      all_close<std::uint8_t>,
    all_close<std::int32_t>, all_close<std::int8_t>, all_close<std::int64_t>, all_close<bool>};
constexpr PerType<CountNonzeroFn> kCountNonzero = {count_nonzero<float>,        count_nonzero<double>,
                                                   count_nonzero<Float16>,      count_nonzero<std::uint8_t>,
                                                   count_nonzero<std::int32_t>, count_nonzero<std::int8_t>,
                                                   count_nonzero<std::int64_t>, count_nonzero<bool>};

}  // namespace

AllFiniteFn select_all_finite(ElementType type) {
  return pick(kAllFinite, type);
}

AllCloseFn select_all_close(ElementType type) {
  return pick(kAllClose, type);
}

CountNonzeroFn select_count_nonzero(ElementType type) {
  return pick(kCountNonzero, type);
}

SumOfSquaresFn select_sum_of_squares(ElementType type) {
  return pick(kSumOfSquares, type);
}

}  // namespace mxinfer::kernels
