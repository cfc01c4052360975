#include <type_traits>

#include "kernels/reduce/dims_walk-inl.h"
#include "kernels/reduce/moments.h"

namespace mxinfer::kernels {
namespace {

/// Calls body with each element that is reduced into one result, innermost dimension in the inner loop.
template <typename T, typename Body>
void for_each(const ReduceDims& dims, const T* src, const Body& body) {
  const std::int64_t length = dims.sizes[dims.rank - 1], step = dims.strides[dims.rank - 1];
  const std::int64_t count = dims.elements();
  for (std::int64_t i = 0; i < count; i += length) {
    const T* line = src + offset_of(dims, i);
    for (std::int64_t j = 0; j < length; ++j) body(line[j * step]);
  }
}

template <typename T>
void float_moments(const ReduceDims& dims, const T* src, T* mean, T* variance) {
  const auto n = static_cast<double>(dims.elements());
  double sum = 0;
  for_each(dims, src, [&](T x) { sum += static_cast<double>(static_cast<Arithmetic<T>>(x)); });
  const double middle = sum / n;
  double squares = 0;
  for_each(dims, src, [&](T x) {
    const double distance = static_cast<double>(static_cast<Arithmetic<T>>(x)) - middle;
    squares += distance * distance;
  });
  *mean = T(static_cast<Arithmetic<T>>(middle));
  *variance = T(static_cast<Arithmetic<T>>(squares / n));
}

template <typename T>
void integer_moments(const ReduceDims& dims, const T* src, T* mean, T* variance) {
  // Unsigned arithmetic wraps in C++ too; its low bits are the result.
  const auto n = static_cast<std::int64_t>(dims.elements());
  std::uint64_t sum = 0;
  for_each(dims, src, [&](T x) { sum += static_cast<std::uint64_t>(x); });
  *mean = static_cast<T>(static_cast<std::int64_t>(static_cast<T>(sum)) / n);
  std::uint64_t squares = 0;
  for_each(dims, src, [&](T x) {
    const std::uint64_t distance = static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(*mean);
    squares += distance * distance;
  });
  *variance = static_cast<T>(static_cast<std::int64_t>(static_cast<T>(squares)) / n);
}

template <typename T>
void moments(const ReduceShape& shape, const void* src, void* mean, void* variance, std::int64_t begin,
             std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const T* first = static_cast<const T*>(src) + offset_of(shape.kept, i);
    if constexpr (std::is_integral_v<T>) {
      integer_moments(shape.reduced, first, static_cast<T*>(mean) + i, static_cast<T*>(variance) + i);
    } else {
      float_moments(shape.reduced, first, static_cast<T*>(mean) + i, static_cast<T*>(variance) + i);
    }
  }
}

}  // namespace

MomentsFn moments_ref(ElementType type) {
  static constexpr PerType<MomentsFn> kFunctions = {
      moments<float>,        moments<double>,      moments<Float16>,      moments<std::uint8_t>,
      moments<std::int32_t>, moments<std::int8_t>, moments<std::int64_t>, nullptr};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
