#include <algorithm>
#include <array>
#include <string_view>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

/// Losses that are nothing without their labels, other than the training outputs whose labels are pruned.
constexpr std::array<std::string_view, 2> kLosses = {"CTCLoss", "softmax_cross_entropy"};

bool is_loss(const graph::Node& node) {
  return node.op != nullptr && std::find(kLosses.begin(), kLosses.end(), node.op->name) != kLosses.end();
}

/// Which nodes the value needs, itself included.
std::vector<bool> nodes_behind(const graph::Graph& graph, graph::Value value) {
  std::vector<bool> needed(graph.nodes.size(), false);
  needed[static_cast<std::size_t>(value.node)] = true;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const graph::Value& input : graph.nodes[i].inputs)
      needed[static_cast<std::size_t>(input.node)] = true;
  }
  return needed;
}

struct Head {
  std::string name;
  std::vector<bool> needs;
  bool loss = false;
};

std::vector<Head> describe_heads(const graph::Graph& graph) {
  std::vector<Head> heads;
  for (const graph::Value& value : graph.heads) {
    Head head{ops::output_name(graph, value), nodes_behind(graph, value)};
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      head.loss = head.loss || (head.needs[i] && is_loss(graph.nodes[i]));
    }
    heads.push_back(std::move(head));
  }
  return heads;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

/// Inputs of the network that `head` needs and none of `others` does.
std::string own_inputs(const graph::Graph& graph, const Head& head, const std::vector<Head>& others) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    if (!head.needs[i] || !node.is_variable() || node.constant != nullptr) continue;
    const bool shared = std::any_of(others.begin(), others.end(),
                                    [&](const Head& other) { return !other.loss && other.needs[i]; });
    if (!shared) names.push_back(node.name);
  }
  return listed(names);
}

}  // namespace

std::vector<std::string> find_losses(const graph::Graph& graph) {
  const std::vector<Head> heads = describe_heads(graph);
  std::vector<std::string> plain;
  for (const Head& head : heads) {
    if (!head.loss) plain.push_back(head.name);
  }
  std::vector<std::string> notes;
  if (plain.empty()) return notes;
  for (const Head& head : heads) {
    const std::string own = head.loss ? own_inputs(graph, head, heads) : std::string();
    if (own.empty()) continue;
    notes.push_back(concat("output ", printable(head.name), " is a loss, for which alone the network reads ",
                           own, "; loaded with its other outputs (", listed(plain), ") it predicts without"));
  }
  return notes;
}

}  // namespace mxinfer::passes
