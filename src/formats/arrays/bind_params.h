// Gives the variables of a graph their values.
//
//   std::vector<std::string> warnings = bind_params(graph, read_params(*source));
#pragma once

#include <string>
#include <vector>

#include "formats/arrays/named_array.h"
#include "graph/graph.h"

namespace mxinfer::formats {

/// Puts each value into the variable of its name, with or without "arg:" or "aux:" in front: which variables
/// are auxiliary states is for the operators to say, not for the file. Values that no variable takes are
/// warnings, returned with the others. Throws Error(malformed) if two arrays are for one variable, or
/// if the names are not those of a network at all.
/// Those values are put into `unused` too, if it is given.
std::vector<std::string> bind_params(graph::Graph& graph, std::vector<NamedParameter> parameters,
                                     std::vector<NamedParameter>* unused = nullptr);
std::vector<std::string> bind_params(graph::Graph& graph, std::vector<NamedArray> arrays);

}  // namespace mxinfer::formats
