#include "sequence/input_trace.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

bool changes_no_value(std::string_view op) {
  static constexpr std::string_view kOps[] = {"_copy",    "identity",  "Cast",    "cast",
                                              "amp_cast", "BlockGrad", "Dropout", "stop_gradient"};
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

bool reads_as_length(const Node& node, graph::Value value) {
  const std::string& op = node.op->name;
  return (op == "SequenceMask" || op == "SequenceReverse" || op == "SequenceLast") &&
         node.inputs.size() == 2 && node.inputs[1] == value;
}

// Whether a node swaps the first two axes; nullopt if it is not a swap.
bool swaps_first_axes(const Node& node) {
  if (node.op->name == "SwapAxis") {
    const std::int64_t a = node.attrs.integer("dim1"), b = node.attrs.integer("dim2");
    return (a == 0 && b == 1) || (a == 1 && b == 0);
  }
  if (node.op->name != "transpose") return false;
  const std::vector<std::int64_t> axes = node.attrs.tuple("axes");
  if (axes.size() < 2 || axes[0] != 1 || axes[1] != 0) return false;
  for (std::size_t i = 2; i < axes.size(); ++i) {
    if (axes[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

// The elements of a value that is a parameter, or that parameters are flattened and joined to.
std::int64_t parameter_elements(const Graph& graph, graph::Value value) {
  std::vector<std::int32_t> open = {value.node};
  std::int64_t elements = 0;
  while (!open.empty()) {
    const Node& node = graph.nodes[static_cast<std::size_t>(open.back())];
    open.pop_back();
    if (node.constant) elements += node.constant->elements();
    for (const graph::Value input : node.inputs) open.push_back(input.node);
  }
  return elements;
}

// The number of features that an RNN with so many parameters takes: its first layer has weights for them, and
// all else depends on the size of the state alone.
std::optional<std::int64_t> rnn_features(const Graph& graph, const Node& node) {
  if (node.inputs.size() < 2 || node.attrs.has("projection_size")) return std::nullopt;
  const std::string& mode = node.attrs.text("mode");
  const std::int64_t gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
  const std::int64_t size = node.attrs.integer("state_size"), layers = node.attrs.integer("num_layers");
  const std::int64_t directions = node.attrs.flag("bidirectional") ? 2 : 1;
  const std::int64_t rows = directions * gates * size;
  if (rows <= 0 || layers <= 0) return std::nullopt;
  const std::int64_t others = (layers - 1) * rows * (directions * size + size + 2);
  const std::int64_t features = (parameter_elements(graph, node.inputs[1]) - others) / rows - size - 2;
  return features > 0 ? std::optional(features) : std::nullopt;
}

// A value with the contents of the input, or their Embedding.
struct Followed {
  graph::Value value;
  bool swapped = false;
  bool embedded = false;
};

}  // namespace

InputTrace trace_input(const Graph& graph, std::int32_t variable) {
  InputTrace trace;
  std::vector<Followed> followed = {{{variable, 0}}};
  for (std::size_t next = 0; next < followed.size(); ++next) {
    const Followed from = followed[next];
    for (std::size_t id = static_cast<std::size_t>(from.value.node) + 1; id < graph.nodes.size(); ++id) {
      const Node& node = graph.nodes[id];
      if (node.op == nullptr || node.inputs.empty()) continue;
      if (!from.embedded && reads_as_length(node, from.value)) trace.is_length = true;
      if (!(node.inputs[0] == from.value)) continue;
      Followed to{{static_cast<std::int32_t>(id), 0}, from.swapped, from.embedded};
      if (node.op->name == "Embedding" && !from.embedded) {
        const std::int64_t rows = node.attrs.integer("input_dim");
        trace.rows = std::min(trace.rows.value_or(rows), rows);
        to.embedded = true;
      } else if (node.op->name == "RNN") {
        if (!trace.time_axis) trace.time_axis = from.swapped ? 1 : 0;
        if (!trace.features && !from.embedded) trace.features = rnn_features(graph, node);
        continue;
      } else if (swaps_first_axes(node)) {
        to.swapped = !from.swapped;
      } else if (!changes_no_value(node.op->name)) {
        continue;
      }
      followed.push_back(to);
    }
  }
  return trace;
}

std::int32_t variable_of(const Graph& graph, std::size_t input) {
  const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(), [&](const Node& node) {
    return node.input_index == static_cast<std::int32_t>(input);
  });
  return static_cast<std::int32_t>(found - graph.nodes.begin());
}

}  // namespace mxinfer::api
