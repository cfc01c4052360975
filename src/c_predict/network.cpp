#include "c_predict/network.h"

#include <mxinfer/tools/arrays.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "c_predict/call.h"

namespace mxinfer::c_predict {
namespace {

/// "arg:fc_weight" as "fc_weight".
std::string bare_name(const std::string& name) {
  const std::string prefix = name.substr(0, 4);
  return prefix == "arg:" || prefix == "aux:" ? name.substr(4) : name;
}

/// The number of nodes in the file, unused labels included, and its variables.
std::set<std::string> variables_of(const std::string& symbol_json, int& nodes) {
  std::set<std::string> variables;
  const nlohmann::json file = nlohmann::json::parse(symbol_json);  // was read before
  nodes = static_cast<int>(file.at("nodes").size());
  for (const nlohmann::json& node : file.at("nodes")) {
    if (node.at("op") == "null") variables.insert(node.at("name").get<std::string>());
  }
  return variables;
}

/// MXNet's names: "conv0" becomes "conv0_output", and "conv0#1" becomes "conv0_output#1".
std::string output_of(const std::string& key) {
  const std::size_t mark = key.rfind('#');
  const bool has_index = mark != std::string::npos && mark + 1 < key.size() &&
                         key.find_first_not_of("0123456789", mark + 1) == std::string::npos;
  return has_index ? key.substr(0, mark) + "_output" + key.substr(mark) : key + "_output";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text.empty() ? "none" : text;
}

}  // namespace

Network::Network(Request request) : request_(std::move(request)) {
  // Reads the variables from the symbol alone, before any weight is copied.
  for (const std::string& key : request_.output_keys) outputs_.push_back(output_of(key));
  LoadOptions asked;
  asked.outputs = outputs_;
  const Inspection report = inspect_memory(ByteSpan(request_.symbol_json), {}, asked);
  variables_ = variables_of(request_.symbol_json, nodes_);
  parameters_.insert(report.missing_parameters.begin(), report.missing_parameters.end());
  options_ = load_options(report);
  const Model model = Model::load_memory(ByteSpan(request_.symbol_json), ByteSpan(request_.params), options_);
  predictor_.emplace(model);
  require_shapes();
}

std::set<std::string> Network::stored_parameters() const {
  std::set<std::string> stored;
  const bool names_parameter = std::any_of(request_.shapes.begin(), request_.shapes.end(),
                                           [&](const auto& key) { return is_parameter(key.first); });
  if (!names_parameter || request_.params.empty()) return stored;
  for (const NamedTensor& array : read_arrays(ByteSpan(request_.params)))
    stored.insert(bare_name(array.name));
  return stored;
}

LoadOptions Network::load_options(const Inspection& report) const {
  LoadOptions options;
  options.outputs = outputs_;
  const std::set<std::string> stored = stored_parameters();
  std::map<std::string, DataDesc> known;
  for (const DataDesc& input : report.signature.inputs) known.emplace(input.name, input);
  for (const auto& [key, shape] : request_.shapes) {
    const bool is_given_parameter = is_parameter(key) && stored.count(key) == 0;
    if (is_given_parameter) options.input_names.push_back(key);
    const auto found = known.find(key);
    if (found == known.end() && !is_given_parameter) continue;
    // Sizes stay free, because MXPredReshape changes them for the same model.
    DataDesc desc = found != known.end() ? found->second : DataDesc{key, {}};
    if (desc.shape.rank() != shape.rank()) desc.layout.clear();
    desc.shape = Shape();
    for (std::size_t i = 0; i < shape.rank(); ++i) desc.shape.push_back(-1);
    const auto dtype = request_.dtypes.find(key);
    if (dtype != request_.dtypes.end()) desc.dtype = dtype->second;
    desc.is_guess = false;
    options.inputs.push_back(std::move(desc));
  }
  return options;
}

void Network::require_shapes() const {
  for (const DataDesc& input : inputs()) {
    if (input.is_optional || request_.shapes.count(input.name) > 0) continue;
    std::vector<std::string> keys;
    for (const auto& [key, shape] : request_.shapes) keys.push_back(key);
    reject("the input '" + input.name + "' has no shape among input_keys, which are " + listed(keys));
  }
}

const Network::Monitored& Network::monitored() const {
  std::call_once(once_, [&] {
    Monitored made;
    LoadOptions options = options_;
    made.nodes = inspect_memory(ByteSpan(request_.symbol_json), ByteSpan(request_.params), options_).nodes;
    for (const NodeInfo& node : made.nodes)
      made.names.insert(made.names.end(), node.outputs.begin(), node.outputs.end());
    options.outputs = made.names;
    if (!outputs_.empty()) {
      options.outputs.insert(options.outputs.end(), outputs_.begin(), outputs_.end());
    } else {
      for (const DataDesc& output : predictor_->model().signature().outputs)
        options.outputs.push_back(output.name);
    }
    made.predictor.emplace(
        Model::load_memory(ByteSpan(request_.symbol_json), ByteSpan(request_.params), options));
    std::vector<NamedTensor> arrays;
    if (!request_.params.empty()) arrays = read_arrays(ByteSpan(request_.params));
    for (NamedTensor& array : arrays) made.parameters.emplace(bare_name(array.name), std::move(array.array));
    monitored_ = std::move(made);
  });
  return monitored_;
}

}  // namespace mxinfer::c_predict
