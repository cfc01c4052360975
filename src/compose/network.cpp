#include "compose/network.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "formats/arrays/params.h"
#include "passes/passes.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// The requested outputs, by the names of their nodes.
void take_heads(Graph& graph, const Graph& bare) {
  std::vector<Value> heads;
  for (Value head : bare.heads) {
    const std::string& name = bare.nodes[static_cast<std::size_t>(head.node)].name;
    const auto same = [&](const Node& node) { return node.name == name; };
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), same);
    if (found == graph.nodes.end()) fail(ErrorCode::internal, "node '", printable(name), "' is missing");
    heads.push_back({static_cast<std::int32_t>(found - graph.nodes.begin()), head.index});
  }
  graph.heads = std::move(heads);
  graph::remove_dead_nodes(graph);
}

}  // namespace

std::map<std::string, std::shared_ptr<const Parameter>> values_of(const Network& network) {
  std::map<std::string, std::shared_ptr<const Parameter>> values;
  for (const Node& node : network.bare->graph.nodes) {
    if (node.constant) values.emplace(node.name, node.constant);
  }
  return values;
}

Network make_network(RawModel raw, const LoadOptions& options) {
  in_context([&] { return printable(raw.name); },
             [&] { formats::require_supported(formats::unsupported_ops(raw.symbol.graph)); });
  for (const Node& node : raw.symbol.graph.nodes) {
    if (node.raw_attrs.count("__mxinfer_connector__") == 0) continue;
    fail(ErrorCode::invalid_argument, printable(raw.name), " has transforms already (", graph::describe(node),
         " joins them to the network); give the bare network");
  }
  Network network;
  network.graph = raw.symbol.graph;
  // As build_model does with the bare network, whose outputs are the heads.
  if (options.outputs.empty()) passes::deploy_detector(network.graph);
  for (const formats::NamedParameter& array : raw.params) network.arrays.push_back(array.name);
  LoadOptions bare;
  bare.inputs = options.inputs;
  bare.outputs = options.outputs;
  bare.labels = options.labels;
  network.bare = build_model(std::move(raw), bare, Purpose::inspect);
  if (!options.outputs.empty()) take_heads(network.graph, network.bare->graph);
  return network;
}

std::vector<formats::ArrayToWrite> parameters_of(const Network& network) {
  const auto values = values_of(network);
  std::vector<formats::ArrayToWrite> arrays;
  for (const std::string& name : network.arrays) {
    const auto found = values.find(formats::bare_name(name));
    if (found == values.end()) continue;
    const auto value = found->second->value();
    arrays.push_back({name, *value, value});
  }
  return arrays;
}

}  // namespace mxinfer::api
