#include <algorithm>
#include <array>
#include <set>
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

/// What its gradient alone makes a loss. Networks put predictions through it too, to have them as outputs.
bool makes_loss(const graph::Node& node) {
  return node.op != nullptr && (node.op->name == "MakeLoss" || node.op->name == "make_loss");
}

/// By node: whether it is a loss, or needs one.
std::vector<bool> nodes_after_losses(const graph::Graph& graph) {
  std::vector<bool> after(graph.nodes.size(), false);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const graph::Node& node = graph.nodes[i];
    after[i] = is_loss(node) || std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::Value input) {
                 return after[static_cast<std::size_t>(input.node)];
               });
  }
  return after;
}

/// Which nodes any of the values needs, themselves included.
std::vector<bool> nodes_behind(const graph::Graph& graph, const std::vector<graph::Value>& values) {
  std::vector<bool> needed(graph.nodes.size(), false);
  for (graph::Value value : values) needed[static_cast<std::size_t>(value.node)] = true;
  for (std::size_t i = graph.nodes.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const graph::Value& input : graph.nodes[i].inputs)
      needed[static_cast<std::size_t>(input.node)] = true;
  }
  return needed;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + printable(name);
  return text;
}

/// Inputs of the network that a value needs and `others` do not. What is behind a node of `others` is one of
/// them too.
std::string own_inputs(const graph::Graph& graph, graph::Value value, const std::vector<bool>& others) {
  std::set<std::int32_t> own;
  std::vector<std::int32_t> open{value.node};
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    if (others[static_cast<std::size_t>(id)] || !own.insert(id).second) continue;
    for (graph::Value input : graph.nodes[static_cast<std::size_t>(id)].inputs) open.push_back(input.node);
  }
  std::vector<std::string> names;
  for (std::int32_t id : own) {
    const graph::Node& node = graph.nodes[static_cast<std::size_t>(id)];
    if (node.is_variable() && node.constant == nullptr) names.push_back(node.name);
  }
  return listed(names);
}

/// By head: whether it is a loss.
std::vector<bool> loss_heads(const graph::Graph& graph) {
  const std::vector<bool> after_loss = nodes_after_losses(graph);
  std::vector<bool> losses;
  for (graph::Value head : graph.heads) {
    const auto id = static_cast<std::size_t>(head.node);
    losses.push_back(after_loss[id] || makes_loss(graph.nodes[id]));
  }
  return losses;
}

}  // namespace

bool ends_in_losses(const graph::Graph& graph) {
  const std::vector<bool> losses = loss_heads(graph);
  return std::find(losses.begin(), losses.end(), false) == losses.end();
}

std::vector<std::string> find_losses(const graph::Graph& graph) {
  const std::vector<bool> is_loss_head = loss_heads(graph);
  std::vector<graph::Value> losses, plain;
  for (std::size_t h = 0; h < graph.heads.size(); ++h)
    (is_loss_head[h] ? losses : plain).push_back(graph.heads[h]);
  std::vector<std::string> notes;
  if (losses.empty() || plain.empty()) return notes;
  const std::vector<bool> needed = nodes_behind(graph, plain);
  std::vector<std::string> plain_names;
  for (graph::Value head : plain) plain_names.push_back(ops::output_name(graph, head));
  for (graph::Value head : losses) {
    const std::string own = own_inputs(graph, head, needed);
    if (own.empty()) continue;
    notes.push_back(
        concat("output ", printable(ops::output_name(graph, head)), " is a loss, which alone reads ", own,
               "; to predict without it, load the model with its other outputs (", listed(plain_names), ")"));
  }
  return notes;
}

}  // namespace mxinfer::passes
