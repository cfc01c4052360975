#include "load/signature/guess_signature.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/fail.h"
#include "load/signature/guess_batch.h"
#include "load/signature/initial_states.h"
#include "load/signature/input_readings.h"
#include "ops/op_def.h"
#include "ops/value_names.h"
#include "passes/bind/cut_at_data.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

void fix_sides(DataDesc& input, std::int64_t side) {
  const auto batch = batch_axis(input);
  for (std::size_t i = 0; i < input.shape.rank(); ++i) {
    if (batch != i && input.shape[i] < 0) input.shape[i] = side;
  }
}

// Puts the side into the inputs that neither the file nor the caller describes. The batch is never a side.
void take_side(GuessedSide side, GuessedSignature& result) {
  const bool is_guess = side.lowest < side.highest;
  bool any = false;
  for (std::size_t i = 0; i < result.signature.inputs.size(); ++i) {
    DataDesc& input = result.signature.inputs[i];
    const bool fixes = !result.declared[i] && has_free_side(input);
    side.open_shapes.push_back(fixes ? input.shape : Shape());
    if (!fixes) continue;
    fix_sides(input, side.taken);
    input.is_guess = is_guess;
    any = true;
  }
  if (is_guess && any) result.side = std::move(side);
}

// Class scores: the output of a softmax of (batch, classes).
bool gives_scores(const Graph& graph, graph::Value head, const DataDesc& output) {
  const Node& node = graph.nodes[static_cast<std::size_t>(head.node)];
  if (node.op == nullptr || head.index != 0 || output.shape.rank() != 2) return false;
  if (node.op->name == "SoftmaxOutput") return true;
  if (node.op->name != "softmax") return false;
  const auto axis = node.attrs.integer("axis");
  return axis == -1 || axis == 1;
}

std::vector<DataDesc> describe_outputs(const Graph& graph, const std::vector<Trial>& trials) {
  const std::vector<std::string> names = ops::head_names(graph);
  std::vector<DataDesc> outputs;
  for (std::size_t h = 0; h < graph.heads.size(); ++h) {
    DataDesc output;
    output.name = names[h];
    for (std::size_t t = 0; t < trials.size(); ++t) {
      const ops::TensorType& type = trials[t].outputs[h];
      output.dtype = type.dtype;
      output.shape = t == 0 ? type.shape : common_shape(output.shape, type.shape);
    }
    if (gives_scores(graph, graph.heads[h], output)) output.meaning = Meaning::scores;
    outputs.push_back(std::move(output));
  }
  return outputs;
}

// Sizes that the network fixes for all of its samples.
void take_batch(const Graph& graph, const TriedBatches& tried, std::int64_t side, GuessedSignature& result) {
  auto& inputs = result.signature.inputs;
  if (tried.rule == BatchRule::free) return;
  if (tried.batch > 1) result.warnings.push_back(warning_of(graph, inputs, tried, side));
  if (tried.rule != BatchRule::fixed) return;
  for (DataDesc& input : inputs) {
    if (has_free_batch(input) && !input.is_optional) input.shape[*batch_axis(input)] = tried.batch;
  }
}

}  // namespace

GuessedSignature guess_signature(const Graph& graph, const std::vector<DataDesc>& given,
                                 const std::vector<DataDesc>& stated) {
  GuessedSignature result;
  InputReadings readings(graph, given, stated, result);
  if (auto fit = readings.choose()) {
    if (fit->side && fit->side->taken > 0) take_side(std::move(*fit->side), result);
    take_batch(graph, fit->tried, fit->side_tried, result);
    result.trials = std::move(fit->tried.trials);
  }
  readings.warn();
  take_state_shapes(graph, result);
  result.signature.outputs = describe_outputs(graph, result.trials);
  const std::vector<bool> open = passes::heads_that_depend_on_data(graph);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i]) result.signature.outputs[i].shape = Shape();
  }
  return result;
}

}  // namespace mxinfer::api
