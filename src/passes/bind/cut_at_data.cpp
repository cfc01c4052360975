#include "passes/bind/cut_at_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/fail.h"
#include "graph/node_of.h"
#include "ops/op_def.h"
#include "ops/registry.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

/// Each part is planned on its own, and what is behind it is copied.
constexpr std::size_t kMostCuts = 256;

bool depends_on_data(const Node& node) {
  return node.op != nullptr && node.op->bounded_form != nullptr;
}

// By node: whether it reads, by way of others or itself, an output whose size depends on data.
std::vector<bool> behind_data(const Graph& graph) {
  std::vector<bool> behind(graph.nodes.size());
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    for (Value input : graph.nodes[id].inputs) {
      const auto from = static_cast<std::size_t>(input.node);
      if (behind[from] || depends_on_data(graph.nodes[from])) behind[id] = true;
    }
  }
  return behind;
}

// The largest number of such operators that a value follows from one by one.
std::size_t most_in_a_row(const Graph& graph) {
  std::vector<std::size_t> count(graph.nodes.size(), 0);
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    for (Value input : graph.nodes[id].inputs)
      count[id] = std::max(count[id], count[static_cast<std::size_t>(input.node)]);
    if (depends_on_data(graph.nodes[id])) ++count[id];
  }
  return count.empty() ? 0 : *std::max_element(count.begin(), count.end());
}

void refuse_in_subgraphs(const Graph& graph) {
  for (const Node& node : graph.nodes) {
    for (const auto& subgraph : node.subgraphs) {
      for (const Node& inner : subgraph->nodes) {
        if (!depends_on_data(inner)) continue;
        fail(ErrorCode::unsupported, graph::describe(node), " › ", graph::describe(inner),
             ": the size of its output depends on data, which is not supported inside a loop or branch");
      }
      refuse_in_subgraphs(*subgraph);
    }
  }
}

// Splits one graph in two.
class Cut {
 public:
  Cut(Graph graph, std::vector<bool> behind) : graph_(std::move(graph)), behind_(std::move(behind)) {}

  // What is in front of the cut; the rest stays in rest().
  Part front() {
    find_crossing();
    Part part;
    part.graph = graph_;
    part.graph.heads = crossing_;
    for (Value value : crossing_) {
      Node& node = part.graph.nodes[static_cast<std::size_t>(value.node)];
      part.sizes.push_back(depends_on_data(node) ? Part::Sizes{sizes_of(value.node), value.index}
                                                 : Part::Sizes{});
    }
    for (std::int32_t id : dependent_) {
      Node& node = part.graph.nodes[static_cast<std::size_t>(id)];
      node.op = ops::find_op(node.op->bounded_form);
      node.op_name = node.op->name;
      part.graph.heads.push_back({id, node.num_outputs++});
    }
    graph::remove_dead_nodes(part.graph);
    return part;
  }

  // What is behind it. Precondition: after front().
  Graph rest() {
    Graph rest = graph_;
    for (Node& node : rest.nodes) node.input_index = -1;
    // Each crossing value becomes a variable in front of everything.
    std::map<Value, Value> moved;
    for (std::size_t i = 0; i < crossing_.size(); ++i) {
      Node variable;
      variable.name = graph::value_name(graph_, crossing_[i]);
      variable.input_index = static_cast<std::int32_t>(i);
      moved[crossing_[i]] = {graph::append(rest, std::move(variable)), 0};
    }
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!behind_[id]) continue;
      for (Value& input : rest.nodes[id].inputs) move(moved, input);
    }
    for (Value& head : rest.heads) move(moved, head);
    graph::sort_topologically(rest);
    graph::remove_dead_nodes(rest);
    return rest;
  }

 private:
  static void move(const std::map<Value, Value>& moved, Value& value) {
    const auto found = moved.find(value);
    if (found != moved.end()) value = found->second;
  }

  // The head with the sizes of a node's outputs.
  std::int32_t sizes_of(std::int32_t node) {
    const auto found = std::find(dependent_.begin(), dependent_.end(), node);
    const auto at = static_cast<std::size_t>(found - dependent_.begin());
    if (found == dependent_.end()) dependent_.push_back(node);
    return static_cast<std::int32_t>(crossing_.size() + at);
  }

  void cross(Value value) {
    const Node& node = node_of(graph_, value);
    if (behind_[static_cast<std::size_t>(value.node)] || node.constant) return;
    if (crosses_.insert(value).second) crossing_.push_back(value);
  }

  // Values in front of the cut that are read behind it.
  void find_crossing() {
    for (std::size_t id = 0; id < graph_.nodes.size(); ++id) {
      if (!behind_[id]) continue;
      for (Value input : graph_.nodes[id].inputs) cross(input);
    }
    for (Value head : graph_.heads) cross(head);
  }

  Graph graph_;
  std::vector<bool> behind_;
  std::vector<Value> crossing_;
  std::set<Value> crosses_;  ///< the same
  std::vector<std::int32_t> dependent_;
};

}  // namespace

std::vector<Part> cut_at_data(const Graph& graph) {
  refuse_in_subgraphs(graph);
  const std::size_t cuts = most_in_a_row(graph);
  if (cuts > kMostCuts) {
    fail(ErrorCode::unsupported, cuts,
         " operators whose output sizes depend on data (boolean_mask) follow one another; the limit is ",
         kMostCuts);
  }
  std::vector<Part> parts;
  Graph rest = graph;
  while (std::any_of(rest.nodes.begin(), rest.nodes.end(), depends_on_data)) {
    Cut cut(rest, behind_data(rest));
    parts.push_back(cut.front());
    rest = cut.rest();
  }
  parts.push_back({std::move(rest), {}});
  return parts;
}

std::vector<bool> heads_that_depend_on_data(const Graph& graph) {
  const std::vector<bool> behind = behind_data(graph);
  std::vector<bool> heads;
  for (Value head : graph.heads) {
    const auto id = static_cast<std::size_t>(head.node);
    heads.push_back(behind[id] || depends_on_data(graph.nodes[id]));
  }
  return heads;
}

}  // namespace mxinfer::passes
