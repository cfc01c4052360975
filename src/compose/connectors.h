// The changes that attaching makes to the graph of a network: the connectors that mark where it begins and
// ends, the hints of its variables, and the descriptions of a chain's nodes.
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

/// Moves the hints of the variable that a connector stands for to the connector.
void take_hints(graph::Node& variable, graph::Node& connector);
/// Turns the variable into the connector, in place, so that its readers read the connector. The variable
/// already has the connector's name. Once the graph is sorted, the connector's input takes the variable's
/// position.
void replace_variable(graph::Node& variable, const char* kind, std::size_t index, const std::string& input,
                      graph::Value value);
/// Describes an input for readers that do not know the signature, such as MXNet.
void set_hints(graph::Node& input, const DataDesc& desc);

/// Appends the chain's nodes behind `start`, and a line of ModelBuilder::describe for each.
std::vector<ChainResult> append_chain(graph::Graph& graph, const Chain& chain, graph::Value start,
                                      const std::string& prefix, std::vector<std::string>& lines);

}  // namespace mxinfer::api
