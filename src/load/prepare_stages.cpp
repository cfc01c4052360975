#include "load/prepare_stages.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "load/guess_signature.h"
#include "passes/load/stages.h"
#include "passes/passes.h"
#include "plan/fold_constants.h"

namespace mxinfer::api {
namespace {

// What the file says of the bare network's inputs, those of them that are inputs of the rest.
std::vector<DataDesc> stated_inputs(const ModelData& data) {
  std::vector<DataDesc> stated;
  if (!data.file_signature || !data.file_signature->network) return stated;
  std::map<std::string_view, std::size_t> inputs;  // how many there are of a name
  for (const graph::Node& node : data.stages->rest.nodes) {
    if (node.input_index >= 0) ++inputs[node.name];
  }
  for (const DataDesc& desc : data.file_signature->network->inputs) {
    const auto found = inputs.find(desc.name);
    if (found != inputs.end()) stated.insert(stated.end(), found->second, desc);
  }
  return stated;
}

// Passes read the dtypes of inputs from the graph; here is what the caller said of them too.
void state_dtypes(graph::Graph& graph, const std::vector<DataDesc>& inputs) {
  std::map<std::string_view, DType> dtypes;
  for (const DataDesc& desc : inputs) dtypes.emplace(desc.name, desc.dtype);
  for (graph::Node& node : graph.nodes) {
    if (!node.is_variable() || node.constant) continue;
    const auto found = dtypes.find(node.name);
    if (found != dtypes.end()) node.raw_attrs["__dtype__"] = std::to_string(static_cast<int>(found->second));
  }
}

// The node that makes a batch of one item by itself; -1 where the network takes a batch.
std::int32_t own_batch(const graph::Graph& rest, const std::string& input) {
  for (std::size_t id = 0; id < rest.nodes.size(); ++id) {
    const graph::Node& node = rest.nodes[id];
    if (node.op == nullptr || node.op->name != "expand_dims" || node.attrs.integer("axis") != 0) continue;
    const graph::Node& from = rest.nodes[static_cast<std::size_t>(node.inputs[0].node)];
    if (from.input_index >= 0 && from.name == input) return static_cast<std::int32_t>(id);
  }
  return -1;
}

void pass_over(graph::Graph& graph, std::int32_t node) {
  const graph::Value from = graph.nodes[static_cast<std::size_t>(node)].inputs[0];
  const auto lead_around = [&](graph::Value& value) {
    if (value.node == node) value = from;
  };
  for (graph::Node& reader : graph.nodes)
    std::for_each(reader.inputs.begin(), reader.inputs.end(), lead_around);
  std::for_each(graph.heads.begin(), graph.heads.end(), lead_around);
  graph::remove_dead_nodes(graph);
}

// Items are given their batch here. A model that makes one of each picture itself, with expand_dims, takes
// one picture; where that is a file, it takes several too, and the expand_dims has nothing left to do.
bool takes_batches(passes::Stages& stages) {
  for (const passes::ItemStage& item : stages.items) {
    const std::int32_t node = own_batch(stages.rest, item.rest_input);
    if (node < 0) continue;
    if (!item.reader) return false;
    pass_over(stages.rest, node);
  }
  return true;
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
  if (data.stages && !takes_batches(*data.stages)) data.stages.reset();
  if (!data.stages) return;
  auto rest = guess_signature(data.stages->rest, stated_inputs(data));
  data.rest_inputs = std::move(rest.signature.inputs);
  std::map<std::string, Meaning> read;  // by input: the kind of file
  for (const passes::ItemStage& item : data.stages->items) {
    if (item.reader) read[item.input] = item.reader->from_path ? Meaning::image_path : Meaning::encoded_image;
  }
  data.takes_items = !read.empty();
  for (DataDesc& input : data.signature.inputs) {
    const auto found = read.find(input.name);
    if (found != read.end()) input = {input.name, {-1}, DType::uint8, "", found->second};
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
    state_dtypes(data.graph, data.signature.inputs);
    optimize(data.graph);
    return;
  }
  for (passes::ItemStage& item : data.stages->items) optimize(item.graph);
  state_dtypes(data.stages->rest, data.signature.inputs);
  state_dtypes(data.stages->rest, data.rest_inputs);
  optimize(data.stages->rest);
  if (data.takes_items) {
    data.graph = data.stages->rest;
    return;
  }
  data.graph = passes::join_stages(*data.stages);
  const auto& inputs = data.signature.inputs;
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) places.emplace(inputs[i].name, i);
  for (graph::Node& node : data.graph.nodes) {
    if (!node.is_variable() || node.constant) continue;
    const auto found = places.find(node.name);
    node.input_index = static_cast<std::int32_t>(found == places.end() ? inputs.size() : found->second);
  }
}

}  // namespace mxinfer::api
