// OptimisedModel: a model's graphs optimised for one goal, a target and a precision. Immutable; shared by all
// predictors with the same goal. The model keeps them (OptimisedModels), together with the weights that
// passes created.
//
//   std::shared_ptr<const OptimisedModel> network = data.optimised.of(data, {target, precision});
//   plan::make_plan(network->graph, ...);
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>

#include "graph/graph.h"
#include "passes/load/stages.h"
#include "pipeline/pipeline.h"

namespace mxinfer::api {

struct ModelData;

struct OptimisedModel {
  passes::Goal goal;
  /// ModelData::graph.
  graph::Graph graph;
  /// ModelData::stages.
  std::optional<passes::Stages> stages;
};

/// The optimised graphs of one model. Thread-safe.
class OptimisedModels {
 public:
  /// Created at the first call for a goal. `data` is the model that holds this.
  std::shared_ptr<const OptimisedModel> of(const ModelData& data, const passes::Goal& goal);
  /// All that are there.
  std::list<std::shared_ptr<const OptimisedModel>> all() const;

 private:
  mutable std::mutex mutex_;
  std::list<std::shared_ptr<const OptimisedModel>> models_;
};

}  // namespace mxinfer::api
