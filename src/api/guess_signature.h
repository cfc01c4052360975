// Finds out what a network takes and gives: from the caller, from the hints in the file, and for what both
// leave open from the parameters: a first Convolution tells the channels, a first FullyConnected the
// elements, and trial inference which of the other dimensions are free.
#pragma once

#include <mxinfer/signature.h>

#include <vector>

#include "graph/graph.h"

namespace mxinfer::api {

struct GuessedSignature {
  Signature signature;
  std::vector<bool> declared;  ///< by input: the caller gave the descriptor
};

/// `graph` has its parameters bound and Node::input_index set. Throws Error(invalid_argument) for a
/// descriptor in `given` whose name is no input, or that fits no layout.
GuessedSignature guess_signature(const graph::Graph& graph, const std::vector<DataDesc>& given);

/// The batch of 1 and the sizes of a typical picture for free dimensions: a concrete shape to try.
Shape concrete_shape(const DataDesc& desc, std::int64_t batch, std::int64_t side);

}  // namespace mxinfer::api
