// The axes and the result's shape of NumPy's reductions.
#pragma once

#include <vector>

#include "kernels/reduce/reduce.h"
#include "ops/common/axes.h"

namespace mxinfer::ops {

/// For each dimension, whether the attribute axis lists it: none stands for all, an empty tuple for none. A
/// scalar has the axes 0 and -1 if `takes_scalars`, as in MXNet's sums.
std::vector<bool> numpy_axes(const Attrs& attrs, const Shape& shape, bool takes_scalars = false);

/// The dimensions as they are, for kernels that walk several operands. Both lists have one at least.
kernels::ReduceShape whole_dimensions(const Shape& shape, const std::vector<bool>& reduced);

/// How many elements are reduced to one; 1 if no dimension is.
std::int64_t reduced_elements(const Shape& shape, const std::vector<bool>& reduced);

}  // namespace mxinfer::ops
