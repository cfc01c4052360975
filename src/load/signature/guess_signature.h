// Guesses the inputs and outputs of a network: from the caller, from statements in files
// (load/signature/stated_shape.h), and from the network itself (load/signature/network_inputs.h). Trial
// inference tells which of the unstated sizes are free: heights, widths and lengths
// (load/signature/guess_side.h), and the batch (load/signature/guess_batch.h).
#pragma once

#include <mxinfer/signature.h>

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "load/signature/guess_side.h"
#include "model/trial.h"

namespace mxinfer::api {

struct GuessedSignature {
  Signature signature;
  std::vector<bool> declared;        ///< by input: its descriptor is in `given`
  std::vector<bool> dtype_declared;  ///< by input: `given` or the file says its dtype
  std::vector<Trial> trials;         ///< several batches and sizes, those that the network takes
  std::optional<GuessedSide> side;   ///< if others than the one in the signature fit too
  std::vector<std::string>
      warnings;  ///< of what a file states and the network does not take, of fixed batches
};

/// `graph` has its parameters bound and Node::input_index set. `given` says what inputs are, `stated` what a
/// file says of a run (load/signature/stated_shape.h), as the shape hints of the symbol file do. Throws
/// Error(invalid_argument) for a descriptor in `given` whose name is not an input, or that fits no layout.
GuessedSignature guess_signature(const graph::Graph& graph, const std::vector<DataDesc>& given,
                                 const std::vector<DataDesc>& stated = {});

}  // namespace mxinfer::api
