// Distances between elements of arrays.
#pragma once

#include <mxinfer/dtype.h>
#include <mxinfer/tensor.h>

namespace mxinfer {

/// Of the finite elements; 0 if there are none.
double largest_magnitude(const TensorView& values);
/// |a - b|; 0 if they are equal or both NaN, infinity if only one is NaN.
double difference(double a, double b);
/// Whether two arrays have the same type and no element differs by more than `tolerance` times the largest
/// magnitude; integers must be equal.
bool are_close(const TensorView& a, const TensorView& b, double tolerance);

}  // namespace mxinfer
