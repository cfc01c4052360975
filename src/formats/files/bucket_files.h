// Finds the files of a bucketed model, as saved by MXNet's BucketingModule.
//
//   if (const auto files = find_buckets("models/lstm", {})) ...   // lstm-10-symbol.json, lstm-20-symbol.json,
//                                                                 // lstm.buckets, lstm-0001.params
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mxinfer::formats {

struct BucketFiles {
  std::string prefix;
  /// The symbol file of each key, by ascending key; never empty.
  std::vector<std::pair<std::int64_t, std::string>> symbols;
  std::string params;
  std::string labels;  ///< synset.txt in the same folder; empty if there is none
};

/// For a prefix, or a folder with one bucketed model; nullopt if there is none, or if it is a single network.
/// The keys are those of "<prefix>.buckets" or, without it, those of the existing symbol files, if the prefix
/// has parameters. Throws Error(malformed) for an invalid file of keys, Error(not_found) if a key of it has
/// no symbol file, and as find_model for several models or epochs.
std::optional<BucketFiles> find_buckets(const std::string& uri, std::optional<int> epoch);

}  // namespace mxinfer::formats
