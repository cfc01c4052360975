// Element by element operators between which no value leaves become one _mxinfer_elementwise_chain.
#include <algorithm>
#include <map>
#include <memory>

#include "graph/node_of.h"
#include "ops/elementwise/element_function.h"
#include "ops/op_def.h"
#include "ops/registry.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

/// More of them would have more values at a time than the first-level cache holds.
constexpr std::size_t kMostNodes = 32;

bool is_elementwise(const Graph& graph, const Node& node) {
  if (!ops::element_function(node) || !node.control_deps.empty()) return false;
  // The loop is for float32; the dtypes of computed values are seen when shapes are.
  return std::none_of(node.inputs.begin(), node.inputs.end(), [&](Value input) {
    const Node& from = node_of(graph, input);
    return from.constant && from.constant->dtype() != DType::float32;
  });
}

/// Node ids by the last node of their group, ascending.
using Groups = std::map<std::int32_t, std::vector<std::int32_t>>;

/// A node joins the group that all its readers are in; the others are the last of a group of their own.
Groups find_groups(const Graph& graph) {
  constexpr std::int32_t kUnread = -1, kOutside = -2;
  // The group of a node's readers: kNone before there is one, kOutside if they differ.
  std::vector<std::int32_t> readers(graph.nodes.size(), kUnread);
  for (Value head : graph.heads) readers[static_cast<std::size_t>(head.node)] = kOutside;
  Groups groups;
  for (std::size_t id = graph.nodes.size(); id-- > 0;) {
    const Node& node = graph.nodes[id];
    std::int32_t group = kOutside;
    if (is_elementwise(graph, node)) {
      group = readers[id];
      if (group < 0 || groups[group].size() >= kMostNodes) group = static_cast<std::int32_t>(id);
      auto& members = groups[group];
      members.insert(members.begin(), static_cast<std::int32_t>(id));
    }
    for (Value input : node.inputs) {
      std::int32_t& known = readers[static_cast<std::size_t>(input.node)];
      known = known == kUnread || known == group ? group : kOutside;
    }
  }
  return groups;
}

/// The members of a group as a graph of their own; `inputs` is set to what it reads.
std::shared_ptr<Graph> as_graph(const Graph& graph, const std::vector<std::int32_t>& members,
                                std::vector<Value>& inputs) {
  auto own = std::make_shared<Graph>();
  std::map<Value, Value> renamed;
  for (std::int32_t id : members) {
    Node node = graph.nodes[static_cast<std::size_t>(id)];
    for (Value& input : node.inputs) {
      const auto [found, is_new] = renamed.try_emplace(input);
      if (is_new) {
        Node variable;
        variable.name = graph::value_name(graph, input);
        variable.input_index = static_cast<std::int32_t>(inputs.size());
        inputs.push_back(input);
        found->second = {graph::append(*own, std::move(variable)), 0};
      }
      input = found->second;
    }
    renamed[{id, 0}] = {graph::append(*own, std::move(node)), 0};
  }
  own->heads = {renamed.at({members.back(), 0})};
  return own;
}

Node fused_node(const Graph& graph, const std::vector<std::int32_t>& members) {
  const std::string& name = graph.nodes[static_cast<std::size_t>(members.back())].name;
  Node fused = ops::make_node(name, "_mxinfer_elementwise_chain", {}, {});
  fused.subgraphs = {as_graph(graph, members, fused.inputs)};
  for (std::int32_t id : members) {
    const Node& node = graph.nodes[static_cast<std::size_t>(id)];
    fused.notes.insert(fused.notes.end(), node.notes.begin(), node.notes.end());
    fused.notes.push_back("'" + node.name + "' (" + node.op->name + ") fused in");
  }
  return fused;
}

}  // namespace

// Behind all that know patterns: element-wise operators (of one tensor, or arithmetic with a number or
// another tensor) between which no value leaves become one _mxinfer_elementwise_chain.
void fuse_elementwise(Graph& graph, const Goal& /*goal*/) {
  bool any = false;
  for (const auto& [last, members] : find_groups(graph)) {
    if (members.size() < 2) continue;
    // Groups read each other's last nodes alone, so those keep their places.
    graph.nodes[static_cast<std::size_t>(last)] = fused_node(graph, members);
    any = true;
  }
  if (any) graph::remove_dead_nodes(graph);
}

}  // namespace mxinfer::passes
