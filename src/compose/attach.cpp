#include "compose/attach.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <utility>

#include "base/fail.h"
#include "compose/attach_transforms.h"
#include "compose/transforms_json.h"
#include "formats/json/sample_json.h"
#include "formats/json/signature_json.h"
#include "model/check_inputs.h"
#include "model/fixed_batch.h"
#include "passes/infer_outputs.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using ops::TensorType;

/// By input of the network: its descriptor in the signature, by name, else the next unused one. Null without
/// a signature.
std::vector<const DataDesc*> match_inputs(const std::vector<DataDesc>& network,
                                          const std::vector<DataDesc>& inputs) {
  std::vector<const DataDesc*> given(network.size(), nullptr);
  if (inputs.empty()) return given;
  if (inputs.size() != network.size()) {
    fail(ErrorCode::invalid_argument, "the signature has ", inputs.size(), " inputs, but the network ",
         network.size(), ": ", names_of(network));
  }
  std::vector<const DataDesc*> others;
  for (const DataDesc& desc : inputs) {
    (void)batch_axis(desc);
    const auto same = [&](const DataDesc& input) { return input.name == desc.name; };
    const auto found = std::find_if(network.begin(), network.end(), same);
    if (found == network.end()) {
      others.push_back(&desc);
    } else {
      given[static_cast<std::size_t>(found - network.begin())] = &desc;
    }
  }
  std::size_t next = 0;
  for (const DataDesc*& desc : given) {
    if (desc == nullptr && next < others.size()) desc = others[next++];
  }
  return given;
}

[[noreturn]] void refuse_inputs(const Network& network, const std::vector<TensorType>& inputs,
                                const Error& reason) {
  std::string list;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    list += concat(i > 0 ? ", " : "", "'", printable(network.bare->signature.inputs[i].name), "' ",
                   ops::to_string(inputs[i]));
  }
  fail(ErrorCode::invalid_argument, "the network does not accept what reaches its inputs, ", list,
       " for the sizes tried: ", reason.what());
}

/// The network's output descriptors from its signature.
std::vector<Trials> stated_outputs(const Network& network) {
  std::vector<Trials> outputs;
  for (std::size_t h = 0; h < network.bare->graph.heads.size(); ++h) {
    const DataDesc& output = network.bare->signature.outputs[h];
    outputs.push_back(output.shape.rank() > 0 ? trials_of(output, 1) : Trials());
  }
  return outputs;
}

/// The types of each output in every trial; empty if the types of an input are unknown.
std::vector<Trials> infer_outputs(const Network& network, const AttachedInputs& inputs) {
  const Graph& graph = network.bare->graph;
  std::vector<Trials> outputs(graph.heads.size());
  for (const Trials& types : inputs.trials) {
    if (types.empty()) return outputs;
  }
  const auto batch = fixed_batch(network.bare->signature.inputs);
  const std::size_t trials = inputs.trials.empty() ? 1 : inputs.trials[0].size();
  for (std::size_t t = 0; t < trials; ++t) {
    std::vector<TensorType> given;
    for (const Trials& types : inputs.trials) {
      given.push_back(types[t]);
      Shape& shape = given.back().shape;
      if (batch && shape.rank() > 0) shape[0] = *batch;
    }
    try {
      const std::vector<TensorType> types = passes::infer_outputs(graph, given);
      for (std::size_t h = 0; h < outputs.size(); ++h) outputs[h].push_back(types[h]);
    } catch (const Error& e) {
      // Guessed sizes prove nothing about a network without transforms.
      if (!inputs.has_any()) return stated_outputs(network);
      refuse_inputs(network, given, e);
    }
  }
  return outputs;
}

/// The caller's descriptors of the outputs replace the inferred ones, which they must match.
void describe_outputs(const std::vector<DataDesc>& given, std::vector<DataDesc>& found) {
  if (given.empty()) return;
  if (given.size() != found.size()) {
    fail(ErrorCode::invalid_argument, "the signature has ", given.size(), " outputs, but the model ",
         found.size(), ": ", names_of(found));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    DataDesc& output = found[i];
    const bool known = output.shape.rank() > 0;
    bool agrees = given[i].dtype == output.dtype && given[i].shape.rank() == output.shape.rank();
    for (std::size_t d = 0; agrees && d < output.shape.rank(); ++d) {
      agrees = given[i].shape[d] < 0 || output.shape[d] < 0 || given[i].shape[d] == output.shape[d];
    }
    if (known && given[i].shape.rank() > 0 && !agrees) {
      fail(ErrorCode::invalid_argument, "the signature says that output ", i, " is ", to_string(given[i]),
           ", but the model gives ", to_string(output));
    }
    if (!known) output.dtype = given[i].dtype;
    output.name = given[i].name;
    if (given[i].shape.rank() > 0) output.shape = given[i].shape;
    output.layout = given[i].layout;
    output.meaning = given[i].meaning;
  }
}

