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
  /// Upgraded, labels of training pruned, parameters bound, heads as asked for, and optimised where it is to
  /// run: plans are made of it. Free variables carry Node::input_index.
  graph::Graph graph;
  Signature signature;
  /// By input: whether the caller gave the descriptor, so that arrays must fit it.
  std::vector<bool> declared;
  std::vector<std::string> labels;
  std::vector<std::string> warnings;
  mutable plan::WeightStore weights;
};

}  // namespace mxinfer::api
