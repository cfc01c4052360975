#include "load/signature/apply_signature.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "load/signature/guess_signature.h"
#include "model/check_inputs.h"
#include "ops/op_def.h"
#include "ops/value_names.h"
#include "passes/infer_outputs.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using formats::FileSignature;
using graph::Graph;
using graph::Node;

// The file's descriptors of the graph as loaded, with or without transforms.
const Signature* stated_signature(const ModelData& data) {
  if (!data.file_signature) return nullptr;
  const FileSignature& file = *data.file_signature;
  if (!data.transforms_left_off) return &file.signature;
  return file.network ? &*file.network : nullptr;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + printable(name) + "'";
  return text.empty() ? "none" : text;
}

std::vector<std::string> input_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) {
    if (node.input_index >= 0) names.push_back(node.name);
  }
  return names;
}

using NameSet = std::set<std::string_view>;

NameSet set_of(const std::vector<std::string>& names) {
  return {names.begin(), names.end()};
}

NameSet names_in(const std::vector<DataDesc>& descs) {
  NameSet names;
  for (const DataDesc& desc : descs) names.insert(desc.name);
  return names;
}

// A descriptor without a meaning keeps the file's meaning for the same kind of array.
DataDesc over(const DataDesc& given, const DataDesc* stated) {
  DataDesc desc = given;
  if (stated != nullptr && desc.meaning == Meaning::unspecified && desc.dtype == stated->dtype &&
      desc.shape.rank() == stated->shape.rank()) {
    desc.meaning = stated->meaning;
    desc.is_nullable = desc.is_nullable || stated->is_nullable;
  }
  return desc;
}

// Every input must appear once. Fewer outputs may need fewer inputs.
void check_input_names(const Graph& graph, const Signature& stated, bool all_outputs) {
  const std::vector<std::string> names = input_names(graph);
  const NameSet known = set_of(names);
  std::vector<std::string> stated_names;
  for (const DataDesc& desc : stated.inputs) stated_names.push_back(desc.name);
  const NameSet stated_set = set_of(stated_names);
  for (const std::string& name : stated_names) {
    if (known.count(name) > 0 || !all_outputs) continue;
    fail(ErrorCode::malformed, "the signature states an input '", printable(name),
         "', which the network does not have; its inputs are ", listed(names));
  }
  for (const std::string& name : names) {
    if (stated_set.count(name) > 0) continue;
    fail(ErrorCode::malformed, "the signature does not state the network's input '", printable(name),
         "'; it states ", listed(stated_names));
  }
}

void take_order(Graph& graph, const Signature& stated) {
  std::map<std::string_view, std::vector<Node*>> inputs;
  for (Node& node : graph.nodes) {
    if (node.input_index >= 0) inputs[node.name].push_back(&node);
  }
  std::int32_t next = 0;
  for (const DataDesc& desc : stated.inputs) {
    const auto found = inputs.find(desc.name);
    if (found == inputs.end()) continue;
    for (Node* node : found->second) node->input_index = next++;
  }
}

// The names that a signature may use for a head, one of which is unique.
std::array<std::string, 4> names_of_head(const Graph& graph, graph::Value head, const std::string& unique) {
  return {unique, ops::mxnet_output_name(graph, head), graph::value_name(graph, head),
          graph.nodes[static_cast<std::size_t>(head.node)].name};
}

