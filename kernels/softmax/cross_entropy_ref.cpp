#include <algorithm>
#include <cmath>

#include "kernels/common/element_type.h"
#include "kernels/softmax/cross_entropy.h"

namespace mxinfer::kernels {
namespace {

template <typename T>
double probability(const T* row, std::int64_t columns, std::int64_t label) {
  const auto at = [row](std::int64_t j) { return static_cast<double>(static_cast<Arithmetic<T>>(row[j])); };
  double largest = at(0);
  for (std::int64_t j = 1; j < columns; ++j) largest = std::max(largest, at(j));
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j) sum += std::exp(at(j) - largest);
  return std::exp(at(label) - largest) / sum;
}

}  // namespace

template <typename T>
void softmax_cross_entropy(const T* src, const std::int64_t* labels, std::int64_t rows, std::int64_t columns,
                           T* dst) {
  constexpr double kFloor = static_cast<double>(1e-8f);
  double loss = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const double p = probability(src + i * columns, columns, labels[i]);
    loss -= std::log(p < kFloor ? kFloor : p);  // NaN stays
  }
  *dst = T(static_cast<Arithmetic<T>>(loss));
}

template void softmax_cross_entropy(const float*, const std::int64_t*, std::int64_t, std::int64_t, float*);
template void softmax_cross_entropy(const double*, const std::int64_t*, std::int64_t, std::int64_t, double*);
template void softmax_cross_entropy(const Float16*, const std::int64_t*, std::int64_t, std::int64_t,
                                    Float16*);

}  // namespace mxinfer::kernels
