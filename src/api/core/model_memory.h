// The memory of models' weights; shared weights count once.
#pragma once

#include <mxinfer/memory_use.h>

#include <set>

#include "model/model_data.h"

namespace mxinfer::api {

class MemoryCount {
 public:
  void add(const ModelData& data) {
    if (stores_.insert(data.weights.get()).second) memory_.packed_weights += data.weights->bytes();
    add(data.graph);
    for (const auto& optimised : data.optimised.all()) add(optimised->graph);
  }
  const ModelMemory& memory() const { return memory_; }

 private:
  void add(const graph::Graph& graph) {
    for (const graph::Node& node : graph.nodes) {
      const Parameter* parameter = node.constant.get();
      if (parameter == nullptr || !parameter->in_memory() || !held_.insert(parameter).second) continue;
      memory_.stored_weights += parameter->bytes();
    }
  }

  ModelMemory memory_;
  std::set<const Parameter*> held_;
  std::set<const plan::WeightStore*> stores_;
};

}  // namespace mxinfer::api
