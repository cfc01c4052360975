#include <mxinfer/tools/sign.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "formats/files/model_files.h"
#include "formats/json/sample_json.h"
#include "formats/json/sequence_json.h"
#include "formats/json/signature_json.h"
#include "formats/json/symbol_json.h"
#include "load/load_model.h"
#include "load/signature/apply_signature.h"
#include "sources/source.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

LoadOptions load_options(const SignOptions& options) {
  LoadOptions load;
  load.epoch = options.epoch;
  load.inputs = options.inputs;
  load.labels = options.labels;
  return load;
}

void check(const SignOptions& options) {
  if (options.output_prefix.empty() == options.in_place) return;
  fail(ErrorCode::invalid_argument, "signing needs either a prefix for the signed model or to be told to ",
       "change the symbol file in place; ", options.in_place ? "both were" : "neither was", " given");
}

/// "sequence" of the old signature, which has no options; nullopt if the signature cannot be read.
std::optional<formats::FileSequence> sequence_in(const graph::Graph& graph) {
  try {
    const auto file = formats::read_signature(graph);
    return file ? file->sequence : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void forget_signature(graph::Graph& graph) {
  graph.attrs.erase(formats::kSignatureAttribute);
  graph.unknown_keys.erase("inputs");
  graph.unknown_keys.erase("outputs");
}

/// Keeps "sequence" of a replaced signature if the network still has the inputs that it names.
void keep_sequence(const std::optional<formats::FileSequence>& sequence, const std::vector<DataDesc>& inputs,
                   formats::FileSignature& file, std::vector<std::string>& warnings) {
  if (!sequence) return;
  try {
    formats::require_inputs(*sequence, inputs);
    file.sequence = sequence;
  } catch (const Error& e) {
    warnings.push_back(std::string(e.what()) + "; \"sequence\" is left out");
  }
}

api::RawModel read(const std::string& uri, const LoadOptions& load, bool replace) {
  api::RawModel raw = api::read_model(uri, load);
  if (replace) forget_signature(raw.symbol.graph);
  return raw;
}

DataDesc* find(std::vector<DataDesc>& outputs, const std::string& name) {
  for (DataDesc& output : outputs) {
    if (output.name == name || output.name == name + "_output") return &output;
  }
  return nullptr;
}

void change(DataDesc& output, const DataDesc& given) {
  if (given.meaning != Meaning::unspecified) output.meaning = given.meaning;
  if (output.shape.rank() == 0) {
    output.shape = given.shape;
    output.dtype = given.dtype;
  }
  if (!given.layout.empty()) output.layout = given.layout;
}

void change_outputs(const std::vector<DataDesc>& given, std::vector<DataDesc>& outputs) {
  const bool known = std::all_of(given.begin(), given.end(),
                                 [&](const DataDesc& desc) { return find(outputs, desc.name) != nullptr; });
  if (!known && given.size() != outputs.size()) {
    std::string names;
    for (const DataDesc& output : outputs)
      names += (names.empty() ? "'" : ", '") + printable(output.name) + "'";
    fail(ErrorCode::invalid_argument, given.size(), given.size() == 1 ? " output was" : " outputs were",
         " given, not all of which are outputs of the network; it has ", outputs.size(), ": ", names,
         "; give some of these names, or a new name for each");
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    DataDesc& output = known ? *find(outputs, given[i].name) : outputs[i];
    change(output, given[i]);
    if (!known) output.name = given[i].name;
  }
}

// The number of classes of the scores; -1 if unknown.
std::int64_t class_count(const std::vector<DataDesc>& outputs) {
  for (const DataDesc& output : outputs) {
    if (output.meaning == Meaning::scores && output.shape.rank() == 2) return output.shape[1];
  }
  return -1;
}

// The labels to store. Those from synset.txt may belong to another model of the folder.
std::vector<std::string> fitting_labels(const api::ModelData& data, const SignOptions& options,
                                        std::vector<std::string>& warnings) {
  const std::int64_t classes = class_count(data.signature.outputs);
  const auto count = static_cast<std::int64_t>(data.labels.size());
  if (count == 0 || classes < 0 || classes == count || !data.file_signature->post.empty()) return data.labels;
  const std::string text = concat("there are ", count, " labels for scores of ", classes, " classes");
  if (!options.labels.empty()) fail(ErrorCode::invalid_argument, text);
  warnings.push_back(text + "; they are left out");
  return {};
}

// Checks the signature against the graph, as loading the signed model will.
void check_against_graph(api::ModelData& data) {
  try {
    api::apply_signature(data, {}, "");
  } catch (const Error& e) {
    throw Error(e.code() == ErrorCode::malformed ? ErrorCode::invalid_argument : e.code(), e.what());
  }
}

// Renames the sample's outputs to the signature's names.
void rename_sample(graph::Graph& graph, const std::vector<DataDesc>& before,
                   const std::vector<DataDesc>& after) {
  const auto same_name = [](const DataDesc& a, const DataDesc& b) { return a.name == b.name; };
  if (std::equal(before.begin(), before.end(), after.begin(), after.end(), same_name)) return;
  const auto sample = formats::read_sample(graph);
  if (!sample) return;
  std::vector<formats::SampleArray> inputs, outputs;
  for (const auto& array : sample->inputs) inputs.push_back({array.name, array.tensor});
  for (const auto& array : sample->outputs) {
    outputs.push_back({array.name, array.tensor});
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].name == array.name) outputs.back().name = after[i].name;
    }
  }
  formats::write_sample(graph, inputs, outputs);
}

