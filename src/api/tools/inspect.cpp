#include <mxinfer/tools/inspect.h>

#include <algorithm>

#include "base/fail.h"
#include "formats/json/symbol_json.h"
#include "load/load_model.h"
#include "model/model_data.h"

namespace mxinfer {
namespace {

std::vector<NodeInput> node_inputs(const graph::Graph& graph, const graph::Node& node) {
  std::vector<NodeInput> inputs;
  std::vector<std::string> ports;
  if (node.op != nullptr) ports = ops::input_ports(*node.op, node.attrs).names;
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    inputs.push_back({ops::output_name(graph, node.inputs[i]), i < ports.size() ? ports[i] : ""});
  return inputs;
}

NodeInfo node_info(const graph::Graph& graph, std::int32_t id) {
  const graph::Node& node = graph.nodes[static_cast<std::size_t>(id)];
  NodeInfo info{node.name, node.op_name, node_inputs(graph, node), {}};
  for (std::int32_t o = 0; o < node.num_outputs; ++o)
    info.outputs.push_back(ops::output_name(graph, {id, o}));
  return info;
}

// An entry for each unsupported operator, and for each reason why nodes do not fit their operator.
std::vector<UnsupportedOperator> unsupported(const graph::Graph& graph,
                                             const std::vector<formats::NodeProblem>& problems) {
  std::vector<UnsupportedOperator> list;
  const auto add = [&](const std::string& op, const std::string& node, const std::string& reason) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const UnsupportedOperator& entry) {
      return entry.op == op && entry.reason == reason;
    });
    if (found != list.end()) return found->nodes.push_back(node);
    list.push_back({op, {node}, reason});
  };
  for (const formats::UnsupportedOp& missing : formats::unsupported_ops(graph)) {
    for (const std::string& node : missing.nodes) {
      const auto problem = std::find_if(problems.begin(), problems.end(), [&](const formats::NodeProblem& p) {
        return p.op == missing.op && p.node == node;
      });
      add(missing.op, node, problem == problems.end() ? missing.reason : problem->reason);
    }
  }
  return list;
}

std::string missing_text(const std::vector<std::string>& names, bool has_params_file) {
  return concat(has_params_file ? "" : "there is no .params file beside it: ", names.size(),
                names.size() == 1 ? " parameter has" : " parameters have", " no value",
                has_params_file ? " in the .params file" : "");
}

std::vector<PackedWeightsInfo> packed_info(const api::PackedFile* packed) {
  std::vector<PackedWeightsInfo> all;
  if (packed == nullptr) return all;
  for (const formats::PackedSet& set : packed->sets) {
    const formats::PackedKey& key = set.index.key;
    all.push_back({key.target, key.precision, key.library, set.index.weights.size(), set.place.bytes});
  }
  return all;
}

Inspection report_on(api::RawModel raw, const LoadOptions& options) {
  Inspection report;
  report.kind = raw.kind;
  report.graphs = raw.graphs;
  report.graph = raw.graph;
  report.packed = packed_info(raw.packed.get());
  report.mxnet_version = raw.symbol.graph.mxnet_version;
  const std::vector<formats::NodeProblem> problems = std::move(raw.problems);
  const bool has_params_file = raw.has_params_file;
  const auto data = api::build_model(std::move(raw), options, api::Purpose::report);
  report.unsupported = unsupported(data->graph, problems);
  report.missing_parameters = data->missing_parameters;
  report.name = data->name;
  report.signature = data->signature;
  report.labels = data->labels;
  report.warnings = data->warnings;
  if (!report.missing_parameters.empty())
    report.warnings.push_back(missing_text(report.missing_parameters, has_params_file));
  if (data->file_signature) {
    report.signature_from_file = true;
    report.transforms = data->file_signature->transforms;
    report.post = data->file_signature->post;
    if (data->file_signature->sequence)
      report.sequence = formats::sequence_text(*data->file_signature->sequence);
  }
  report.quantization = data->quantization;
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

}  // namespace

Inspection MXINFER_ABI::inspect_model(const std::string& uri, const LoadOptions& options) try {
  return report_on(api::read_model(uri, options, api::Purpose::report), options);
} catch (...) {
  throw_as_error();
}

Inspection MXINFER_ABI::inspect_memory(ByteSpan symbol_json, ByteSpan params,
                                       const LoadOptions& options) try {
  return report_on(api::read_memory(symbol_json, params, api::Purpose::report), options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
