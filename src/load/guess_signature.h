// Finds out what a network takes and gives: from the caller, from the hints in the file, and for what both
// leave open from the parameters: a first Convolution gives the channels, a first FullyConnected the
// elements, and trial inference which of the other dimensions are free.
#pragma once

#include <mxinfer/signature.h>

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "load/guess_side.h"
#include "model/trial.h"

namespace mxinfer::api {

struct GuessedSignature {
  Signature signature;
  std::vector<bool> declared;        ///< by input: its descriptor is in `given`
  std::vector<bool> dtype_declared;  ///< by input: `given` or the file says its dtype
  std::vector<Trial> trials;         ///< several batches and sizes, those that the network takes
  std::optional<GuessedSide> side;   ///< if others than the one in the signature fit too
};

/// `graph` has its parameters bound and Node::input_index set. Throws Error(invalid_argument) for a
/// descriptor in `given` whose name is not an input, or that fits no layout.
GuessedSignature guess_signature(const graph::Graph& graph, const std::vector<DataDesc>& given);

}  // namespace mxinfer::api
