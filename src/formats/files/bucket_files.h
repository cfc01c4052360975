// Which files a bucketed model consists of: what MXNet's BucketingModule saves.
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
  /// The symbol file of each key, by rising key; never empty.
  std::vector<std::pair<std::int64_t, std::string>> symbols;
  std::string params;
  std::string labels;  ///< synset.txt in the same folder; empty if there is none
};

/// Of a prefix, or of a folder with one bucketed model; nothing if there is none, or what is there is a
/// single network. The keys are those of "<prefix>.buckets", or without it those whose symbol files there
/// are, if there are parameters of the prefix. Throws Error(malformed) for a file of keys that is none,
/// Error(not_found) if a key of it has no symbol file, and as find_model for several models or epochs.
std::optional<BucketFiles> find_buckets(const std::string& uri, std::optional<int> epoch);

}  // namespace mxinfer::formats
