// The pipeline: every rewrite of a graph between the file and a plan, in the order in which they run.
// pipeline.cpp says of each why it stands where it stands.
//
//   passes::Loaded loaded = passes::load(graph, {});           // once a model; knows no device
//   passes::optimise(graph, {target, precision});              // once for each goal; the model keeps the
//   result passes::Bound bound = passes::bind(graph, input_types);    // once for each plan; knows shapes
#pragma once

#include <mxinfer/load_options.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "graph/graph.h"
#include "kernels/common/precision.h"
#include "kernels/common/target.h"
#include "ops/tensor_type.h"
#include "passes/load/stages.h"
#include "passes/passes.h"
#include "plan/shapes/infer.h"

namespace mxinfer::passes {

/// What is asked of a network.
struct LoadRequest {
  bool with_transforms = true;
  std::vector<std::string> outputs{};  ///< names; empty: those of the graph
  /// Of a network that is to run; one that is only reported on keeps its random operators.
  bool runs = true;
  RandomTransforms random_transforms = RandomTransforms::reject;
  std::uint64_t seed = 0;
};

struct Loaded {
  std::vector<std::string> warnings;
  std::set<std::string> training_inputs;  ///< names of what only training reads
  ValueBeforeLoss before_loss;            ///< of a network all of whose outputs need labels
  Boundaries boundaries;                  ///< of transforms that were left off
};

/// Stage "load": the network that the file describes becomes the one that is asked for. Precondition:
/// parameters are bound. Throws what the passes throw; Error(not_found) for an output that is not there.
Loaded load(graph::Graph& graph, const LoadRequest& request);

/// What a graph is made fast for.
struct Goal {
  kernels::Target target = kernels::Target::ref;  ///< constants are computed by its kernels
  kernels::Precision precision = kernels::Precision::float32;
  bool folds_constants = true;
  device::Kind device = device::Kind::cpu;

  friend bool operator==(const Goal& a, const Goal& b) {
    return a.target == b.target && a.precision == b.precision && a.folds_constants == b.folds_constants &&
           a.device == b.device;
  }
};

/// Stage "optimise": the same outputs, faster. No pass of it knows shapes, so one graph serves all plans.
void optimise(graph::Graph& graph, const Goal& goal);
/// The first part of it, up to where the layout of values is chosen; without constants.
void simplify(graph::Graph& graph);

/// A graph for fixed shapes.
struct Bound {
  std::optional<graph::Graph> rewritten;  ///< nothing: the graph as it was
  plan::ValueTypes types;
};

/// Stage "bind": what depends on the shapes and dtypes of the inputs. Throws what inference throws.
Bound bind(const graph::Graph& graph, const std::vector<ops::TensorType>& inputs, bool splits_batches);

}  // namespace mxinfer::passes