void refuse_misplaced_columns(const AttachRequest& request) {
  if (!request.post.texts.empty())
    fail(ErrorCode::invalid_argument, "texts can be attached only in front of a network");
  if (!request.post.columns.empty()) {
    fail(ErrorCode::invalid_argument, "'", printable(request.post.columns.begin()->first),
         "' is given columns, which can be attached only in front of a network");
  }
  const bool states_inputs = !request.transforms.columns.empty() || !request.texts.empty();
  if (!states_inputs || request.signature.inputs.empty()) return;
  fail(ErrorCode::invalid_argument,
       "both the signature and the columns or texts state inputs; leave \"inputs\" out of the signature");
}

/// The bare network's, without guessed lengths of inputs made of texts.
Signature network_signature(const Network& network, const AttachedInputs& inputs) {
  Signature signature = network.bare->signature;
  for (DataDesc& input : signature.inputs) {
    if (inputs.of_texts.count(input.name) > 0 && input.is_guess && input.shape.rank() > 1)
      input.shape[1] = -1;
  }
  return signature;
}

/// Writes the signature and related attributes into the graph.
void write_attributes(EndToEndModel& model, const Network& network, const AttachRequest& request,
                      const std::vector<std::string>& labels, const AttachedInputs& inputs,
                      const Attached& outputs) {
  model.graph.attrs.erase(formats::kSampleAttribute);
  formats::FileSignature file;
  file.signature = model.signature;
  file.labels = labels;
  if (inputs.has_any() || has_steps(request.post)) file.network = network_signature(network, inputs);
  if (inputs.has_any()) file.transforms = to_json(inputs.steps, inputs.columns, request.transforms.texts);
  if (inputs.sequences.size() == 1) file.sequence = inputs.sequences[0];
  if (inputs.sequences.empty() && network.bare->file_signature)
    file.sequence = network.bare->file_signature->sequence;
  if (!outputs.steps.empty()) file.post = to_json(outputs.steps);
  formats::write_signature(model.graph, file);
}

EndToEndModel attach_all(const Network& network, const AttachRequest& request) {
  const Signature& bare = network.bare->signature;
  const std::vector<std::string>& labels = request.labels.empty() ? network.bare->labels : request.labels;
  require_known_names(request.transforms, bare.inputs, "input");
  require_known_names(request.post, bare.outputs, "output");
  refuse_misplaced_columns(request);
  EndToEndModel model;
  model.graph = network.graph;
  AttachedInputs inputs = attach_preprocessing(model.graph, network, request.transforms, request.texts,
                                               match_inputs(bare.inputs, request.signature.inputs));
  const Attached outputs =
      attach_postprocessing(model.graph, network, request.post, infer_outputs(network, inputs), labels);
  model.signature.inputs = inputs.descs;
  model.signature.outputs = outputs.descs;
  describe_outputs(request.signature.outputs, model.signature.outputs);
  for (const Attached* part : std::initializer_list<const Attached*>{&inputs, &outputs}) {
    model.lines.insert(model.lines.end(), part->lines.begin(), part->lines.end());
    model.warnings.insert(model.warnings.end(), part->warnings.begin(), part->warnings.end());
  }
  graph::sort_topologically(model.graph);
  graph::verify(model.graph);
  write_attributes(model, network, request, labels, inputs, outputs);
  model.parameters = std::move(inputs.parameters);
  return model;
}

bool is_same_array(const TensorView& a, const TensorView& b) {
  const auto bytes = static_cast<std::size_t>(a.shape().elements()) * size_of(a.dtype());
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), bytes) == 0;
}

}  // namespace

void prepare_texts(AttachRequest& request) {
  request.texts.clear();
  for (const TextTransform& text : request.transforms.texts) request.texts.push_back(prepare_text(text));
}

std::vector<formats::ArrayToWrite> parameters_of(const Network& network, const EndToEndModel& model) {
  std::vector<formats::ArrayToWrite> arrays = parameters_of(network);
  add_arrays(model, arrays);
  return arrays;
}

void add_arrays(const EndToEndModel& model, std::vector<formats::ArrayToWrite>& arrays) {
  for (const AddedParameter& added : model.parameters) {
    const std::string name = "arg:" + added.name;
    const std::shared_ptr<const Tensor> value = added.value->value();
    const auto same = std::find_if(arrays.begin(), arrays.end(),
                                   [&](const formats::ArrayToWrite& array) { return array.name == name; });
    if (same == arrays.end()) {
      arrays.push_back({name, *value, value});
    } else if (!is_same_array(same->tensor, *value)) {
      fail(ErrorCode::invalid_argument, "parameter '", printable(added.name),
           "' has different values in two graphs of the bundle; give the embeddings of all graphs the same "
           "vectors");
    }
  }
}

EndToEndModel attach(const Network& network, const AttachRequest& request) {
  return in_context([&] { return printable(network.bare->name); },
                    [&] { return attach_all(network, request); });
}

std::unique_ptr<ModelData> build_end_to_end(const Network& network, const EndToEndModel& model,
                                            const LoadOptions& options) {
  RawModel raw;
  raw.name = network.bare->name;
  raw.symbol = formats::parse_symbol(formats::write_symbol(model.graph));
  auto values = values_of(network);
  for (const AddedParameter& added : model.parameters) values[added.name] = added.value;
  for (Node& node : raw.symbol.graph.nodes) {
    const auto found = values.find(node.name);
    if (node.is_variable() && found != values.end()) node.constant = found->second;
  }
  return build_model(std::move(raw), options);
}

}  // namespace mxinfer::api
