// Gives the variables of a graph their values.
//
//   std::vector<std::string> warnings = bind_params(graph, index_params(source));
#pragma once

#include <string>
#include <vector>

#include "formats/arrays/named_array.h"
#include "graph/graph.h"

namespace mxinfer::formats {

/// Assigns each value to the variable of its name, with or without the prefix "arg:" or "aux:": operators,
/// not the file, determine which variables are auxiliary states. Returns warnings, also for unused values,
/// which it adds to `unused` if given. Throws Error(malformed) if two arrays belong to one variable, or if
/// the names are not those of a network at all.
std::vector<std::string> bind_params(graph::Graph& graph, std::vector<NamedParameter> parameters,
                                     std::vector<NamedParameter>* unused = nullptr);

}  // namespace mxinfer::formats
