#include "load/prepare_stages.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "graph/hints.h"
#include "load/signature/guess_signature.h"
#include "passes/load/stages.h"

namespace mxinfer::api {
namespace {

// The inputs that are columns of a table.
std::set<std::string_view> columns_of(const graph::Graph& graph, const passes::Boundaries& boundaries) {
  std::set<std::string_view> names;
  for (const passes::InputBoundary& boundary : boundaries.inputs) {
    if (!boundary.joins_columns) continue;
    for (const std::int32_t id : boundary.variables)
      names.insert(graph.nodes[static_cast<std::size_t>(id)].name);
  }
  return names;
}

// The file's descriptors of the rest's inputs: columns are inputs of the model, others those of the bare
// network.
std::vector<DataDesc> stated_inputs(const ModelData& data, const std::set<std::string_view>& columns) {
  std::vector<DataDesc> stated;
  if (!data.file_signature || !data.file_signature->network) return stated;
  std::map<std::string_view, std::size_t> inputs;  // how many there are of a name
  for (const graph::Node& node : data.stages->rest.nodes) {
    if (node.input_index >= 0) ++inputs[node.name];
  }
  for (const DataDesc& desc : data.file_signature->network->inputs) {
    const auto found = inputs.find(desc.name);
    if (found != inputs.end() && columns.count(desc.name) == 0)
      stated.insert(stated.end(), found->second, desc);
  }
  for (const DataDesc& desc : data.file_signature->signature.inputs) {
    const auto found = inputs.find(desc.name);
    if (found != inputs.end() && columns.count(desc.name) > 0)
      stated.insert(stated.end(), found->second, desc);
  }
  return stated;
}

// Passes read the dtypes of inputs from the graph; these include the caller's.
void state_dtypes(graph::Graph& graph, const std::vector<DataDesc>& inputs) {
  std::map<std::string_view, DType> dtypes;
  for (const DataDesc& desc : inputs) dtypes.emplace(desc.name, desc.dtype);
  for (graph::Node& node : graph.nodes) {
    if (!node.is_variable() || node.constant) continue;
    const auto found = dtypes.find(node.name);
    if (found != dtypes.end()) graph::set_dtype_hint(node, found->second);
  }
}

}  // namespace

void find_stages(ModelData& data) {
  const passes::Boundaries boundaries = passes::find_boundaries(data.graph);
  data.stages = passes::split_stages(data.graph, boundaries);
  if (!data.stages) return;
  auto rest = guess_signature(data.stages->rest, stated_inputs(data, columns_of(data.graph, boundaries)));
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

void state_dtypes(ModelData& data) {
  state_dtypes(data.graph, data.signature.inputs);
  if (!data.stages) return;
  state_dtypes(data.stages->rest, data.signature.inputs);
  state_dtypes(data.stages->rest, data.rest_inputs);
}

}  // namespace mxinfer::api
