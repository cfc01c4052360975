#include "api/apply_signature.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/check_inputs.h"
#include "api/guess_signature.h"
#include "base/fail.h"
#include "ops/op_def.h"
#include "plan/infer.h"
#include "tensor/data_desc.h"

namespace mxinfer::api {
namespace {

using formats::FileSignature;
using graph::Graph;
using graph::Node;

// What the file says about the graph as it is loaded, with or without transforms.
const Signature* stated_signature(const ModelData& data) {
  if (!data.file_signature) return nullptr;
  const FileSignature& file = *data.file_signature;
  if (!data.transforms_left_off) return &file.signature;
  return file.network ? &*file.network : nullptr;
}

const DataDesc* find(const std::vector<DataDesc>& descs, const std::string& name) {
  const auto found =
      std::find_if(descs.begin(), descs.end(), [&](const DataDesc& desc) { return desc.name == name; });
  return found == descs.end() ? nullptr : &*found;
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

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A descriptor that says nothing of the meaning leaves it at what the file says of the same kind of array.
DataDesc over(const DataDesc& given, const DataDesc* stated) {
  DataDesc desc = given;
  if (stated != nullptr && desc.meaning == Meaning::unspecified && desc.dtype == stated->dtype &&
      desc.shape.rank() == stated->shape.rank()) {
    desc.meaning = stated->meaning;
  }
  return desc;
}

// Every input once. Fewer outputs may need fewer inputs.
void check_input_names(const Graph& graph, const Signature& stated, bool all_outputs) {
  const std::vector<std::string> names = input_names(graph);
  std::vector<std::string> stated_names;
  for (const DataDesc& desc : stated.inputs) stated_names.push_back(desc.name);
  for (const std::string& name : stated_names) {
    if (contains(names, name) || !all_outputs) continue;
    fail(ErrorCode::malformed, "the signature states an input '", printable(name),
         "', which the network does not have; its inputs are ", listed(names));
  }
  for (const std::string& name : names) {
    if (contains(stated_names, name)) continue;
    fail(ErrorCode::malformed, "the signature does not state the network's input '", printable(name),
         "'; it states ", listed(stated_names));
  }
}

void take_order(Graph& graph, const Signature& stated) {
  std::int32_t next = 0;
  for (const DataDesc& desc : stated.inputs) {
    for (Node& node : graph.nodes) {
      if (node.input_index >= 0 && node.name == desc.name) node.input_index = next++;
    }
  }
}

bool names_head(const Graph& graph, graph::Value head, const std::string& name) {
  return ops::output_name(graph, head) == name || graph::value_name(graph, head) == name ||
         graph.nodes[static_cast<std::size_t>(head.node)].name == name;
}

std::vector<std::string> head_names(const Graph& graph) {
  std::vector<std::string> names;
  for (graph::Value head : graph.heads) names.push_back(ops::output_name(graph, head));
  return names;
}

// The stated outputs in the order of the graph's.
std::vector<DataDesc> ordered_outputs(const Graph& graph, const Signature& stated, bool by_name) {
  const std::vector<std::string> heads = head_names(graph);
  const std::size_t count = stated.outputs.size();
  if (count != heads.size()) {
    fail(ErrorCode::malformed, "the signature states ", count, count == 1 ? " output" : " outputs",
         "; the network has ", heads.size(), ": ", listed(heads));
  }
  if (!by_name) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string& name = stated.outputs[i].name;
      if (name == heads[i] || !contains(heads, name)) continue;
      fail(ErrorCode::malformed, "the signature states '", printable(name), "' as output ", i,
           ", where the network gives '", printable(heads[i]), "'; its outputs are ", listed(heads));
    }
    return stated.outputs;
  }
  std::vector<DataDesc> outputs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = std::find_if(stated.outputs.begin(), stated.outputs.end(), [&](const DataDesc& desc) {
      return names_head(graph, graph.heads[i], desc.name);
    });
    if (found == stated.outputs.end()) {
      fail(ErrorCode::malformed, "the signature does not state the network's output '", printable(heads[i]),
           "'");
    }
    outputs.push_back(*found);
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

// Of a picture in a file the size is known only once it is decoded.
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

// Nothing is left open but the batch.
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

// The network took nothing that was tried.
void explain_refusal(const Graph& graph, const std::vector<DataDesc>& inputs,
                     std::vector<std::string>& warnings) {
  if (std::any_of(inputs.begin(), inputs.end(), takes_file) || !is_supported(graph)) return;
  if (!std::all_of(inputs.begin(), inputs.end(), is_determined)) {
    warnings.push_back(
        "the signature leaves sizes open, and the network takes none of the usual ones: it could not be "
        "checked");
    return;
  }
  std::vector<ops::TensorType> types;
  for (const DataDesc& input : inputs) types.push_back({input.dtype, concrete_shape(input, 1, 1)});
  try {
    plan::infer_types(graph, types);
  } catch (const Error& e) {
    // The message of an operator that is not there, or of decoding, says nothing about the signature.
    if (e.code() != ErrorCode::invalid_argument) return;
    fail(ErrorCode::malformed, "the signature states inputs that the network does not take: with ",
         described(inputs, types), ", ", e.what());
  }
}

// The file's words for the outputs; shapes that follow from other inputs than the file's are the network's.
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
  std::vector<DataDesc> descs;
  for (const DataDesc& given : options.inputs) {
    descs.push_back(over(given, stated == nullptr ? nullptr : find(stated->inputs, given.name)));
  }
  if (stated == nullptr) return descs;
  for (const DataDesc& desc : stated->inputs) {
    if (find(options.inputs, desc.name) == nullptr) descs.push_back(desc);
  }
  return descs;
}

namespace {

void take_signature(ModelData& data, const LoadOptions& options) {
  const Signature* in_file = stated_signature(data);
  std::vector<DataDesc> given = described_inputs(data, options);
  const bool all_outputs = options.outputs.empty();
  if (in_file != nullptr && data.file_signature->states_inputs) {
    check_input_names(data.graph, *in_file, all_outputs);
    if (!data.file_signature->inputs_by_name) take_order(data.graph, *in_file);
    const auto names = input_names(data.graph);
    std::erase_if(given, [&](const DataDesc& desc) {
      return !contains(names, desc.name) && find(options.inputs, desc.name) == nullptr;
    });
  }
  auto guessed = guess_signature(data.graph, given);
  data.signature = std::move(guessed.signature);
  data.declared = std::move(guessed.declared);
  if (in_file == nullptr) return;
  const bool same_inputs = options.inputs.empty();
  if (same_inputs && guessed.trials.empty() && data.file_signature->states_inputs) {
    explain_refusal(data.graph, data.signature.inputs, data.warnings);
  }
  if (!all_outputs || !data.file_signature->states_outputs) return;
  Signature stated = *in_file;
  stated.outputs = ordered_outputs(data.graph, *in_file, data.file_signature->outputs_by_name);
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
