// Operators that the tests of most passes build with or look for.
#pragma once

#include "support/networks/build_graph.h"

namespace mxinfer::test {

inline constexpr const char* kConv = "_mxinfer_convolution_nhwc";
inline constexpr const char* kChain = "_mxinfer_elementwise_chain";

inline graph::Value relu(GraphBuilder& b, graph::Value x) {
  return b.op("Activation", {{"act_type", "relu"}}, {x});
}

}  // namespace mxinfer::test
