#include "load/load_model.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "base/fail.h"
#include "formats/arrays/bind_params.h"
#include "formats/arrays/params.h"
#include "formats/files/labels.h"
#include "formats/files/model_files.h"
#include "formats/json/quantization_json.h"
#include "formats/json/sample_json.h"
#include "load/load_archive.h"
#include "load/missing_parameters.h"
#include "load/prepare_stages.h"
#include "load/remote_files.h"
#include "load/signature/apply_signature.h"
#include "load/signature/guess_signature.h"
#include "ops/value_names.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/source.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;

formats::ParsedSymbol read_symbol(const sources::Source& source,
                                  std::vector<formats::NodeProblem>* problems) {
  return in_context([&] { return printable(source.name()); },
                    [&] { return formats::parse_symbol(sources::read_text(source), {}, problems); });
}

// Names each of them once, and takes them out of the numbered inputs.
std::vector<std::string> leave_out(const std::vector<MissingParameter>& missing, Graph& graph) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const MissingParameter& parameter : missing) {
    if (seen.insert(parameter.name).second) names.push_back(parameter.name);
  }
  std::vector<Node*> inputs;
  for (Node& node : graph.nodes) {
    if (node.input_index >= 0) inputs.push_back(&node);
  }
  std::sort(inputs.begin(), inputs.end(),
            [](const Node* a, const Node* b) { return a->input_index < b->input_index; });
  std::int32_t next = 0;
  for (Node* node : inputs) node->input_index = seen.count(node->name) > 0 ? -1 : next++;
  return names;
}

// An input named by the caller is not a parameter, even if the file has a value for it.
void free_inputs(Graph& graph, const std::vector<std::string>& names) {
  const std::set<std::string_view> wanted(names.begin(), names.end());
  for (Node& node : graph.nodes) {
    if (node.is_variable() && wanted.count(node.name) > 0) node.constant = nullptr;
  }
  passes::free_random_nodes(graph, names);
}

// The sample may be megabytes of text, so only one copy is kept, for verify.
std::string take_sample(Graph& graph) {
  const auto entry = graph.attrs.extract(formats::kSampleAttribute);
  return entry.empty() || entry.mapped().first != "str" ? std::string() : entry.mapped().second;
}

/// Opens a file of the model and checks it against the digests, if there are any.
std::shared_ptr<const sources::Source> open_checked(const std::string& path,
                                                    const std::vector<std::string>& digests) {
  std::shared_ptr<const sources::Source> source = sources::open_file(path);
  sources::check_digest(*source, digests);
  return source;
}

/// nullptr of no path: the model has no such file.
std::shared_ptr<const sources::Source> open_if_there(const std::string& path,
                                                     const std::vector<std::string>& digests) {
  return path.empty() ? nullptr : open_checked(path, digests);
}

std::vector<std::string> labels_of(const std::shared_ptr<const sources::Source>& source) {
  return source == nullptr ? std::vector<std::string>() : formats::read_labels(*source);
}

void reject_graph(const std::string& name, const LoadOptions& options) {
  if (options.graph.empty()) return;
  fail(ErrorCode::invalid_argument, "graph '", printable(options.graph), "' was requested, but '",
       printable(name), "' is not a bundle: it has one network without a name");
}

void add_params(RawModel& raw, const std::shared_ptr<const sources::Source>& params, bool read_at_once) {
  raw.has_params_file = true;
  raw.params = formats::load_params(params, read_at_once, &raw.warnings);
}

RawModel read_pair(const sources::Source& symbol, const std::shared_ptr<const sources::Source>& params,
                   const LoadOptions& options, Purpose purpose) {
  RawModel raw;
  raw.name = symbol.name();
  raw.symbol = read_symbol(symbol, purpose == Purpose::report ? &raw.problems : nullptr);
  if (params != nullptr) add_params(raw, params, options.read_weights_at_once);
  return raw;
}

RawModel read_remote_files(const RemoteFiles& files, const LoadOptions& options, Purpose purpose) {
  check_digests(files);
  if (files.archive != nullptr) return read_archive(files.archive, options, purpose);
  reject_graph(files.name, options);
  RawModel raw = read_pair(*files.symbol, files.params, options, purpose);
  raw.name = files.name;
  raw.labels = labels_of(files.labels);
  raw.warnings.insert(raw.warnings.end(), files.warnings.begin(), files.warnings.end());
  return raw;
}

RawModel read_remote(const std::string& uri, const LoadOptions& options, Purpose purpose) {
  auto opener = std::make_shared<const sources::Opener>(options);
  const RemoteFiles files = find_remote_files(uri, options, *opener);
  try {
    RawModel raw = read_remote_files(files, options, purpose);
    raw.opener = std::move(opener);
    return raw;
  } catch (const Error& e) {
    // Perhaps the page of a captive portal: fetch it again next time, even if the server says it is
    // unchanged.
    if (e.code() == ErrorCode::malformed) {
      for (const auto& source : files.all()) source->discard();
    }
    throw;
  }
}

}  // namespace

