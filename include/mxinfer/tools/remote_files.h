// Remote files: models brought to this machine ahead of time, and the copies on disk of what was fetched.
//
//   for (const auto& file : mxinfer::fetch_model("https://models.example/resnet18_v1"))
//     std::cout << file.address << ' ' << file.sha256 << '\n';
//   mxinfer::clean_cache({}, std::int64_t{2} << 30);      // all but the 2 GiB that were used last
//
// What was fetched so is there for Model::load under CachePolicy::use, which asks the server whether it has
// something newer, and under CachePolicy::offline, which asks nothing.
#pragma once

#include <mxinfer/export.h>
#include <mxinfer/load_options.h>
#include <mxinfer/remote_options.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// One file of a model.
struct FetchedFile {
  std::string address;  ///< or path; without names, passwords and values of a query
  std::int64_t size = 0;
  std::string sha256;  ///< in hexadecimal, as LoadOptions::sha256 takes it
  std::string path;    ///< of the copy; empty where none is kept
};

/// Fetches the files that Model::load would read, whole, into the folder of copies, and checks them against
/// LoadOptions::sha256 and what is behind the address; nothing is parsed. An archive, or the symbol file, the
/// parameters and the labels, in this order; what is odd, such as no parameters, is logged. Of a model with a
/// path they are its files, as they are. Errors as Model::load: not_found, network, malformed.
MXINFER_API std::vector<FetchedFile> fetch_model(const std::string& uri, const LoadOptions& options = {});

/// A copy on disk.
struct CachedFile {
  std::string address;  ///< without names, passwords and values of a query
  std::string path;
  std::int64_t size = 0;
  std::chrono::system_clock::time_point last_use{};
};

/// The copies that there are, by the time of their last use, the latest first; none if the folder does not
/// exist. Error(unsupported) in a build that fetches nothing (MXINFER_REMOTE=OFF).
[[nodiscard]] MXINFER_API std::vector<CachedFile> cached_files(const RemoteOptions& options = {});

struct CleanedCache {
  std::int64_t files = 0;  ///< that were removed
  std::int64_t bytes = 0;
};

/// Removes copies, those that were used longest ago first, until the others take no more than `keep_bytes`;
/// and files that processes left which were killed, after a day. Models that are loaded keep what they read
/// from, and copies that are just being fetched stay. Error(invalid_argument) if the folder cannot be changed
/// or `keep_bytes` is below 0, else as cached_files().
MXINFER_API CleanedCache clean_cache(const RemoteOptions& options = {}, std::int64_t keep_bytes = 0);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
