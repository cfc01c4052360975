// Finds out what a network takes and gives: from the caller, from the hints in the file, and for what both
// leave open from the parameters: a first Convolution tells the channels, a first FullyConnected the
// elements, and trial inference which of the other dimensions are free.
#pragma once

#include <mxinfer/signature.h>

#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"

namespace mxinfer::api {

/// What the network gives for shapes that fit the descriptors of its inputs.
struct Trial {
  std::vector<ops::TensorType> inputs;
  std::vector<ops::TensorType> outputs;
};

struct GuessedSignature {
  Signature signature;
  std::vector<bool> declared;  ///< by input: its descriptor is in `given`
  std::vector<Trial> trials;   ///< several batches and sizes, those that the network takes
};

/// `graph` has its parameters bound and Node::input_index set. Throws Error(invalid_argument) for a
/// descriptor in `given` whose name is no input, or that fits no layout.
GuessedSignature guess_signature(const graph::Graph& graph, const std::vector<DataDesc>& given);

/// The batch of 1 and the sizes of a typical picture for free dimensions: a concrete shape to try.
Shape concrete_shape(const DataDesc& desc, std::int64_t batch, std::int64_t side);

}  // namespace mxinfer::api
