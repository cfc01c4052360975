#include "passes/pipeline.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "ops/op_def.h"
#include "passes/bind/bind.h"
#include "passes/bind/split_batch.h"
#include "passes/optimise/propagate_stride.h"
#include "passes/passes.h"

namespace mxinfer::passes {
namespace {

using graph::Graph;
using graph::Node;

// -- load: what the file says becomes what is asked for ----------------------------------------------------

struct Loading {
  Graph& graph;
  const LoadRequest& request;
  Loaded& loaded;

  void warn(std::vector<std::string> lines) const {
    loaded.warnings.insert(loaded.warnings.end(), std::make_move_iterator(lines.begin()),
                           std::make_move_iterator(lines.end()));
  }
};

struct LoadPass {
  const char* name;
  void (*run)(const Loading&);
  const char* reason;  ///< of its place
};

std::set<std::string> free_variables(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.is_variable() && !node.constant) names.insert(node.name);
  }
  return names;
}

void deploy(const Loading& in) {
  // Who names outputs wants those, of the training graph too.
  if (in.request.outputs.empty()) in.warn(deploy_detector(in.graph));
}

void prune(const Loading& in) {
  in.warn(prune_training_inputs(in.graph));
  for (const std::string& name : free_variables(in.graph)) in.loaded.training_inputs.erase(name);
}

void leave_off_transforms(const Loading& in) {
  if (in.request.with_transforms) return;
  in.loaded.seams = find_seams(in.graph);
  remove_transforms(in.graph, in.loaded.seams);
}

void decide_random_transforms(const Loading& in) {
  if (!in.request.runs) return;
  switch (in.request.random_transforms) {
    case RandomTransforms::reject:
      return refuse_random_transforms(in.graph);
    case RandomTransforms::identity:
      return skip_random_transforms(in.graph);
    case RandomTransforms::execute:
      return seed_random_transforms(in.graph, in.request.seed);
  }
  fail(ErrorCode::invalid_argument, "LoadOptions::random_transforms is ",
       static_cast<int>(in.request.random_transforms), "; expected reject, identity or execute");
}

const LoadPass kLoad[] = {
    {"deploy_detector", deploy, "first: a detector's outputs are found behind labels, which go next"},
    {"prune_training_inputs", prune,
     "before inputs are counted and transforms looked for: labels are no inputs"},
    {"leave_off_transforms", leave_off_transforms, "before outputs are taken: their names are the network's"},
    {"take_outputs", [](const Loading& in) { take_outputs(in.graph, in.request.outputs); },
     "before losses are looked for: only those that are asked for matter"},
    {"find_losses", [](const Loading& in) { in.warn(find_losses(in.graph)); },
     "behind prune_training_inputs: what is left needs its labels"},
    {"decide_random_transforms", decide_random_transforms,
     "behind whatever removes operators: those that are gone draw no numbers"},
    {"number_inputs", [](const Loading& in) { number_inputs(in.graph, in.loaded.seams); },
     "last: no input goes or comes any more"},
};

// -- optimise: the same outputs, faster ---------------------------------------------------------------------

struct OptimisePass {
  const char* name;
  void (*run)(Graph&, const Goal&);
  const char* reason;  ///< of its place
};

void fold(Graph& graph, const Goal& goal) {
  if (goal.folds_constants) fold_constants(graph, goal.target);
}

template <void (*kPass)(Graph&)>
void always(Graph& graph, const Goal& /*goal*/) {
  kPass(graph);
}

const OptimisePass kSimplify[] = {
    {"remove_amp_casts", always<remove_amp_casts>, "first: patterns would have to look through casts"},
    {"widen_parameters", always<widen_parameters>, "behind amp's casts, which may leave float32 ones"},
    {"remove_identities", always<remove_identities>, "then nodes stand beside those whose values they read"},
    {"merge_duplicates", always<merge_duplicates>, "before fusing: a value with two readers is not fused"},
    {"read_shapes_early", always<read_shapes_early>, "before fusing: it takes readers off values"},
    {"fuse_image_chain", always<fuse_image_chain>, "before arithmetic is folded: it belongs to the image"},
    {"fold_batch_norm", always<fold_batch_norm>, "before residuals and activations, which stand behind it"},
    {"fold_ahead_of_products", always<fold_ahead_of_products>,
     "behind fold_batch_norm, which has first choice"},
    {"fuse_residual", always<fuse_residual>, "before activations: the sum is activated, not the product"},
    {"fuse_activation", always<fuse_activation>,
     "before strides move: an activation is no reader of its own"},
    {"propagate_stride", always<propagate_stride>,
     "last here: it asks which values are read by strides alone"},
};

