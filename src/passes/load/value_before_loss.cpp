#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

/// A bit for each free variable.
using InputSet = std::uint64_t;
constexpr std::size_t kMostInputs = 64;

/// Which free variables each node needs, and which node each of them is.
struct Needs {
  std::vector<InputSet> of;
  std::vector<std::size_t> variables;

  InputSet of_value(graph::Value value) const { return of[static_cast<std::size_t>(value.node)]; }
};

bool is_free_variable(const graph::Node& node) {
  return node.is_variable() && node.constant == nullptr;
}

/// False if there are more free variables than bits.
bool find_needs(const graph::Graph& graph, Needs& needs) {
  needs.of.assign(graph.nodes.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    for (graph::Value input : graph.nodes[i].inputs) needs.of[i] |= needs.of_value(input);
    if (!is_free_variable(graph.nodes[i])) continue;
    if (needs.variables.size() == kMostInputs) return false;
    needs.of[i] = InputSet{1} << needs.variables.size();
    needs.variables.push_back(i);
  }
  return true;
}

bool reads_parameter(const graph::Graph& graph, const graph::Node& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](graph::Value input) {
    return graph.nodes[static_cast<std::size_t>(input.node)].constant != nullptr;
  });
}

/// Those from which alone the network computes something with its parameters.
InputSet inputs_of_layers(const graph::Graph& graph, const Needs& needs) {
  InputSet found = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const InputSet one = needs.of[i];
    const bool is_one = one != 0 && (one & (one - 1)) == 0;
    if (is_one && reads_parameter(graph, graph.nodes[i])) found |= one;
  }
  return found;
}

/// Inputs with "label" in their names; if there are none, and all outputs are losses, those without a layer
/// of their own.
InputSet labels_of(const graph::Graph& graph, const Needs& needs) {
  InputSet all = 0, labels = 0;
  for (std::size_t v = 0; v < needs.variables.size(); ++v) {
    all |= InputSet{1} << v;
    if (graph.nodes[needs.variables[v]].name.find("label") != std::string::npos) labels |= InputSet{1} << v;
  }
  if (labels == 0 && ends_in_losses(graph)) labels = all & ~inputs_of_layers(graph, needs);
  return labels;
}

/// What stands between a prediction and its loss, and is of no use by itself.
bool is_arithmetic(const graph::Node& node) {
  static constexpr std::array<std::string_view, 6> kOps = {"_minus_scalar",  "_mul_scalar", "_plus_scalar",
                                                           "_rminus_scalar", "log",         "negative"};
  return node.op != nullptr && std::find(kOps.begin(), kOps.end(), node.op->name) != kOps.end();
}

graph::Value before_arithmetic(const graph::Graph& graph, graph::Value value) {
  const graph::Value last = value;
  while (is_arithmetic(graph.nodes[static_cast<std::size_t>(value.node)]))
    value = graph.nodes[static_cast<std::size_t>(value.node)].inputs[0];
  return graph.nodes[static_cast<std::size_t>(value.node)].is_variable() ? last : value;
}

}  // namespace

ValueBeforeLoss find_value_before_loss(const graph::Graph& graph) {
  Needs needs;
  if (!find_needs(graph, needs)) return {};
  const InputSet labels = labels_of(graph, needs);
  for (graph::Value head : graph.heads) {
    if ((needs.of_value(head) & labels) == 0) return {};
  }
  graph::Value last{-1, 0};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    if ((needs.of[i] & labels) == 0) continue;
    for (graph::Value input : graph.nodes[i].inputs) {
      const bool is_prediction = needs.of_value(input) != 0 && (needs.of_value(input) & labels) == 0 &&
                                 !graph.nodes[static_cast<std::size_t>(input.node)].is_variable();
      if (is_prediction && last < input) last = input;
    }
  }
  if (last.node < 0) return {};
  ValueBeforeLoss found{{}, ops::output_name(graph, before_arithmetic(graph, last))};
  for (std::size_t v = 0; v < needs.variables.size(); ++v) {
    if ((labels >> v & 1) != 0) found.labels.insert(graph.nodes[needs.variables[v]].name);
  }
  return found;
}

std::vector<std::string> loss_notes(const ValueBeforeLoss& found) {
  if (found.labels.empty()) return {};
  std::string labels;
  for (const std::string& name : found.labels) labels += (labels.empty() ? "" : ", ") + printable(name);
  return {concat("the network ends in a loss, which reads ", labels,
                 "; to predict without it, load the model with LoadOptions::outputs = ",
                 printable(found.value), ", the value before the loss")};
}

}  // namespace mxinfer::passes
