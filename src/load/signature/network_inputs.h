// What a network itself says of its inputs: from the parameters and constants that they meet, and from the
// transposes and reshapes on the way there. Signatures that files carry are read beside it, and what nobody
// says is guessed from it.
//
//   const std::vector<NetworkInput> inputs = read_network_inputs(graph);
//   inputs[0].shape        // (-1, -1, -1, 3): a convolution of 3 channels behind transpose(0, 3, 1, 2)
//   inputs[0].layout       // "NHWC"
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/unify.h"

namespace mxinfer::api {

struct NetworkInput {
  /// With -1 for what the network leaves open; nothing if it says no more than the rank.
  ops::PartialShape shape{};
  /// A letter a dimension, if the first operator with a layout says so and it is not what an empty layout
  /// means.
  std::string layout{};
  /// A mean in units of pixels is subtracted from it first.
  bool is_pixels = false;
};

/// By Node::input_index. `graph` has its parameters bound. Takes time like an inference of shapes.
std::vector<NetworkInput> read_network_inputs(const graph::Graph& graph);

}  // namespace mxinfer::api
