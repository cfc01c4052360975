#include "api/prepare_stages.h"

#include <algorithm>

#include "api/guess_signature.h"
#include "passes/passes.h"
#include "passes/stages.h"
#include "plan/fold_constants.h"

namespace mxinfer::api {
namespace {

// What the file says of the bare network's inputs, those of them that are inputs of the rest.
std::vector<DataDesc> stated_inputs(const ModelData& data) {
  std::vector<DataDesc> stated;
  if (!data.file_signature || !data.file_signature->network) return stated;
  for (const DataDesc& desc : data.file_signature->network->inputs) {
    for (const graph::Node& node : data.stages->rest.nodes) {
      if (node.input_index >= 0 && node.name == desc.name) stated.push_back(desc);
    }
  }
  return stated;
}

void optimize(graph::Graph& graph) {
  plan::fold_constants(graph, kernels::best_target());
  passes::optimize(graph);
  // Parameters that were brought into another order.
  plan::fold_constants(graph, kernels::best_target());
}

}  // namespace

void find_stages(ModelData& data) {
  data.stages = passes::split_stages(data.graph, passes::find_seams(data.graph));
  if (!data.stages) return;
  auto rest = guess_signature(data.stages->rest, stated_inputs(data));
  data.rest_inputs = std::move(rest.signature.inputs);
  for (const passes::ItemStage& item : data.stages->items) {
    if (!item.reader) continue;
    data.takes_items = true;
    for (DataDesc& input : data.signature.inputs) {
      if (input.name != item.input) continue;
      input = {item.input, {-1}, DType::uint8, "", Meaning::encoded_image};
      if (item.reader->from_path) input.meaning = Meaning::image_path;
    }
  }
  if (data.takes_items) {
    for (std::size_t i = 0; i < data.signature.outputs.size(); ++i) {
      if (data.signature.outputs[i].shape.rank() > 0) continue;  // the file says it
      data.signature.outputs[i].shape = rest.signature.outputs[i].shape;
      data.signature.outputs[i].dtype = rest.signature.outputs[i].dtype;
    }
  }
}

void optimize(ModelData& data) {
  if (!data.stages) {
    optimize(data.graph);
    return;
  }
  for (passes::ItemStage& item : data.stages->items) optimize(item.graph);
  optimize(data.stages->rest);
  if (data.takes_items) {
    data.graph = data.stages->rest;
    return;
  }
  data.graph = passes::join_stages(*data.stages);
  for (graph::Node& node : data.graph.nodes) {
    if (!node.is_variable() || node.constant) continue;
    const auto& inputs = data.signature.inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const DataDesc& desc) { return desc.name == node.name; });
    node.input_index = static_cast<std::int32_t>(found - inputs.begin());
  }
}

}  // namespace mxinfer::api
