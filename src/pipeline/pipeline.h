// The pipeline: every rewrite of a graph that needs no shapes, in the order in which they run. pipeline.cpp
// gives the reason for each place. The rewrites that need shapes are in passes/bind/bind.h.
//
//   pipeline::Loaded loaded = pipeline::load(graph, {});       // once a model; knows no device
//   pipeline::optimise(graph, {target, precision});            // once for each goal; the model keeps the result
#pragma once

#include <mxinfer/load_options.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "passes/goal.h"
#include "passes/load/stages.h"
#include "passes/passes.h"

namespace mxinfer::pipeline {

/// The request for a network.
struct LoadRequest {
  bool with_transforms = true;
  std::vector<std::string> outputs{};  ///< names; empty: those of the graph
  /// For a network that is to run; one that is only reported on keeps its random operators.
  bool runs = true;
  RandomTransforms random_transforms = RandomTransforms::reject;
  std::uint64_t seed = 0;
};

struct Loaded {
  std::vector<std::string> warnings;
  std::set<std::string> training_inputs;  ///< names of what only training reads
  passes::ValueBeforeLoss before_loss;    ///< of a network all of whose outputs need labels
  passes::Boundaries boundaries;          ///< of transforms that were left out
};

/// Stage "load": turns the network of the file into the requested one. Precondition: parameters are bound.
/// Throws what the passes throw, and Error(not_found) for an output that does not exist.
Loaded load(graph::Graph& graph, const LoadRequest& request);

/// Stage "optimise": the same outputs, faster. No pass uses shapes, so one graph serves all plans.
void optimise(graph::Graph& graph, const passes::Goal& goal);
/// The first part of that stage, up to the choice of layouts; without constants.
void simplify(graph::Graph& graph, const passes::Goal& goal = {});

}  // namespace mxinfer::pipeline
