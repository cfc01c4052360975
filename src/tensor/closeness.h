// How far elements of arrays are from each other.
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/tensor.h>

namespace mxinfer {

/// Of the finite elements; 0 if there are none.
double largest_magnitude(const TensorView& values);
/// |a - b|; 0 for two that are equal or both not numbers, infinity if one of them is not a number.
double difference(double a, double b);
/// Whether two arrays are of one type, and no element is further from the other's than `tolerance` times the
/// largest magnitude; integers are equal.
bool are_close(const TensorView& a, const TensorView& b, double tolerance);

}  // namespace mxinfer
