// Finds arrays that could be a parameter of a node, by their sizes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/arrays/named_array.h"
#include "graph/graph.h"

namespace mxinfer::api {

/// The arrays of `unused` that could be the parameter `name`, input `port` of the node: their shape or number
/// of elements fits the node's attributes and its other parameters. Arrays whose names have the same ending
/// come first. Each as "'fc/W' float32 (10, 4)".
std::vector<std::string> fitting_arrays(const graph::Graph& graph, const graph::Node& node,
                                        std::string_view port, const std::string& name,
                                        const std::vector<formats::NamedParameter>& unused);

}  // namespace mxinfer::api
