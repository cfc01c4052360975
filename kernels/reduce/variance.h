// Variances and weighted means over some of the dimensions of a tensor.
//
//   variance = sum of (x - mean)^2 / (n - ddof),   weighted mean = sum of w x / sum of w
//
// As in MXNet, the mean and the squares of integers are of their own type, whose sums and products wrap; the
// squares are summed in the result's type. Floats are summed in double, and their squares' sum is converted
// to the result's type before it is divided.
#pragma once

#include "kernels/common/element_type.h"
#include "kernels/reduce/reduce.h"

namespace mxinfer::kernels {

struct VarianceArgs {
  ReduceShape shape;
  std::int64_t ddof = 0;  ///< n - ddof is a number of 64 bits without a sign, as in MXNet
  bool root = false;      ///< the standard deviation
  const void* src = nullptr;
  void* dst = nullptr;
};

/// Computes results [begin, end).
using VarianceFn = void (*)(const VarianceArgs& args, std::int64_t begin, std::int64_t end);
/// Null for types without arithmetic.
VarianceFn select_variance(ElementType type, ElementType result);

struct WeightedMeanArgs {
  ReduceShape shape;
  ReduceShape weights;  ///< of the same sizes, with the strides of the weights
  const void* src = nullptr;
  const void* weight = nullptr;
  void* mean = nullptr;
  void* sum = nullptr;  ///< of the weights, for each mean; may be null
};

/// Computes results [begin, end). The mean of integers whose weights' sum is 0 is 0.
using WeightedMeanFn = void (*)(const WeightedMeanArgs& args, std::int64_t begin, std::int64_t end);
WeightedMeanFn select_weighted_mean(ElementType type);

}  // namespace mxinfer::kernels
