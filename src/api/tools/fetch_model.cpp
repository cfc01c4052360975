#include <mxinfer/tools/remote_files.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "base/fail.h"
#include "base/log.h"
#include "formats/files/model_files.h"
#include "load/remote_files.h"
#include "sources/address.h"
#include "sources/digest.h"

namespace mxinfer {
namespace {

using SourcePtr = std::shared_ptr<const sources::Source>;

/// Of a source with one of the digests, if there are any.
FetchedFile fetched(const sources::Source& source, const std::vector<std::string>& digests) {
  sources::check_digest(source, digests);
  FetchedFile file{source.name(), source.size(), sources::sha256_hex(source), source.path()};
  std::error_code ignored;
  if (!std::filesystem::exists(file.path, ignored)) file.path.clear();
  return file;
}

std::vector<FetchedFile> fetched(const std::vector<SourcePtr>& sources,
                                 const std::vector<std::string>& digests) {
  std::vector<FetchedFile> files;
  for (const SourcePtr& source : sources) files.push_back(fetched(*source, digests));
  return files;
}

std::vector<FetchedFile> fetch(const std::string& uri, const LoadOptions& options) {
  const sources::Opener opener(options);
  const api::RemoteFiles files = api::find_remote_files(uri, options, opener);
  for (const std::string& warning : files.warnings)
    log_message(LogLevel::warning, "model '", printable(files.name), "': ", warning);
  return fetched(files.all(), files.digests);
}

std::vector<FetchedFile> find(const std::string& uri, const LoadOptions& options) {
  const formats::ModelFiles files = formats::find_model(uri, options.epoch);
  std::vector<SourcePtr> sources;
  for (const std::string& path : {files.archive, files.symbol, files.params, files.labels}) {
    if (!path.empty()) sources.push_back(sources::open_file(path));
  }
  return fetched(sources, api::digests_for(uri, options));
}

}  // namespace

std::vector<FetchedFile> MXINFER_ABI::fetch_model(const std::string& uri, const LoadOptions& options) try {
  return sources::is_remote(uri) ? fetch(uri, options) : find(uri, options);
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
