// propagate_stride: what no strided pointwise convolution reads is not computed.
//
//   passes::propagate_stride(graph);   // behind fuse_residual and fuse_activation
#pragma once

#include "graph/graph.h"

namespace mxinfer::passes {

/// A stride that all readers of a convolution ask for, being pointwise convolutions, moves onto it and back
/// through what it alone reads. A residual that it adds is subsampled by a Pooling of windows of one element.
void propagate_stride(graph::Graph& graph);

}  // namespace mxinfer::passes
