// A view program (ops/fused/view_program.h) as the kernel of kernels/elementwise/view_segments_cuda.h runs
// it.
#pragma once

#include "kernels/elementwise/view_segments_cuda.h"
#include "ops/fused/view_program.h"

namespace mxinfer::ops {

struct ViewSegments {
  std::vector<kernels::cuda::ViewSegmentArgs> segments;
  /// If there are none: the node of the graph whose value would have to be in memory.
  std::int32_t obstacle = -1;
};

/// The output, of type `out`, of a graph of float32 whose values may be stored in other types of floats.
ViewSegments view_segments(const graph::Graph& graph, const std::vector<TensorType>& inputs,
                           const TensorType& out);

}  // namespace mxinfer::ops