RawModel read_model(const std::string& uri, const LoadOptions& options, Purpose purpose) {
  if (sources::is_remote(uri)) return read_remote(uri, options, purpose);
  const auto digests = digests_for(uri, options);
  const formats::ModelFiles files = formats::find_model(uri, options.epoch);
  if (!files.archive.empty()) return read_archive(open_checked(files.archive, digests), options, purpose);
  reject_graph(uri, options);
  const auto symbol = open_checked(files.symbol, digests);
  RawModel raw = read_pair(*symbol, open_if_there(files.params, digests), options, purpose);
  raw.name = files.prefix;
  raw.labels = labels_of(open_if_there(files.labels, digests));
  return raw;
}

RawModel read_files(const std::string& symbol_path, const std::string& params_path,
                    const LoadOptions& options, Purpose purpose) {
  auto opener = std::make_shared<const sources::Opener>(options);
  const auto opened = [&](const std::string& place) {
    auto source = opener->open_existing(place);
    sources::check_digest(*source, options.sha256);
    return source;
  };
  const auto symbol = opened(symbol_path);
  RawModel raw = read_pair(*symbol, params_path.empty() ? nullptr : opened(params_path), options, purpose);
  raw.opener = std::move(opener);
  return raw;
}

RawModel read_sources(const ModelSources& given, const LoadOptions& options) {
  if (given.symbol == nullptr) {
    fail(ErrorCode::invalid_argument, "model '", printable(given.name),
         "' was given no symbol (its source is a null pointer)");
  }
  RawModel raw;
  raw.name = given.name;
  raw.symbol = read_symbol(*sources::from_caller(given.symbol, given.name + " (symbol)"), nullptr);
  if (given.params != nullptr) {
    add_params(raw, sources::from_caller(given.params, given.name + " (params)"),
               options.read_weights_at_once);
  }
  if (given.labels != nullptr)
    raw.labels = formats::read_labels(*sources::from_caller(given.labels, given.name + " (labels)"));
  return raw;
}

RawModel read_memory(ByteSpan symbol_json, ByteSpan params, Purpose purpose) {
  RawModel raw;
  raw.name = "(memory)";
  const Span<const char> text = symbol_json.as<char>();
  auto* const problems = purpose == Purpose::report ? &raw.problems : nullptr;
  raw.symbol = in_context(
      [] { return std::string("symbol in memory"); },
      [&] { return formats::parse_symbol(std::string_view(text.data(), text.size()), {}, problems); });
  // The caller may release the bytes once this returns.
  if (!params.empty())
    add_params(raw, sources::from_memory(params.as<std::byte>(), "params in memory"), true);
  return raw;
}

namespace {

pipeline::LoadRequest load_request(const LoadOptions& options, Purpose purpose) {
  return {options.load_transforms, options.outputs, purpose == Purpose::run, options.random_transforms,
          options.seed};
}

}  // namespace

std::unique_ptr<ModelData> build_model(RawModel raw, const LoadOptions& options, Purpose purpose) {
  auto data = std::make_unique<ModelData>();
  data->name = raw.name;
  data->labels = std::move(raw.labels);
  data->packed = std::move(raw.packed);
  data->opener = raw.opener ? std::move(raw.opener) : std::make_shared<const sources::Opener>(options);
  in_context([&] { return printable(data->name); },
             [&] {
               data->graph = std::move(raw.symbol.graph);
               // Before any pass removes nodes: indices refer to the file's nodes.
               ops::name_values(data->graph);
               data->file_signature = formats::read_signature(data->graph);
               data->sample = take_sample(data->graph);
               data->quantization = formats::quantization_text(data->graph);
               formats::note_float_layers(data->graph, data->quantization);
               data->warnings = std::move(raw.symbol.warnings);
               const auto append = [&](std::vector<std::string> lines) {
                 data->warnings.insert(data->warnings.end(), lines.begin(), lines.end());
               };
               append(std::move(raw.warnings));
               append(add_shape_hints(data->graph, raw.described_inputs));
               std::vector<formats::NamedParameter> unused;
               append(formats::bind_params(data->graph, std::move(raw.params), &unused));
               free_inputs(data->graph, options.input_names);
               pipeline::Loaded loaded = pipeline::load(data->graph, load_request(options, purpose));
               append(std::move(loaded.warnings));
               data->training_inputs = std::move(loaded.training_inputs);
               data->labels_of_loss = std::move(loaded.before_loss.labels);
               data->value_before_loss = std::move(loaded.before_loss.value);
               if (purpose == Purpose::run) formats::require_supported(formats::unsupported_ops(data->graph));
               data->transforms_left_off = !loaded.boundaries.empty();
               const auto missing = missing_parameters(data->graph, described_inputs(*data, options), unused,
                                                       options, purpose);
               if (purpose != Purpose::report) reject_missing_parameters(missing, raw.has_params_file);
               if (purpose == Purpose::report) {
                 data->missing_parameters = leave_out(missing, data->graph);
                 if (std::string text = fitting_text(missing); !text.empty())
                   data->warnings.push_back(std::move(text));
               }
               apply_signature(*data, options);
               complete_outputs(data->signature, raw.described_outputs);
               append(passes::find_wrapping_normalization(data->graph, data->signature.inputs));
               if (options.load_transforms) find_stages(*data);
               state_dtypes(*data);
               if (purpose == Purpose::run && data->takes_items) data->graph = data->stages->rest;
             });
  return data;
}

}  // namespace mxinfer::api
