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

/// A new input of the model, as `desc` describes it. Throws Error(invalid_argument) if a node has its name;
/// `advice` ends the message: "give the column another one".
graph::Value append_input(graph::Graph& graph, const DataDesc& desc, const char* advice);

/// Marks a boundary of the network, between a chain of transforms and its input or output `index`.
graph::Node make_connector(std::string name, const char* kind, std::size_t index, graph::Value value);
/// The same of its input `index` called `input`, whose name the connector keeps.
graph::Node make_input_connector(std::string name, const char* kind, std::size_t index,
                                 const std::string& input, graph::Value value);

/// A connector takes the hints of the variable for which it stands.
void take_hints(graph::Node& variable, graph::Node& connector);
/// The variable becomes the connector, in its place: so its readers read that, and once the graph is sorted
/// what the connector reads stands where the variable did. It has the connector's name already.
void replace_variable(graph::Node& variable, const char* kind, std::size_t index, const std::string& input,
                      graph::Value value);
/// What an input is, for readers that do not know the signature, MXNet among them.
void set_hints(graph::Node& input, const DataDesc& desc);

/// Appends the chain's nodes behind `start`, and a line of ModelBuilder::describe for each.
std::vector<ChainResult> append_chain(graph::Graph& graph, const Chain& chain, graph::Value start,
                                      const std::string& prefix, std::vector<std::string>& lines);

}  // namespace mxinfer::api