// The stated outputs, in the order of the graph's.
std::vector<DataDesc> ordered_outputs(const Graph& graph, const Signature& stated, bool by_name) {
  const std::vector<std::string> heads = ops::head_names(graph);
  const std::size_t count = stated.outputs.size();
  if (count != heads.size()) {
    fail(ErrorCode::malformed, "the signature states ", count, count == 1 ? " output" : " outputs",
         "; the network has ", heads.size(), ": ", listed(heads));
  }
  if (!by_name) {
    const NameSet known = set_of(heads);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = stated.outputs[i].name;
      if (name == heads[i] || known.count(name) == 0) continue;
      fail(ErrorCode::malformed, "the signature states '", printable(name), "' as output ", i,
           ", where the network gives '", printable(heads[i]), "'; its outputs are ", listed(heads));
    }
    return stated.outputs;
  }
  std::map<std::string_view, std::size_t> places;  // of those that no head has taken
  for (std::size_t i = 0; i < count; ++i) places.emplace(stated.outputs[i].name, i);
  std::vector<DataDesc> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    auto first = places.end();
    for (const std::string& name : names_of_head(graph, graph.heads[i], heads[i])) {
      const auto found = places.find(name);
      if (found != places.end() && (first == places.end() || found->second < first->second)) first = found;
    }
    if (first == places.end()) {
      fail(ErrorCode::malformed, "the signature does not state the network's output '", printable(heads[i]),
           "'");
    }
    outputs.push_back(stated.outputs[first->second]);
    places.erase(first);
  }
  return outputs;
}

std::string described(const std::vector<DataDesc>& descs, const std::vector<ops::TensorType>& types) {
  std::string text;
  for (std::size_t i = 0; i < descs.size(); ++i) {
    text += concat(i > 0 ? ", " : "", "'", printable(descs[i].name), "' ", ops::to_string(types[i]));
  }
  return text;
}

// The size of an image in a file is known only once it is decoded.
bool takes_file(const DataDesc& desc) {
  return is_file(desc.meaning);
}

void check_trials(const Signature& stated, const std::vector<DataDesc>& inputs,
                  const std::vector<Trial>& trials) {
  if (std::any_of(inputs.begin(), inputs.end(), takes_file)) return;
  for (const Trial& trial : trials) {
    for (std::size_t i = 0; i < stated.outputs.size(); ++i) {
      const DataDesc& output = stated.outputs[i];
      if (fits(output, trial.outputs[i])) continue;
      fail(ErrorCode::malformed, "the signature states output '", printable(output.name), "' as ",
           to_string(output.dtype), " ", to_string(output.shape), "; with ", described(inputs, trial.inputs),
           " the network gives ", ops::to_string(trial.outputs[i]));
    }
  }
}

// Whether only the batch is free.
bool is_determined(const DataDesc& desc) {
  if (takes_file(desc)) return false;
  const auto axis = batch_axis(desc);
  if (desc.shape.rank() == 0) return false;
  for (std::size_t i = 0; i < desc.shape.rank(); ++i) {
    if (desc.shape[i] < 0 && axis != i) return false;
  }
  return true;
}

bool is_supported(const Graph& graph) {
  return std::all_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const Node& node) { return node.is_variable() || node.op != nullptr; });
}

std::vector<ops::TensorType> types_of(const std::vector<DataDesc>& inputs, std::int64_t batch,
                                      std::int64_t side) {
  std::vector<ops::TensorType> types;
  for (const DataDesc& input : inputs) types.push_back({input.dtype, concrete_shape(input, batch, side)});
  return types;
}

// The network's objection to these types, an Error(invalid_argument); nullopt if it accepts them, or if the
// error is about something else.
std::optional<Error> objection(const Graph& graph, const std::vector<ops::TensorType>& types) {
  try {
    (void)passes::infer_outputs(graph, types);
  } catch (const Error& e) {
    if (e.code() == ErrorCode::invalid_argument) return e;
  }
  return std::nullopt;
}

// The network rejected everything that was tried.
void explain_rejection(const Graph& graph, const std::vector<DataDesc>& inputs,
                       std::vector<std::string>& warnings) {
  if (std::any_of(inputs.begin(), inputs.end(), takes_file) || !is_supported(graph)) return;
  if (!std::all_of(inputs.begin(), inputs.end(), is_determined)) {
    warnings.push_back(
        "the signature could not be checked: it leaves sizes free, and the network accepts none of the usual "
        "ones");
    return;
  }
  const std::vector<ops::TensorType> types = types_of(inputs, 1, 1);
  if (const auto error = objection(graph, types)) {
    fail(ErrorCode::malformed, "the signature states inputs that the network does not accept: with ",
         described(inputs, types), ", ", error->what());
  }
}

