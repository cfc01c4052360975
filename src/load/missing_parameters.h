// Weights that a network reads and its parameters do not hold, and which arrays of the file could be meant
// for them: other frameworks write parameters under names of their own.
#pragma once

#include <mxinfer/load_options.h>

#include <string>
#include <vector>

#include "formats/arrays/named_array.h"
#include "graph/graph.h"
#include "load/load_model.h"

namespace mxinfer::api {

struct MissingParameter {
  std::string name, reader;  ///< "weight of node 'fc1' (FullyConnected)"
  /// Arrays that nothing uses and that are of its size, the likeliest first: "'fc/W' float32 (10, 4)".
  std::vector<std::string> fitting{};
};

/// Variables without a value that feed ports of weights, but for those that the caller names as inputs.
/// `unused`: the arrays of the file that are for no variable.
std::vector<MissingParameter> missing_parameters(const graph::Graph& graph,
                                                 const std::vector<DataDesc>& described,
                                                 const std::vector<formats::NamedParameter>& unused,
                                                 const LoadOptions& options, Purpose purpose);

/// Throws Error(malformed) that lists them, and what fits; returns if there are none.
void reject_missing_parameters(const std::vector<MissingParameter>& missing, bool has_params_file);

/// A sentence on what fits; empty if nothing does.
std::string fitting_text(const std::vector<MissingParameter>& missing);

}  // namespace mxinfer::api
