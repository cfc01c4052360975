// What a node of MultiBoxPrior computes, for the backends that do.
#pragma once

#include <vector>

#include "kernels/boxes/multibox_prior.h"
#include "ops/op_def.h"

namespace mxinfer::ops {

struct MultiBoxPriorProblem {
  kernels::MultiBoxPriorArgs args;  ///< without dst, sizes and ratios
  std::vector<float> sizes, ratios;
};
/// `map` is the shape of the feature map.
MultiBoxPriorProblem multibox_prior_problem(const Attrs& attrs, const Shape& map);

}  // namespace mxinfer::ops
