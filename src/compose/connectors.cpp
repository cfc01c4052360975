#include "compose/connectors.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "graph/hints.h"
#include "ops/registry.h"

namespace mxinfer::api {

using graph::Graph;
using graph::Node;
using graph::Value;

std::int32_t find_variable(const Graph& graph, const std::string& name) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (graph.nodes[id].is_variable() && graph.nodes[id].name == name) return static_cast<std::int32_t>(id);
  }
  fail(ErrorCode::internal, "input '", printable(name), "' is not in the graph");
}

Value append_input(Graph& graph, const DataDesc& desc, const char* advice) {
  for (const Node& node : graph.nodes) {
    if (node.name != desc.name) continue;
    fail(ErrorCode::invalid_argument, "a node of the network has the name '", printable(desc.name), "' too; ",
         advice);
  }
  Node input;
  input.name = desc.name;
  set_hints(input, desc);
  return {graph::append(graph, std::move(input)), 0};
}

Node make_connector(std::string name, const char* kind, std::size_t index, Value value) {
  Node node = ops::make_node(std::move(name), "identity", {}, {value});
  node.raw_attrs = {{"__mxinfer_connector__", kind}, {"__mxinfer_index__", std::to_string(index)}};
  return node;
}

Node make_input_connector(std::string name, const char* kind, std::size_t index, const std::string& input,
                          Value value) {
  Node node = make_connector(std::move(name), kind, index, value);
  node.raw_attrs["__mxinfer_name__"] = input;
  return node;
}

void take_hints(Node& variable, Node& connector) {
  for (const char* hint : graph::kHints) {
    auto entry = variable.raw_attrs.extract(hint);
    if (!entry.empty()) connector.raw_attrs.insert(std::move(entry));
  }
}

void replace_variable(Node& variable, const char* kind, std::size_t index, const std::string& input,
                      Value value) {
  Node connector = make_input_connector(variable.name, kind, index, input, value);
  take_hints(variable, connector);
  variable = std::move(connector);
}

void set_hints(Node& input, const DataDesc& desc) {
  std::string shape = "(";
  for (std::int64_t dim : desc.shape) {
    shape += (shape.size() > 1 ? ", " : "") + std::to_string(std::max<std::int64_t>(dim, 0));
  }
  input.raw_attrs[graph::kShapeHint] = shape + (desc.shape.rank() == 1 ? ",)" : ")");
  graph::set_dtype_hint(input, desc.dtype);
  if (!desc.layout.empty()) input.raw_attrs[graph::kLayoutHint] = desc.layout;
}

std::vector<ChainResult> append_chain(Graph& graph, const Chain& chain, Value start,
                                      const std::string& prefix, std::vector<std::string>& lines) {
  std::vector<std::int32_t> nodes;
  std::vector<ChainResult> results = chain.append_to(graph, start, prefix, &nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = graph.nodes[static_cast<std::size_t>(nodes[i])];
    std::string line = concat(node.name, " = ", node.op_name, ":");
    for (const Trials& types : chain.outputs(i)) line += " " + ops::to_string(common_type(types));
    lines.push_back(std::move(line));
  }
  return results;
}

}  // namespace mxinfer::api
