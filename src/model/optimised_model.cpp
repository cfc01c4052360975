#include "model/optimised_model.h"

#include <cstddef>
#include <map>
#include <string_view>

#include "model/model_data.h"

namespace mxinfer::api {
namespace {

// Numbers the inputs as in the signature; others follow.
void number_as_signature(const ModelData& data, graph::Graph& graph) {
  const auto& inputs = data.signature.inputs;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) places.emplace(inputs[i].name, i);
  for (graph::Node& node : graph.nodes) {
    if (!node.is_variable() || node.constant) continue;
    const auto found = places.find(node.name);
    node.input_index = static_cast<std::int32_t>(found == places.end() ? inputs.size() : found->second);
  }
}

std::shared_ptr<const OptimisedModel> optimise(const ModelData& data, const passes::Goal& goal) {
  auto model = std::make_shared<OptimisedModel>();
  model->goal = goal;
  if (!data.stages) {
    model->graph = data.graph;
    pipeline::optimise(model->graph, goal);
    return model;
  }
  // Each stage separately, so that the whole and the stages share the weights that passes create.
  passes::Stages& stages = model->stages.emplace(*data.stages);
  for (passes::ItemStage& item : stages.items) pipeline::optimise(item.graph, goal);
  pipeline::optimise(stages.rest, goal);
  model->graph = data.takes_items ? stages.rest : passes::join_stages(stages);
  if (!data.takes_items) number_as_signature(data, model->graph);
  return model;
}

}  // namespace

std::shared_ptr<const OptimisedModel> OptimisedModels::of(const ModelData& data, const passes::Goal& goal) {
  const std::lock_guard lock(mutex_);
  for (const auto& model : models_) {
    if (model->goal == goal) return model;
  }
  models_.push_back(optimise(data, goal));
  if (data.packed) offer_packed(data, *models_.back());
  return models_.back();
}

std::list<std::shared_ptr<const OptimisedModel>> OptimisedModels::all() const {
  const std::lock_guard lock(mutex_);
  return models_;
}

}  // namespace mxinfer::api
