#include "shapes/fixed_states.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "base/fail.h"

namespace mxinfer::shapes {
namespace {

using graph::Graph;
using graph::Node;

bool makes_constants(const Node& node) {
  return node.op_name == "_zeros" || node.op_name == "_ones" || node.op_name == "_full";
}

// By node before the failing one: whether it needs an input of the network.
std::vector<bool> needs_inputs(const Graph& graph, std::size_t count) {
  std::vector<bool> needs(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    const Node& node = graph.nodes[i];
    needs[i] = node.is_variable() && node.constant == nullptr;
    for (graph::Value input : node.inputs) needs[i] = needs[i] || needs[static_cast<std::size_t>(input.node)];
  }
  return needs;
}

// Passes may have folded such a node: a constant that is an operand of arithmetic. (Weights of layers are
// constants too, but do not depend on the batch.)
bool is_constant_operand(const Node& reader, const Node& node) {
  return node.constant != nullptr && reader.op_name.starts_with("elemwise_");
}

void collect_constants(const Graph& graph, std::int32_t from, std::set<std::int32_t>& found) {
  std::vector<std::int32_t> open{from};
  std::set<std::int32_t> seen{from};
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    const Node& node = graph.nodes[static_cast<std::size_t>(id)];
    if (makes_constants(node)) found.insert(id);
    for (graph::Value input : node.inputs) {
      if (seen.insert(input.node).second) open.push_back(input.node);
    }
  }
}

}  // namespace

std::string fixed_states_before(const Graph& graph, const Node& node, const ValueTypes& known) {
  const std::vector<bool> needs = needs_inputs(graph, known.size());
  std::set<std::int32_t> constants;
  bool any_other = false;
  for (graph::Value input : node.inputs) {
    const bool is_other = needs[static_cast<std::size_t>(input.node)];
    any_other = any_other || is_other;
    if (is_other) continue;
    collect_constants(graph, input.node, constants);
    if (is_constant_operand(node, graph.nodes[static_cast<std::size_t>(input.node)]))
      constants.insert(input.node);
  }
  if (constants.empty() || !any_other) return {};
  constexpr std::size_t kShown = 3;
  std::string list;
  std::size_t shown = 0;
  for (const std::int32_t id : constants) {
    if (shown++ == kShown) break;
    list += concat(list.empty() ? "" : ", ", graph::describe(graph.nodes[static_cast<std::size_t>(id)]), " ",
                   to_string(known[static_cast<std::size_t>(id)][0].shape));
  }
  if (constants.size() > kShown) list += concat(" and ", constants.size() - kShown, " more");
  return concat("; the file fixes the shape of ", list,
                ", so the network accepts only the batch size it was written for");
}

}  // namespace mxinfer::shapes