// Rejects the caller's descriptors of inputs if the network accepts nothing of that kind, rather than at the
// first predict. The graph may fix a batch that they leave free.
void reject_described(ModelData& data, const LoadOptions& options, const std::vector<Trial>& trials) {
  constexpr std::int64_t kBatches[] = {1, 2, 4, 8, 16, 32, 64, 128};
  constexpr std::int64_t kSide = 224;
  const auto& inputs = data.signature.inputs;
  const bool all_described =
      std::all_of(data.declared.begin(), data.declared.end(), [](bool is) { return is; });
  if (options.inputs.empty() || !trials.empty() || !all_described || !is_supported(data.graph)) return;
  const auto has_no_shape = [](const DataDesc& desc) { return takes_file(desc) || desc.shape.rank() == 0; };
  if (std::any_of(inputs.begin(), inputs.end(), has_no_shape)) return;
  std::optional<Error> first;
  for (const std::int64_t batch : kBatches) {
    std::optional<Error> error = objection(data.graph, types_of(inputs, batch, kSide));
    if (!error) return;
    if (!first) first = std::move(error);
  }
  const std::string text =
      concat("LoadOptions::inputs (--describe) state inputs that the network does not accept: with ",
             described(inputs, types_of(inputs, 1, kSide)), ", ", first->what());
  if (std::all_of(inputs.begin(), inputs.end(), is_determined)) fail(ErrorCode::invalid_argument, text);
  data.warnings.push_back(text + "; other sizes may fit");
}

// The file's descriptors of the outputs; if the inputs differ from the file's, shapes come from the network.
void take_outputs(const std::vector<DataDesc>& stated, bool same_inputs, std::vector<DataDesc>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    DataDesc output = stated[i];
    const bool inferred = outputs[i].shape.rank() > 0;
    if (inferred && (!same_inputs || output.shape.rank() == 0)) {
      output.shape = outputs[i].shape;
      output.dtype = outputs[i].dtype;
      if (output.layout.size() != output.shape.rank()) output.layout.clear();
    }
    outputs[i] = std::move(output);
  }
}

void take_labels(ModelData& data, const LoadOptions& options) {
  if (!options.labels.empty()) {
    data.labels = options.labels;
  } else if (data.file_signature && !data.file_signature->labels.empty()) {
    data.labels = data.file_signature->labels;
  }
}

}  // namespace

std::vector<DataDesc> described_inputs(const ModelData& data, const LoadOptions& options) {
  const Signature* stated = stated_signature(data);
  std::map<std::string_view, const DataDesc*> in_file;
  if (stated != nullptr) {
    for (const DataDesc& desc : stated->inputs) in_file.emplace(desc.name, &desc);
  }
  std::vector<DataDesc> descs;
  for (const DataDesc& given : options.inputs) {
    const auto found = in_file.find(given.name);
    descs.push_back(over(given, found == in_file.end() ? nullptr : found->second));
  }
  if (stated == nullptr) return descs;
  const NameSet given = names_in(options.inputs);
  for (const DataDesc& desc : stated->inputs) {
    if (given.count(desc.name) == 0) descs.push_back(desc);
  }
  return descs;
}

