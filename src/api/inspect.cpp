#include <mxinfer/inspect.h>

#include "api/load_model.h"
#include "api/model_data.h"
#include "formats/symbol_json.h"

namespace mxinfer {
namespace {

NodeInfo node_info(const graph::Graph& graph, std::int32_t id) {
  const graph::Node& node = graph.nodes[static_cast<std::size_t>(id)];
  NodeInfo info{node.name, node.op_name, {}};
  for (std::int32_t o = 0; o < node.num_outputs; ++o)
    info.outputs.push_back(ops::output_name(graph, {id, o}));
  return info;
}

}  // namespace

Inspection inspect(const std::string& uri, const LoadOptions& options) {
  auto raw = api::read_model(uri, options);
  Inspection report;
  report.kind = raw.kind;
  report.graphs = raw.graphs;
  report.graph = raw.graph;
  report.mxnet_version = raw.symbol.graph.mxnet_version;
  const auto data = api::build_model(std::move(raw), options, api::Purpose::inspect);
  for (auto& missing : formats::unsupported_ops(data->graph)) {
    report.unsupported.push_back({missing.op, std::move(missing.nodes), std::move(missing.reason)});
  }
  report.name = data->name;
  report.signature = data->signature;
  report.labels = data->labels;
  report.warnings = data->warnings;
  if (data->file_signature) {
    report.signature_from_file = true;
    report.transforms = data->file_signature->transforms;
    report.post = data->file_signature->post;
  }
  const auto& nodes = data->graph.nodes;
  for (std::size_t id = 0; id < nodes.size(); ++id) {
    const graph::Node& node = nodes[id];
    if (!node.is_variable()) {
      ++report.operators[node.op_name];
      report.nodes.push_back(node_info(data->graph, static_cast<std::int32_t>(id)));
    } else if (node.constant) {
      report.parameters.push_back({node.name, node.constant->shape(), node.constant->dtype()});
      report.parameter_elements += node.constant->elements();
    }
  }
  return report;
}

}  // namespace mxinfer
