// Plans of graphs with one input.
#pragma once

#include <memory>

#include "plan/plan.h"

namespace mxinfer::test {

/// A plan of the best target for float32 data of a shape.
inline std::shared_ptr<const plan::Plan> plan_for(const graph::Graph& graph, const Shape& shape,
                                                  int threads = 1) {
  plan::WeightStore weights;
  return plan::make_plan(graph, {{DType::float32, shape}}, {kernels::best_target(), threads}, weights);
}

}  // namespace mxinfer::test
