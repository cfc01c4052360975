#include <cmath>

#include "kernels/reduce/dims_walk-inl.h"
#include "kernels/reduce/vector_norm.h"

namespace mxinfer::kernels {
namespace {

double power_of(double magnitude, double p) {
  if (p == 0) return magnitude != 0 ? 1 : 0;
  if (p == 1) return magnitude;
  return p == 2 ? magnitude * magnitude : std::pow(magnitude, p);
}

double root_of(double sum, double p) {
  if (p == 0 || p == 1) return sum;
  return p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p);
}

template <typename T>
void vector_norm(const ReduceShape& shape, double p, const void* src, void* dst, std::int64_t begin,
                 std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    const T* first = static_cast<const T*>(src) + offset_of(shape.kept, i);
    double sum = 0;
    for_each_offset(shape.reduced, [&](std::int64_t at, std::int64_t) {
      sum += power_of(std::abs(static_cast<double>(first[at])), p);
    });
    static_cast<T*>(dst)[i] = static_cast<T>(root_of(sum, p));
  }
}

}  // namespace

VectorNormFn select_vector_norm(ElementType type) {
  static constexpr PerType<VectorNormFn> kFunctions = {vector_norm<float>, vector_norm<double>};
  return pick(kFunctions, type);
}

}  // namespace mxinfer::kernels
