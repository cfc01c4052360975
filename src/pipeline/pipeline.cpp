#include "pipeline/pipeline.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "passes/optimise/propagate_stride.h"
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

// The operators and the layout that the CPU's kernels are fast on.
void shape_for_cpu(Graph& graph, const Goal& goal) {
  // First here: what follows works on channels-last convolutions.
  channels_last(graph);
  // Before blocks are fused, which take slopes and activations along.
  fuse_prelu(graph);
  fuse_gated_activation(graph);
  // Behind activations, which would stand between; before groups are merged, with their borders.
  fold_ahead_of_convolutions(graph);
  // Before blocks are fused, which want depthwise groups as they are.
  merge_groups(graph);
  // Before pooling: its convolutions are whole blocks.
  fuse_separable(graph);
  // Before pooling, which is fused with float32 convolutions alone.
  read_pixels(graph, goal);
  // Behind all that change a convolution.
  fuse_pooling(graph, goal);
  // Behind what makes parameters: bodies get those that are handed to them.
  specialize_subgraphs(graph, goal.target);
  // Last: what is left of element-wise operators.
  fuse_elementwise(graph);
}

// The same for the GPU's kernels: channels-last convolutions, and loops of element-wise operators.
void shape_for_cuda(Graph& graph, const Goal& goal) {
  // First here: what follows works on channels-last convolutions.
  channels_last(graph);
  // Before element-wise operators are fused, which take slopes and activations along.
  fuse_prelu(graph);
  fuse_gated_activation(graph);
  // Behind activations, which would stand between.
  fold_ahead_of_convolutions(graph);
  // Behind what makes parameters: bodies, which run on the CPU, get those that are handed to them.
  specialize_subgraphs(graph, goal.target);
  // Last: what is left of element-wise operators.
  fuse_elementwise(graph);
}

}  // namespace

Loaded load(Graph& graph, const LoadRequest& request) {
  Loaded loaded;
  const auto warn = [&](std::vector<std::string> lines) {
    loaded.warnings.insert(loaded.warnings.end(), std::make_move_iterator(lines.begin()),
                           std::make_move_iterator(lines.end()));
  };
  const std::set<std::string> inputs = free_variables(graph);
  // First: a detector's outputs are found behind labels, which go next. A caller that names outputs wants
  // those, of the training graph too.
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

void simplify(Graph& graph) {
  // First: patterns would have to look through casts.
  remove_amp_casts(graph);
  // Behind amp's casts, which leave fewer halves.
  halves_in_float32(graph);
  // Behind both, which may leave float32 parameters.
  widen_parameters(graph);
  // Then nodes stand beside those whose values they read.
  remove_identities(graph);
  // Behind remove_identities, which would stand between convolutions; before all that know channels-first
  // convolutions.
  channels_first(graph);
  // Before fusing: a value with two readers is not fused.
  merge_duplicates(graph);
  // Before fusing: it takes readers off values.
  read_shapes_early(graph);
  // Before arithmetic is folded: it belongs to the image.
  fuse_image_chain(graph);
  // Before residuals and activations, which stand behind it.
  fold_batch_norm(graph);
  // Behind fold_batch_norm, which has first choice.
  fold_ahead_of_products(graph);
  // Before activations: the sum is activated, not the product.
  fuse_residual(graph);
  // Before strides move: an activation is not a reader of its own.
  fuse_activation(graph);
  // Last here: it asks which values are read by strides alone.
  propagate_stride(graph);
}

void optimise(Graph& graph, const Goal& goal) {
  // First: what follows from parameters alone is a parameter for all passes.
  if (goal.folds_constants) fold_constants(graph, goal.target);
  simplify(graph);
  const bool on_cpu = goal.device == device::Kind::cpu;
  on_cpu ? shape_for_cpu(graph, goal) : shape_for_cuda(graph, goal);
  // Parameters that were brought into another order.
  if (goal.folds_constants) fold_constants(graph, goal.target);
  // Last: it takes the operators that the others have made. A GPU's kernels round operands when they read
  // them.
  if (on_cpu) lower_precision(graph, goal.precision);
}

}  // namespace mxinfer::pipeline
