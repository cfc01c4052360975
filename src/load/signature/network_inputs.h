// What a network itself reveals about its inputs: from the parameters and constants that they meet, and from
// the transposes and reshapes on the way. It is compared with the signatures in files, and used to guess what
// they leave out.
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
  /// With -1 for sizes that the network leaves free; nullopt if it reveals only the rank.
  ops::PartialShape shape{};
  /// One letter per dimension, if the first operator with a layout determines it and it differs from the
  /// meaning of an empty layout.
  std::string layout{};
  /// A mean in units of pixels is subtracted from it first.
  bool is_pixels = false;
};

/// By Node::input_index. `graph` has its parameters bound. Takes time like an inference of shapes.
std::vector<NetworkInput> read_network_inputs(const graph::Graph& graph);

}  // namespace mxinfer::api