std::string params_target(const std::string& prefix, const formats::ModelFiles& files) {
  if (!files.epoch) return prefix + ".params";
  std::array<char, 32> ending{};
  std::snprintf(ending.data(), ending.size(), "-%04d.params", *files.epoch);
  return prefix + ending.data();
}

void copy_file(const std::string& from, const std::string& to) {
  std::error_code ignored;
  if (fs::equivalent(from, to, ignored)) return;
  const auto source = sources::open_file(from);
  AtomicFile target(to);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  for (std::int64_t at = 0; at < source->size(); at += static_cast<std::int64_t>(piece.size())) {
    const auto count = static_cast<std::size_t>(
        std::min<std::int64_t>(static_cast<std::int64_t>(piece.size()), source->size() - at));
    source->read(at, piece.data(), count);
    target.write(piece.data(), count);
  }
  target.commit();
}

}  // namespace

SignedModel MXINFER_ABI::sign_model(const std::string& uri, const SignOptions& options) try {
  check(options);
  const formats::ModelFiles files = formats::find_model(uri, options.epoch);
  if (!files.archive.empty()) {
    fail(ErrorCode::invalid_argument, "'", printable(files.archive),
         "' is an archive, and only loose files can be signed; unpack it with `mxinfer unpack`");
  }
  if (!files.archive.empty()) {
    fail(ErrorCode::unsupported, "'", printable(files.archive),
         "' is an archive, which cannot be changed in place; unpack it, and sign the model in it");
  }
  const LoadOptions load = load_options(options);
  api::RawModel raw = api::read_model(uri, load);
  const auto sequence = options.replace ? sequence_in(raw.symbol.graph) : std::nullopt;
  if (options.replace) forget_signature(raw.symbol.graph);
  graph::Graph graph = raw.symbol.graph;
  const auto data = api::build_model(std::move(raw), load, api::Purpose::inspect);

  SignedModel result;
  result.warnings = data->warnings;
  if (!data->file_signature) data->file_signature.emplace();
  formats::FileSignature& file = *data->file_signature;
  file.inputs_by_name = file.outputs_by_name = false;
  file.states_inputs = file.states_outputs = true;
  file.signature = data->signature;
  const std::vector<DataDesc> before = data->signature.outputs;
  change_outputs(options.outputs, file.signature.outputs);
  data->signature = file.signature;
  file.labels = fitting_labels(*data, options, result.warnings);
  if (data->stages && !file.network) {
    LoadOptions bare;
    bare.epoch = options.epoch;
    bare.load_transforms = false;
    file.network = api::build_model(read(uri, bare, options.replace), bare, api::Purpose::inspect)->signature;
  }
  const Signature& network = file.network ? *file.network : file.signature;
  keep_sequence(sequence, network.inputs, file, result.warnings);
  formats::write_signature(graph, file);
  rename_sample(graph, before, file.signature.outputs);
  check_against_graph(*data);

  result.signature = file.signature;
  result.labels = file.labels;
  result.symbol_path = options.in_place ? files.symbol : options.output_prefix + "-symbol.json";
  result.params_path = files.params;
  if (!options.in_place && !files.params.empty()) {
    result.params_path = params_target(options.output_prefix, files);
    copy_file(files.params, result.params_path);
  }
  write_file_atomically(result.symbol_path, formats::write_symbol(graph));
  return result;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
