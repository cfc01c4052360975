// What a Model holds. Everything but the weight store is immutable after loading; the store locks.
#pragma once

#include <mxinfer/model.h>

#include <string>
#include <vector>

#include "graph/graph.h"
#include "ops/op_def.h"
#include "plan/weight_store.h"

namespace mxinfer::api {

struct ModelData {
  std::string name;
  /// As loaded: upgraded, labels of training pruned, parameters bound, heads as asked for.
  graph::Graph graph;
  /// After passes::optimize; what plans are made of. Free variables carry Node::input_index.
  graph::Graph optimized;
  Signature signature;
  /// By input: whether the caller gave the descriptor, so that arrays must fit it.
  std::vector<bool> declared;
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  mutable plan::WeightStore weights;
};

}  // namespace mxinfer::api
