// RemoteOptions: how models are fetched from addresses, and where the copies of them are kept.
//
//   mxinfer::LoadOptions options;
//   options.remote.cache = mxinfer::CachePolicy::offline;      // what has been fetched before, without the network
//   options.remote.retries = 0;
//   auto model = mxinfer::Model::load("https://models.example/resnet18_v1", options);
//
// Proxies and certificates are those that curl's users know: http_proxy, https_proxy, no_proxy, SSL_CERT_FILE
// and SSL_CERT_DIR in the environment.
#pragma once

#include <mxinfer/export.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// What becomes of the copies on disk.
enum class CachePolicy {
  use,      ///< a copy is taken if the server says that it has no newer file
  refresh,  ///< all is fetched anew, and replaces the copies
  offline,  ///< copies alone; what there is none of is Error(not_found), and nothing is asked of the network
  none,     ///< nothing is kept: files are fetched into temporary ones without a name
};

/// "use", "refresh", "offline", "none".
[[nodiscard]] MXINFER_API const char* to_string(CachePolicy policy) noexcept;

/// How far a file has been fetched, on the thread that fetches it. What it throws is dropped.
using FetchProgress =
    std::function<void(const std::string& address, std::int64_t fetched, std::int64_t size)>;

struct RemoteOptions {
  CachePolicy cache = CachePolicy::use;
  /// Empty: the environment variable MXINFER_CACHE_DIR, else mxinfer/ in XDG_CACHE_HOME, else in ~/.cache.
  /// Any number of processes may use one folder.
  std::string cache_folder{};
  /// What the copies may take together; those that were used longest ago go first.
  std::int64_t cache_bytes = std::int64_t{10} << 30;
  std::chrono::milliseconds connect_timeout{10'000};
  /// A transfer that brings nothing for so long has failed.
  std::chrono::milliseconds stall_timeout{30'000};
  /// How often what has failed and may succeed is tried again: connections that broke, timeouts, and the
  /// statuses 408, 429, 500, 502, 503 and 504. It waits longer each time, and as long as the server asks for,
  /// but never above 30 s. What has been fetched before is kept, where the server can send the rest.
  int retries = 4;
  /// Parts of a large file that are fetched at the same time.
  int connections = 4;
  /// A file that is larger is Error(invalid_argument).
  std::int64_t max_file_bytes = std::int64_t{64} << 30;
  int max_redirects = 5;
  /// Redirects from a public address to a private one (loopback, link-local, of a private network) are
  /// refused: a server that is told addresses by its users would be led into its own network.
  bool allow_private_redirects = false;
  /// Headers for http and https, such as "Authorization: Bearer ...". They are not sent to another host that
  /// a redirect names.
  std::vector<std::string> headers{};
  FetchProgress progress{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
