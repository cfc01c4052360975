// The files of a model at an address.
//
//   const RemoteFiles files = find_remote_files("https://models.example/resnet18_v1", options, opener);
//   files.symbol->name();     // "https://models.example/resnet18_v1-symbol.json"
#pragma once

#include <mxinfer/load_options.h>

#include <memory>
#include <string>
#include <vector>

#include "sources/opener.h"
#include "sources/source.h"

namespace mxinfer::api {

struct RemoteFiles {
  std::shared_ptr<const sources::Source> archive;  ///< the others are nullptr then
  std::shared_ptr<const sources::Source> symbol;
  std::shared_ptr<const sources::Source> params;  ///< nullptr if there is none
  std::shared_ptr<const sources::Source> labels;  ///< likewise
  std::string name;                               ///< of the model, without secrets
  std::vector<std::string> digests;               ///< as digests_for()
  std::vector<std::string> warnings;

  /// The files that exist.
  std::vector<std::shared_ptr<const sources::Source>> all() const;
};

/// Checks each of them against the expected digests; throws as sources::check_digest().
void check_digests(const RemoteFiles& files);

/// The digests expected by "#sha256=..." at the end of an address and by the options; if empty, any file is
/// accepted.
std::vector<std::string> digests_for(const std::string& uri, const LoadOptions& options);

/// The address is a prefix, one of the model's two files, an archive, or, where the store can list, a folder.
/// If it cannot list, the usual names are tried: PREFIX-symbol.json, PREFIX-0000.params or the epoch's,
/// PREFIX.params, synset.txt beside them, and the address itself as an archive. Throws Error(not_found) with
/// the addresses tried.
RemoteFiles find_remote_files(const std::string& uri, const LoadOptions& options,
                              const sources::Opener& opener);

}  // namespace mxinfer::api
