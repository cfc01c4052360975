#include <mxinfer/tools/bundle.h>

#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "api/tools/pack_weights.h"
#include "base/fail.h"
#include "base/files/atomic_file.h"
#include "base/files/file.h"
#include "formats/archive/write_bundle.h"
#include "formats/arrays/params.h"
#include "formats/files/model_files.h"
#include "load/load_model.h"
#include "load/remote_files.h"
#include "sources/address.h"
#include "sources/source.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;

struct RawFiles {
  std::string symbol;
  Bytes params;
  std::string labels;
  bool is_bundle = false;
};

std::string text_of_file(const std::string& path) {
  return path.empty() ? std::string() : sources::read_text(*sources::open_file(path));
}

RawFiles files_of(formats::ArchivedModel model) {
  RawFiles files;
  files.symbol = formats::text_of(model.symbol);
  if (model.params) files.params = std::move(model.params->bytes);
  if (model.labels) files.labels = formats::text_of(*model.labels);
  files.is_bundle = !model.graphs.empty();
  return files;
}

RawFiles read_remote(const std::string& uri, std::optional<int> epoch) {
  LoadOptions options;
  options.epoch = epoch;
  const sources::Opener opener(options);
  const api::RemoteFiles found = api::find_remote_files(uri, options, opener);
  api::check_digests(found);
  if (found.archive != nullptr) return files_of(formats::read_archived_model(*found.archive, {epoch, {}}));
  RawFiles files;
  files.symbol = sources::read_text(*found.symbol);
  if (found.params != nullptr) files.params = sources::read_bytes(*found.params, found.params->size());
  if (found.labels != nullptr) files.labels = sources::read_text(*found.labels);
  return files;
}

RawFiles read_raw(const std::string& uri, std::optional<int> epoch) {
  if (sources::is_remote(uri)) return read_remote(uri, epoch);
  const formats::ModelFiles found = formats::find_model(uri, epoch);
  if (!found.archive.empty())
    return files_of(formats::read_archived_model(*sources::open_file(found.archive), {epoch, {}}));
  RawFiles files;
  files.symbol = text_of_file(found.symbol);
  if (!found.params.empty()) files.params = read_file(found.params);
  files.labels = text_of_file(found.labels);
  return files;
}

// Never writes a bundle that cannot be loaded: the graph must parse and find all its parameters.
void check_graph(const std::string& where, const std::string& symbol, const Bytes& params) {
  in_context([&] { return printable(where); },
             [&] { (void)api::build_model(api::read_memory(symbol, params), {}, api::Purpose::inspect); });
}

void write_atomically(const std::string& path, const void* data, std::size_t bytes) {
  AtomicFile file(path);
  file.write(data, bytes);
  file.commit();
}

// Labels belong to the folder, not to the prefix: do not overwrite those of another model.
void reject_other_labels(const std::string& path, const std::string& labels) {
  std::error_code ignored;
  if (!fs::exists(path, ignored) || text_of_file(path) == labels) return;
  fail(ErrorCode::invalid_argument, "'", printable(path),
       "' exists with different labels and would be overwritten; give a prefix in another folder");
}

}  // namespace

void MXINFER_ABI::pack_bundle(const std::string& network, const std::string& bundle,
                              const PackOptions& options) try {
  formats::check_graph_name(options.name);
  const RawFiles files = read_raw(network, options.epoch);
  if (files.is_bundle) {
    fail(ErrorCode::invalid_argument, "'", printable(network),
         "' is already a bundle; copy it, or unpack one of its graphs first");
  }
  formats::BundleToWrite contents;
  contents.default_graph = options.name;
  contents.graphs[options.name] = files.symbol;
  contents.params = files.params;
  contents.labels = files.labels;
  for (const auto& [name, path] : options.graphs) {
    formats::check_graph_name(name);
    if (!contents.graphs.emplace(name, text_of_file(path)).second)
      fail(ErrorCode::invalid_argument, "two graphs are named '", printable(name), "'");
    check_graph(path, contents.graphs[name], files.params);
  }
  check_graph(network, files.symbol, files.params);
  std::optional<api::PackedWeightsOf> packed;
  if (!options.packed_for.empty()) {
    packed.emplace(files.symbol, files.params, options.packed_for);
    contents.packed = packed->sets();
  }
  formats::write_bundle(bundle, contents);
} catch (...) {
  throw_as_error();
}

std::vector<std::string> MXINFER_ABI::unpack_model(const std::string& archive, const std::string& prefix,
                                                   const std::string& graph) try {
  if (prefix.empty() || prefix.back() == '/')
    fail(ErrorCode::invalid_argument, "the prefix of the files to write is '", printable(prefix),
         "'; give a folder and a name, such as models/digits");
  const RawFiles files =
      files_of(formats::read_archived_model(*sources::Opener().open_existing(archive), {{}, graph}));
  const std::string labels = (fs::path(prefix).parent_path() / "synset.txt").string();
  if (!files.labels.empty()) reject_other_labels(labels, files.labels);
  std::vector<std::string> written;
  // The symbol last, because parameters alone do not count as a model.
  if (!files.params.empty()) {
    written.push_back(prefix + "-0000.params");
    write_atomically(written.back(), files.params.data(), files.params.size());
  }
  if (!files.labels.empty()) {
    written.push_back(labels);
    write_atomically(labels, files.labels.data(), files.labels.size());
  }
  written.push_back(prefix + "-symbol.json");
  write_atomically(written.back(), files.symbol.data(), files.symbol.size());
  return written;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
