// What operators that draw random numbers have in common.
#pragma once

#include <vector>

#include "kernels/elementwise/cast.h"
#include "ops/random/distributions.h"

namespace mxinfer::ops {

/// A parameter of a distribution: a number, or an input that broadcasts against the output.
struct DrawParameter {
  double value = 0;
  int input = -1;                       ///< the index of an input, -1 for the number
  std::vector<std::int64_t> strides{};  ///< of the input, by dimension of the output; 0 where it repeats
};

/// The strides of an input whose shape is aligned with the output's last dimensions.
std::vector<std::int64_t> broadcast_strides(const Shape& shape, const Shape& output);
/// The same with `shape` aligned with the output's first dimensions.
std::vector<std::int64_t> leading_strides(const Shape& shape, const Shape& output);

/// Output 0 gets one number for each element. The same seed and the same count of runs give the same numbers,
/// with any number of threads.
Step draw_step(LowerContext& context, const Distribution& distribution,
               const std::vector<DrawParameter>& parameters);

/// Casts a parameter to double. Throws Error(unsupported) for a dtype without numbers, such as uint32.
kernels::CastFn widening_cast(DType dtype);

/// The place at which the running sum of `count` weights passes a number drawn from [0, their sum). Weights
/// that are not positive are passed over.
std::int64_t draw_place(RandomDraws& draws, const double* weights, std::int64_t count);

/// The sizes in the attribute `name`; without dimensions, for one number, if it is None. Throws
/// Error(malformed) for negative sizes.
Shape drawn_shape(const Attrs& attrs, const char* name);

}  // namespace mxinfer::ops