const OptimisePass kCpu[] = {
    {"channels_last", always<channels_last>, "first here: what follows works on channels-last convolutions"},
    {"fuse_prelu", always<fuse_prelu>, "before blocks are fused: they take slopes along"},
    {"fuse_gated_activation", always<fuse_gated_activation>, "likewise, with gates that are spelt out"},
    {"fold_ahead_of_convolutions", always<fold_ahead_of_convolutions>,
     "behind activations, which would stand between; before groups are merged, with their borders"},
    {"merge_groups", always<merge_groups>,
     "before blocks are fused, which want depthwise groups as they are"},
    {"fuse_separable", always<fuse_separable>, "before pooling: its convolutions are whole blocks"},
    {"read_pixels", read_pixels, "before pooling: it is fused with float32 convolutions alone"},
    {"fuse_pooling", fuse_pooling, "behind all that change a convolution"},
    {"specialize_subgraphs", [](Graph& graph, const Goal& goal) { specialize_subgraphs(graph, goal.target); },
     "behind what makes parameters: bodies get those that are handed to them"},
    {"fuse_elementwise", always<fuse_elementwise>, "last: what is left of element-wise operators"},
};

template <std::size_t kCount>
void run(const OptimisePass (&passes)[kCount], Graph& graph, const Goal& goal) {
  for (const OptimisePass& pass : passes) pass.run(graph, goal);
}

// -- bind: what depends on shapes and dtypes ----------------------------------------------------------------

bool is_in_disguise(const Node& node) {
  return node.op != nullptr && node.op->canonicalise != nullptr;
}

Graph canonical(Graph graph) {
  for (Node& node : graph.nodes) {
    if (is_in_disguise(node)) node.op->canonicalise(node);
  }
  return graph;
}

bool widens_any(const Graph& graph, const plan::ValueTypes& types) {
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    if (is_widened(graph, types, id)) return true;
  }
  return false;
}

}  // namespace

Loaded load(Graph& graph, const LoadRequest& request) {
  Loaded loaded;
  loaded.training_inputs = free_variables(graph);
  const Loading loading{graph, request, loaded};
  for (const LoadPass& pass : kLoad) pass.run(loading);
  return loaded;
}

void simplify(Graph& graph) {
  run(kSimplify, graph, {});
}

void optimise(Graph& graph, const Goal& goal) {
  // What follows from parameters alone is a parameter for all passes.
  fold(graph, goal);
  run(kSimplify, graph, goal);
  run(kCpu, graph, goal);
  // Parameters that were brought into another order.
  fold(graph, goal);
  // Last: it takes the operators that the others have made.
  lower_precision(graph, goal.precision);
}

Bound bind(const Graph& graph, const std::vector<ops::TensorType>& inputs, bool splits_batches) {
  Bound bound{std::nullopt, plan::infer_types(graph, inputs)};
  const auto rewrite = [&](Graph rewritten) {
    bound.rewritten = std::move(rewritten);
    bound.types = plan::infer_types(*bound.rewritten, inputs);
  };
  // First: what follows sees the operators that run. Behind the inference, so that errors speak of the
  // operator that the file has.
  if (std::any_of(graph.nodes.begin(), graph.nodes.end(), is_in_disguise)) rewrite(canonical(graph));
  const auto current = [&]() -> const Graph& { return bound.rewritten ? *bound.rewritten : graph; };
  // Before batches are split: the casts belong into the samples' subgraph.
  if (widens_any(current(), bound.types)) {
    Graph widened = current();
    widen_float16(widened, bound.types);
    rewrite(std::move(widened));
  }
  // Last: the operators that it takes into a subgraph are those that run.
  if (!splits_batches) return bound;
  if (std::optional<Graph> split = split_batch(current(), inputs, bound.types)) rewrite(std::move(*split));
  return bound;
}

}  // namespace mxinfer::passes
