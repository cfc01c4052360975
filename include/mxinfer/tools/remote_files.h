// Remote files: fetches models ahead of time, and manages the copies on disk.
//
//   for (const auto& file : mxinfer::fetch_model("https://models.example/resnet18_v1"))
//     std::cout << file.address << ' ' << file.sha256 << '\n';
//   mxinfer::clean_cache({}, std::int64_t{2} << 30);      // all but the 2 GiB used most recently
//
// Model::load then uses the copies. Under CachePolicy::use it asks the server whether there is a newer file;
// under CachePolicy::offline it never uses the network.
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
  std::string address;  ///< or path; without user names, passwords and values of a query
  std::int64_t size = 0;
  std::string sha256;  ///< in hexadecimal, as LoadOptions::sha256 takes it
  std::string path;    ///< the path of the copy; empty if none is kept
};

/// Fetches into the folder of copies the complete files that Model::load would read. Checks them against
/// LoadOptions::sha256 and "#sha256=..." in the address, but does not parse them. Returns an archive, or the
/// symbol file, the parameters and the labels in this order. Logs what is unusual, such as missing
/// parameters. If `uri` is a path, returns the local files of the model. Throws Error(not_found),
/// Error(network) and Error(malformed) as Model::load.
MXINFER_API std::vector<FetchedFile> fetch_model(const std::string& uri, const LoadOptions& options = {});

/// A copy on disk.
struct CachedFile {
  std::string address;  ///< without user names, passwords and values of a query
  std::string path;
  std::int64_t size = 0;
  std::chrono::system_clock::time_point last_use{};
};

/// Returns the copies, the most recently used first. There are none if the folder does not exist. Throws
/// Error(unsupported) in a build that cannot fetch (MXINFER_REMOTE=OFF).
[[nodiscard]] MXINFER_API std::vector<CachedFile> cached_files(const RemoteOptions& options = {});

/// What clean_cache() removed.
struct CleanedCache {
  std::int64_t files = 0;  ///< how many files
  std::int64_t bytes = 0;
};

/// Removes the least recently used copies, until the rest take no more than `keep_bytes`. Also removes files
/// that killed processes left behind, once they are a day old. Models that are loaded keep the files that
/// they read from, and copies that are being fetched stay. Throws as cached_files(), and
/// Error(invalid_argument) if the folder cannot be changed or `keep_bytes` is below 0.
MXINFER_API CleanedCache clean_cache(const RemoteOptions& options = {}, std::int64_t keep_bytes = 0);

}  // namespace MXINFER_ABI
}  // namespace mxinfer
