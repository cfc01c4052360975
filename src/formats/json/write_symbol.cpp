#include <nlohmann/json.hpp>
#include <string>

#include "formats/json/symbol_json.h"

namespace mxinfer::formats {
namespace {

using nlohmann::ordered_json;

// Reading converts every graph to the form of this version, so the written version must not be older.
constexpr int kWrittenVersion = 10901;
constexpr int kFirstWithoutUpgrades = 905;

ordered_json value_entry(graph::Value value) {
  return {value.node, value.index, 0};
}

// Was read as an object whose keys are sorted. (The parser of ordered objects looks for each key among all
// others.)
ordered_json parsed(const std::string& text) {
  return nlohmann::json::parse(text);
}

// Keys that are not there yet, as they were not known to the reader.
void add_unknown(ordered_json& object, const std::map<std::string, std::string>& keys) {
  auto& members = object.get_ref<ordered_json::object_t&>();
  for (const auto& [key, text] : keys) members.push_back({key, parsed(text)});
}

ordered_json graph_json(const graph::Graph& graph);

ordered_json node_json(const graph::Node& node) {
  ordered_json out;
  out["op"] = node.is_variable() ? "null" : node.op_name;
  out["name"] = node.name;
  if (!node.raw_attrs.empty()) out["attrs"] = node.raw_attrs;
  out["inputs"] = ordered_json::array();
  for (graph::Value input : node.inputs) out["inputs"].push_back(value_entry(input));
  if (!node.control_deps.empty()) out["control_deps"] = node.control_deps;
  for (const auto& subgraph : node.subgraphs) out["subgraphs"].push_back(graph_json(*subgraph));
  add_unknown(out, node.unknown_keys);
  return out;
}

ordered_json graph_json(const graph::Graph& graph) {
  ordered_json out;
  out["nodes"] = ordered_json::array();
  out["arg_nodes"] = ordered_json::array();
  out["node_row_ptr"] = {0};
  out["heads"] = ordered_json::array();
  std::int64_t entries = 0;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const graph::Node& node = graph.nodes[id];
    out["nodes"].push_back(node_json(node));
    if (node.is_variable()) out["arg_nodes"].push_back(id);
    entries += node.num_outputs;
    out["node_row_ptr"].push_back(entries);
  }
  for (graph::Value head : graph.heads) out["heads"].push_back(value_entry(head));
  const int version = graph.mxnet_version < kFirstWithoutUpgrades ? kWrittenVersion : graph.mxnet_version;
  auto attrs = graph.attrs;
  attrs["mxnet_version"] = {"int", std::to_string(version)};
  nlohmann::json written;
  for (const auto& [name, pair] : attrs) written[name] = {pair.first, nlohmann::json::parse(pair.second)};
  out["attrs"] = written;
  add_unknown(out, graph.unknown_keys);
  return out;
}

}  // namespace

std::string write_symbol(const graph::Graph& graph) {
  return graph_json(graph).dump(2) + "\n";
}

}  // namespace mxinfer::formats
