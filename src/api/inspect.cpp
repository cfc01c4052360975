#include <mxinfer/inspect.h>

#include "api/load_model.h"
#include "api/model_data.h"

namespace mxinfer {

Inspection inspect(const std::string& uri, const LoadOptions& options) {
  auto raw = api::read_model(uri, options);
  Inspection report;
  report.mxnet_version = raw.symbol.graph.mxnet_version;
  for (const auto& missing : raw.symbol.unsupported)
    report.unsupported.push_back({missing.op, missing.nodes});
  const auto data = api::build_model(std::move(raw), options, api::Purpose::inspect);
  report.name = data->name;
  report.signature = data->signature;
  report.labels = data->labels;
  report.warnings = data->warnings;
  for (const auto& node : data->graph.nodes) {
    if (!node.is_variable()) {
      ++report.operators[node.op_name];
    } else if (node.constant) {
      report.parameters.push_back({node.name, node.constant->shape(), node.constant->dtype()});
      report.parameter_elements += node.constant->elements();
    }
  }
  return report;
}

}  // namespace mxinfer
