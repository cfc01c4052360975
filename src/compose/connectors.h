// What attaching changes in the graph of a network: the connectors that mark where it begins and ends, the
// hints of its variables, and what is said of the nodes of a chain.
#pragma once

#include <mxinfer/signature.h>

#include <string>
#include <vector>

#include "compose/build_transforms.h"
#include "graph/graph.h"

namespace mxinfer::api {

/// Throws Error(internal) if there is no variable of that name.
std::int32_t find_variable(const graph::Graph& graph, const std::string& name);

/// Marks a boundary of the network, between a chain of transforms and its input or output `index`.
graph::Node make_connector(std::string name, const char* kind, std::size_t index, graph::Value value);

/// A connector takes the hints of the variable for which it stands.
void take_hints(graph::Node& variable, graph::Node& connector);
/// What an input is, for readers that do not know the signature, MXNet among them.
void set_hints(graph::Node& input, const DataDesc& desc);

/// Appends the chain's nodes behind `start`, and a line of ModelBuilder::describe for each.
std::vector<ChainResult> append_chain(graph::Graph& graph, const Chain& chain, graph::Value start,
                                      const std::string& prefix, std::vector<std::string>& lines);

}  // namespace mxinfer::api
