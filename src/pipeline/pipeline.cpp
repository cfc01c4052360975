#include "pipeline/pipeline.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "passes/passes.h"
#include "pipeline/fold_constants.h"
#include "pipeline/specialize_subgraphs.h"

namespace mxinfer::pipeline {

using namespace passes;  // this file lists them

namespace {

using graph::Graph;
using graph::Node;

std::set<std::string> free_variables(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.is_variable() && !node.constant) names.insert(node.name);
  }
  return names;
}

std::set<std::string> without(std::set<std::string> names, const std::set<std::string>& others) {
  for (const std::string& name : others) names.erase(name);
  return names;
}

void decide_random_transforms(Graph& graph, const LoadRequest& request) {
  switch (request.random_transforms) {
    case RandomTransforms::reject:
      return refuse_random_transforms(graph);
    case RandomTransforms::identity:
      return skip_random_transforms(graph);
    case RandomTransforms::execute:
      return seed_random_transforms(graph, request.seed);
  }
  fail(ErrorCode::invalid_argument, "LoadOptions::random_transforms is ",
       static_cast<int>(request.random_transforms), "; expected reject, identity or execute");
}

}  // namespace

Loaded load(Graph& graph, const LoadRequest& request) {
  Loaded loaded;
  const auto warn = [&](std::vector<std::string> lines) {
    loaded.warnings.insert(loaded.warnings.end(), std::make_move_iterator(lines.begin()),
                           std::make_move_iterator(lines.end()));
  };
  // First: all others know the operators that a file was fused from.
  inline_fused(graph);
  const std::set<std::string> inputs = free_variables(graph);
  // Before labels go: a detector's outputs are found behind labels, which go next. A caller that names
  // outputs wants those, of the training graph too.
  if (request.outputs.empty()) warn(deploy_detector(graph));
  // Before inputs are counted and transforms looked for: labels are not inputs.
  warn(prune_training_inputs(graph));
  loaded.training_inputs = without(inputs, free_variables(graph));
  // Before outputs are taken: their names are the network's.
  if (!request.with_transforms) {
    loaded.boundaries = find_boundaries(graph);
    remove_transforms(graph, loaded.boundaries);
  }
  // Before losses are looked for: only those that are asked for matter.
  take_outputs(graph, request.outputs);
  // Behind prune_training_inputs: what is left needs its labels.
  warn(find_losses(graph));
  loaded.before_loss = find_value_before_loss(graph);
  warn(loss_notes(loaded.before_loss));
  // Behind whatever removes operators: those that are gone draw no numbers.
  if (request.runs) decide_random_transforms(graph, request);
  // Last: no input goes or comes any more.
  number_inputs(graph, loaded.boundaries);
  return loaded;
}

void simplify(Graph& graph, const Goal& goal) {
#define MXINFER_PASS(pass) passes::pass(graph, goal);
#include "passes/optimise/simplify.inc"
#undef MXINFER_PASS
}

void optimise(Graph& graph, const Goal& goal) {
  // First: what follows from parameters alone is a parameter for all passes.
  if (goal.folds_constants) fold_constants(graph, goal.target);
  simplify(graph, goal);
  const bool on_cpu = goal.device == device::Kind::cpu;
#define MXINFER_PASS(pass) passes::pass(graph, goal);
  if (on_cpu) {
#include "passes/optimise/for_cpu.inc"
  } else {
#include "passes/optimise/for_cuda.inc"
  }
#undef MXINFER_PASS
  // Behind what makes parameters: bodies get those that are handed to them.
  specialize_subgraphs(graph, goal.target);
  // Parameters that were brought into another order.
  if (goal.folds_constants) fold_constants(graph, goal.target);
  // Last: it takes the operators that the others have made. A GPU's kernels round operands when they read
  // them.
  if (on_cpu) lower_precision(graph, goal);
}

}  // namespace mxinfer::pipeline
