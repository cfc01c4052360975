#include "api/quantize/write_quantized.h"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "compose/quantize/prepare_graph.h"
#include "formats/archive/write_bundle.h"
#include "formats/arrays/write_params.h"
#include "formats/json/sample_json.h"
#include "formats/json/signature_json.h"
#include "formats/json/symbol_json.h"
#include "ops/op_def.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

std::set<std::int32_t> auxiliary_states(const Graph& graph) {
  std::set<std::int32_t> states;
  for (const Node& node : graph.nodes) {
    if (node.op == nullptr || node.op->auxiliary.empty()) continue;
    const std::vector<std::string> ports = ops::input_ports(*node.op, node.attrs).names;
    for (std::size_t i = 0; i < ports.size() && i < node.inputs.size(); ++i) {
      for (const std::string& name : node.op->auxiliary) {
        if (ports[i] == name) states.insert(node.inputs[i].node);
      }
    }
  }
  return states;
}

std::vector<formats::ArrayToWrite> parameters_of(const Graph& graph) {
  const std::set<std::int32_t> states = auxiliary_states(graph);
  std::vector<formats::ArrayToWrite> arrays;
  std::set<std::string> written;
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Node& node = graph.nodes[id];
    // Variables of one name are one array.
    if (!node.constant || !written.insert(node.name).second) continue;
    const bool is_state = states.count(static_cast<std::int32_t>(id)) > 0;
    const auto value = node.constant->value();
    arrays.push_back({(is_state ? "aux:" : "arg:") + node.name, *value, value});
  }
  return arrays;
}

/// The signature of the network without its transforms, which the file may leave out.
std::optional<Signature> bare_signature(const ModelData& model, const RawModel& raw,
                                        const LoadOptions& load) {
  if (!model.stages || !load.load_transforms) return std::nullopt;
  LoadOptions bare = load;
  bare.load_transforms = false;
  return build_model(raw, bare, Purpose::inspect)->signature;
}

/// The model's sample with the outputs of the quantized network.
void write_sample_of(const ModelData& model, const SampleRuns& runs, Graph& graph) {
  Graph carrier;
  carrier.attrs[formats::kSampleAttribute] = {"str", model.sample};
  const auto sample = formats::read_sample(carrier);
  std::vector<TensorView> views;
  std::vector<formats::SampleArray> inputs, outputs;
  for (const formats::NamedArray& array : sample->inputs) {
    views.emplace_back(array.tensor);
    inputs.push_back({array.name, array.tensor});
  }
  const std::vector<Tensor> results = runs.predictor(graph, {}).predict(Span<const TensorView>(views));
  for (std::size_t i = 0; i < results.size(); ++i)
    outputs.push_back({model.signature.outputs.at(i).name, results[i]});
  formats::write_sample(graph, inputs, outputs);
}

}  // namespace

std::int64_t parameter_bytes(const Graph& graph) {
  std::map<std::string, std::size_t> bytes;
  for (const Node& node : graph.nodes) {
    if (node.constant) bytes[node.name] = node.constant->bytes();
  }
  std::int64_t all = 0;
  for (const auto& [name, size] : bytes) all += static_cast<std::int64_t>(size);
  return all;
}

void state_signature(Graph& graph, const ModelData& model, const Signature& signature, const RawModel& raw,
                     const LoadOptions& load) {
  formats::FileSignature file;
  if (model.file_signature) file = *model.file_signature;
  file.inputs_by_name = file.outputs_by_name = false;
  file.states_inputs = file.states_outputs = file.is_exact = true;
  file.signature = signature;
  file.labels = model.labels;
  if (!load.load_transforms) {
    file.network.reset();
    file.transforms.clear();
    file.post.clear();
  } else if (!file.network) {
    file.network = bare_signature(model, raw, load);
  }
  formats::write_signature(graph, file);
}

void write_quantized(QuantizedModel made, const LoadOptions& load, const SampleRuns& runs,
                     const std::string& path) {
  formats::write_quantization(made.graph, made.quantization);
  const bool is_as_stored = load.load_transforms && load.outputs.empty() && load.inputs.empty();
  if (is_as_stored && !made.model.sample.empty()) write_sample_of(made.model, runs, made.graph);
  const std::vector<std::byte> params = formats::write_params(parameters_of(made.graph));
  formats::BundleToWrite bundle;
  bundle.graphs[formats::kPredictionGraph] = formats::write_symbol(made.graph);
  bundle.params = params;
  for (const std::string& label : made.model.labels) bundle.labels += label + "\n";
  formats::write_bundle(path, bundle);
}

}  // namespace mxinfer::api
