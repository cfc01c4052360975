#include "graph/graph.h"

#include <algorithm>

#include "base/fail.h"

namespace mxinfer::graph {

std::size_t post_op_inputs(const Node& node) {
  std::size_t count = node.post_ops.inputs();
  for (const PostOps& inner : node.inner_post_ops) count += inner.inputs();
  return count;
}

std::string describe(const Node& node) {
  if (node.is_variable()) return concat("variable '", printable(node.name), "'");
  return concat("node '", printable(node.name), "' (", printable(node.op_name), ")");
}

std::string value_name(const Graph& graph, Value value) {
  const Node& node = graph.nodes[static_cast<std::size_t>(value.node)];
  if (node.is_variable()) return node.name;
  if (node.num_outputs == 1) return node.name + "_output";
  return concat(node.name, "_output", value.index);
}

std::vector<std::vector<int>> count_uses(const Graph& graph) {
  std::vector<std::vector<int>> uses(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    uses[i].resize(static_cast<std::size_t>(graph.nodes[i].num_outputs));
  }
  const auto count = [&](Value v) {
    ++uses[static_cast<std::size_t>(v.node)][static_cast<std::size_t>(v.index)];
  };
  for (const Node& node : graph.nodes) std::for_each(node.inputs.begin(), node.inputs.end(), count);
  std::for_each(graph.heads.begin(), graph.heads.end(), count);
  return uses;
}

std::int32_t append(Graph& graph, Node node) {
  graph.nodes.push_back(std::move(node));
  return static_cast<std::int32_t>(graph.nodes.size()) - 1;
}

namespace {

// Moves the nodes into `order` (old ids in their new sequence) and updates every reference.
void reorder(Graph& graph, const std::vector<std::int32_t>& order, const std::vector<std::int32_t>& new_id) {
  std::vector<Node> nodes;
  nodes.reserve(order.size());
  for (std::int32_t old : order) nodes.push_back(std::move(graph.nodes[static_cast<std::size_t>(old)]));
  const auto renumber = [&](Value& v) { v.node = new_id[static_cast<std::size_t>(v.node)]; };
  for (Node& node : nodes) {
    std::for_each(node.inputs.begin(), node.inputs.end(), renumber);
    std::vector<std::int32_t> deps;
    for (std::int32_t dep : node.control_deps) {
      if (new_id[static_cast<std::size_t>(dep)] >= 0) deps.push_back(new_id[static_cast<std::size_t>(dep)]);
    }
    node.control_deps = std::move(deps);
  }
  std::for_each(graph.heads.begin(), graph.heads.end(), renumber);
  graph.nodes = std::move(nodes);
}

std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& order, std::size_t count) {
  std::vector<std::int32_t> new_id(count, -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    new_id[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return new_id;
}

}  // namespace

void sort_topologically(Graph& graph) {
  const std::size_t count = graph.nodes.size();
  std::vector<std::int32_t> order;
  std::vector<char> placed(count, 0);
  // Depth first with an explicit stack: deep graphs would overflow the call stack.
  std::vector<std::pair<std::int32_t, std::size_t>> stack;
  for (std::size_t start = 0; start < count; ++start) {
    if (placed[start]) continue;
    stack.emplace_back(static_cast<std::int32_t>(start), 0);
    placed[start] = 1;
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      const auto& inputs = graph.nodes[static_cast<std::size_t>(id)].inputs;
      if (next == inputs.size()) {
        order.push_back(id);
        stack.pop_back();
        continue;
      }
      const std::int32_t producer = inputs[next++].node;
      if (!placed[static_cast<std::size_t>(producer)]) {
        placed[static_cast<std::size_t>(producer)] = 1;
        stack.emplace_back(producer, 0);
      }
    }
  }
  reorder(graph, order, inverse(order, count));
}

std::vector<std::int32_t> remove_dead_nodes(Graph& graph) {
  std::vector<char> live(graph.nodes.size(), 0);
  for (Value head : graph.heads) live[static_cast<std::size_t>(head.node)] = 1;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    if (!live[i]) continue;
    for (Value input : graph.nodes[i].inputs) live[static_cast<std::size_t>(input.node)] = 1;
  }
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if (live[i]) order.push_back(static_cast<std::int32_t>(i));
  }
  auto new_id = inverse(order, graph.nodes.size());
  reorder(graph, order, new_id);
  return new_id;
}

std::string dump(const Graph& graph) {
  std::string text;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& node = graph.nodes[i];
    text += concat(i, " ", printable(node.name), " = ");
    if (node.is_variable()) {
      text += node.constant ? concat("parameter ", to_string(node.constant->dtype()), " ",
                                     to_string(node.constant->shape()))
                            : std::string("input");
    } else {
      text += printable(node.op_name) + "(";
      for (std::size_t k = 0; k < node.inputs.size(); ++k) {
        text += (k > 0 ? ", " : "") + printable(value_name(graph, node.inputs[k]));
      }
      text += ")";
    }
    for (const auto& [key, value] : node.raw_attrs) text += " " + printable(key) + "=" + printable(value);
    for (const auto& note : node.notes) text += "  # " + note;
    text += "\n";
  }
  return text;
}

}  // namespace mxinfer::graph