namespace {

// Removes the descriptors that are not the caller's from `given` and returns them.
std::vector<DataDesc> take_unasked(std::vector<DataDesc>& given, const LoadOptions& options) {
  const NameSet asked = names_in(options.inputs);
  const auto unasked = std::stable_partition(
      given.begin(), given.end(), [&](const DataDesc& desc) { return asked.count(desc.name) > 0; });
  std::vector<DataDesc> taken(unasked, given.end());
  given.erase(unasked, given.end());
  return taken;
}

// Whether only the batch differs.
bool differ_by_batch(const DataDesc& stated, const DataDesc& network) {
  if (stated.dtype != network.dtype || stated.shape.rank() != network.shape.rank()) return false;
  for (std::size_t i = 1; i < network.shape.rank(); ++i) {
    if (stated.shape[i] >= 0 && network.shape[i] >= 0 && stated.shape[i] != network.shape[i]) return false;
  }
  return true;
}

// A file's statement of the outputs of some run, corrected by the network.
void correct_outputs(const std::vector<DataDesc>& network, std::vector<DataDesc>& stated,
                     std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < stated.size() && i < network.size(); ++i) {
    DataDesc& output = stated[i];
    if (output.shape.rank() == 0 || network[i].shape.rank() == 0) continue;
    if (!differ_by_batch(output, network[i])) {
      warnings.push_back(concat("the file states output '", printable(output.name), "' as ",
                                to_string(output.dtype), " ", to_string(output.shape),
                                ", but the network gives ", to_string(network[i].dtype), " ",
                                to_string(network[i].shape), ", which is used instead"));
    }
    output.shape = network[i].shape;
    output.dtype = network[i].dtype;
    if (output.layout.size() != output.shape.rank()) output.layout.clear();
  }
}

void take_signature(ModelData& data, const LoadOptions& options) {
  const Signature* in_file = stated_signature(data);
  std::vector<DataDesc> given = described_inputs(data, options);
  const bool all_outputs = options.outputs.empty();
  if (in_file != nullptr && data.file_signature->states_inputs) {
    check_input_names(data.graph, *in_file, all_outputs);
    if (!data.file_signature->inputs_by_name) take_order(data.graph, *in_file);
    const auto names = input_names(data.graph);
    const NameSet known = set_of(names), asked = names_in(options.inputs);
    std::erase_if(given, [&](const DataDesc& desc) {
      return known.count(desc.name) == 0 && asked.count(desc.name) == 0;
    });
  }
  std::vector<DataDesc> of_a_run;
  if (in_file != nullptr && !data.file_signature->is_exact) of_a_run = take_unasked(given, options);
  auto guessed = guess_signature(data.graph, given, of_a_run);
  data.signature = std::move(guessed.signature);
  data.declared = std::move(guessed.declared);
  data.dtype_declared = std::move(guessed.dtype_declared);
  data.warnings.insert(data.warnings.end(), guessed.warnings.begin(), guessed.warnings.end());
  if (guessed.side) data.warnings.push_back(warning_of(*guessed.side, data.signature));
  data.guessed_side = std::move(guessed.side);
  reject_described(data, options, guessed.trials);
  if (in_file == nullptr) return;
  const bool same_inputs = options.inputs.empty();
  if (same_inputs && guessed.trials.empty() && data.file_signature->states_inputs) {
    explain_rejection(data.graph, data.signature.inputs, data.warnings);
  }
  if (!all_outputs || !data.file_signature->states_outputs) return;
  Signature stated = *in_file;
  stated.outputs = ordered_outputs(data.graph, *in_file, data.file_signature->outputs_by_name);
  if (!data.file_signature->is_exact) correct_outputs(data.signature.outputs, stated.outputs, data.warnings);
  if (same_inputs) check_trials(stated, data.signature.inputs, guessed.trials);
  take_outputs(stated.outputs, same_inputs, data.signature.outputs);
}

}  // namespace

void apply_signature(ModelData& data, const LoadOptions& options, const char* advice) {
  take_labels(data, options);
  try {
    take_signature(data, options);
  } catch (const Error& e) {
    if (e.code() != ErrorCode::malformed) throw;
    throw Error(e.code(), concat(e.what(), advice));
  }
}

}  // namespace mxinfer::api
