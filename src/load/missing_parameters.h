// Finds weights without a value, and arrays of the file that could be meant for them: other frameworks write
// parameters under their own names.
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
  /// Unused arrays of its size, the likeliest first: "'fc/W' float32 (10, 4)".
  std::vector<std::string> fitting{};
};

/// Variables without a value that feed ports of weights, except those that the caller names as inputs.
/// `unused`: the arrays of the file that belong to no variable.
std::vector<MissingParameter> missing_parameters(const graph::Graph& graph,
                                                 const std::vector<DataDesc>& described,
                                                 const std::vector<formats::NamedParameter>& unused,
                                                 const LoadOptions& options, Purpose purpose);

/// Throws Error(malformed) with these parameters and the fitting arrays; returns if there are none.
void reject_missing_parameters(const std::vector<MissingParameter>& missing, bool has_params_file);

/// A sentence about the fitting arrays; empty if there are none.
std::string fitting_text(const std::vector<MissingParameter>& missing);

}  // namespace mxinfer::api
