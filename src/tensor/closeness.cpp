#include "tensor/closeness.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tensor/floating.h"
#include "tensor/read_element.h"

namespace mxinfer {

double largest_magnitude(const TensorView& values) {
  const ElementReader read = element_reader(values.dtype());
  double largest = 0;
  for (std::int64_t i = 0; i < values.shape().elements(); ++i) {
    const double value = std::abs(read(values.raw(), i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double d = std::abs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

bool are_close(const TensorView& a, const TensorView& b, double tolerance) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  const ElementReader read = element_reader(a.dtype());
  const double allowed = is_float(a.dtype()) ? tolerance * largest_magnitude(a) : 0;
  for (std::int64_t i = 0; i < a.shape().elements(); ++i) {
    if (difference(read(a.raw(), i), read(b.raw(), i)) > allowed) return false;
  }
  return true;
}

}  // namespace mxinfer
