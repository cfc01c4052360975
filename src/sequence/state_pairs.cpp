#include "sequence/state_pairs.h"

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/infer_outputs.h"
#include "sequence/changed_axis.h"
#include "sequence/check_options.h"
#include "sequence/if_taken.h"
#include "sequence/input_trace.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using Types = std::vector<ops::TensorType>;

std::optional<Types> input_types_for(const SequenceNetwork& network, const SequenceLayout& layout,
                                     std::int64_t batch, std::int64_t length) {
  return if_taken([&] { return batch_types(network, layout, batch, length); });
}

void find_state_batches(const SequenceNetwork& network, std::int64_t length, SequenceLayout& layout) {
  const auto two = input_types_for(network, layout, 2, length);
  const auto three = input_types_for(network, layout, 3, length);
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    SequenceInput& input = layout.inputs[i];
    if (input.role != SequenceRole::state || input.axes.batch) continue;
    if (two && three) input.axes.batch = changed_axis((*two)[i].shape, (*three)[i].shape, 2, 3);
  }
}

// The RNN output that is the next value of a state variable.
std::optional<std::size_t> output_of_rnn(const Graph& graph, std::size_t input) {
  const graph::Value value{variable_of(graph, input), 0};
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    if (node.op == nullptr || node.op->name != "RNN") continue;
    for (std::size_t port = 2; port < 4 && port < node.inputs.size(); ++port) {
      if (!(node.inputs[port] == value)) continue;
      const graph::Value next{static_cast<std::int32_t>(id), static_cast<std::int32_t>(port) - 1};
      const auto head = std::find(graph.heads.begin(), graph.heads.end(), next);
      if (head == graph.heads.end()) return std::nullopt;
      return static_cast<std::size_t>(head - graph.heads.begin());
    }
  }
  return std::nullopt;
}

std::vector<std::size_t> state_inputs(const SequenceLayout& layout) {
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < layout.inputs.size(); ++i) {
    if (layout.inputs[i].role == SequenceRole::state) inputs.push_back(i);
  }
  return inputs;
}

std::vector<StatePair> stated_pairs(const SequenceNetwork& network, const SequenceOptions& options,
                                    const SequenceLayout& layout) {
  std::vector<StatePair> pairs;
  std::set<std::string> inputs, outputs;
  for (const StateNames& names : options.states) {
    if (!inputs.insert(names.input).second || !outputs.insert(names.output).second) {
      fail(ErrorCode::invalid_argument, "SequenceOptions::states name '", printable(names.input), "' or '",
           printable(names.output), "' twice; each state needs its own input and its own output");
    }
    const auto input = std::find_if(layout.inputs.begin(), layout.inputs.end(),
                                    [&](const SequenceInput& i) { return i.name == names.input; });
    pairs.push_back(
        {static_cast<std::size_t>(input - layout.inputs.begin()),
         index_named(network.outputs, names.output, "SequenceOptions::states", "output", network.name)});
  }
  return pairs;
}

bool fit_each_other(const SequenceLayout& layout, const StatePair& pair, const Types& inputs,
                    const Types& heads) {
  return inputs[pair.input] == heads[pair.output] && layout.inputs[pair.input].axes.batch.has_value();
}

}  // namespace

std::vector<StatePair> guessed_pairs(const Graph& graph, const std::vector<std::size_t>& inputs,
                                     std::size_t outputs) {
  if (inputs.empty() || inputs.size() >= outputs) return {};
  std::vector<StatePair> pairs;
  std::set<std::size_t> taken;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto of_rnn = output_of_rnn(graph, inputs[i]);
    pairs.push_back({inputs[i], of_rnn.value_or(outputs - inputs.size() + i)});
    if (!taken.insert(pairs.back().output).second) return {};
  }
  return pairs;
}

void pair_states(const SequenceNetwork& network, const SequenceOptions& options, SequenceLayout& layout) {
  const std::int64_t length = layout.known_length;
  find_state_batches(network, length, layout);
  const bool is_stated = !options.states.empty();
  const auto pairs = is_stated ? stated_pairs(network, options, layout)
                               : guessed_pairs(*network.graph, state_inputs(layout), layout.outputs.size());
  if (pairs.empty()) return;
  const auto inputs = input_types_for(network, layout, layout.batch.value_or(1), length);
  if (!inputs) return;
  const Types heads = passes::infer_outputs(*network.graph, *inputs);
  for (const StatePair& pair : pairs) {
    if (fit_each_other(layout, pair, *inputs, heads)) {
      layout.outputs[pair.output].axes = {layout.inputs[pair.input].axes.batch, std::nullopt};
      continue;
    }
    if (!is_stated) return;
    fail(ErrorCode::invalid_argument, "SequenceOptions::states pair input '",
         printable(layout.inputs[pair.input].name), "', ", ops::to_string((*inputs)[pair.input]),
         ", with output '", printable(layout.outputs[pair.output].name), "', ",
         ops::to_string(heads[pair.output]), "; the two must have the same type, and an axis of samples");
  }
  layout.states = pairs;
}

}  // namespace mxinfer::api
