// RemoteOptions: how models are fetched from addresses, and where the copies are cached.
//
//   mxinfer::LoadOptions options;
//   options.remote.cache = mxinfer::CachePolicy::offline;      // what has been fetched before, without the network
//   options.remote.retries = 0;
//   auto model = mxinfer::Model::load("https://models.example/resnet18_v1", options);
//
// Proxies and certificates are set as for curl, by the environment variables http_proxy, https_proxy,
// no_proxy, SSL_CERT_FILE and SSL_CERT_DIR.
#pragma once

#include <mxinfer/export.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mxinfer {
inline namespace MXINFER_ABI {

/// How the copies on disk are used.
enum class CachePolicy {
  use,      ///< uses a copy if the server says that it has no newer file
  refresh,  ///< fetches every file and replaces the copies
  offline,  ///< uses copies only, without the network; Error(not_found) if a copy is missing
  none,     ///< keeps no copies: files are fetched into temporary files without a name
};

/// Returns "use", "refresh", "offline" or "none".
[[nodiscard]] MXINFER_API const char* to_string(CachePolicy policy) noexcept;

/// Receives how far a file has been fetched, on the thread that fetches it. If it throws, the exception is
/// dropped.
using FetchProgress =
    std::function<void(const std::string& address, std::int64_t fetched, std::int64_t size)>;

/// Options of s3://BUCKET/KEY. Empty fields come from where AWS tools look: the environment (AWS_REGION,
/// AWS_PROFILE, AWS_ENDPOINT_URL, ...), then ~/.aws/config and ~/.aws/credentials. For credentials, the
/// metadata of the container or the machine comes last.
struct S3Options {
  /// If it is set nowhere: us-east-1, and then the region that the server names.
  std::string region{};
  /// The address of a server that is not AWS, such as "https://minio.example:9000".
  std::string endpoint{};
  std::string profile{};  ///< in ~/.aws/config and ~/.aws/credentials
  /// true: ENDPOINT/BUCKET/KEY; false: BUCKET.ENDPOINT/KEY. Not set: true if an endpoint is set or the name
  /// of the bucket contains dots.
  std::optional<bool> path_style{};
  /// true: looks for no credentials and does not sign requests, for public buckets.
  bool anonymous = false;
  /// Credentials that take precedence over all others.
  std::string access_key_id{};
  std::string secret_access_key{};
  std::string session_token{};
};

/// Options of hdfs://, webhdfs:// and swebhdfs://, which use WebHDFS.
struct HdfsOptions {
  /// The user name under simple authentication. Empty: HADOOP_USER_NAME, or else the user of this process.
  std::string user{};
  /// Authenticates instead of the user. Empty: HADOOP_TOKEN, if it is set.
  std::string delegation_token{};
  /// HTTP addresses of name nodes, such as "nn1.example:9870"; the library finds the active one. Empty: from
  /// the address, or from hdfs-site.xml in HADOOP_CONF_DIR if the address names a service there.
  std::vector<std::string> name_nodes{};
  /// true: authenticates by Kerberos (SPNEGO), with the ticket of this process's user.
  bool kerberos = false;
};

/// How files are fetched from addresses and cached.
struct RemoteOptions {
  CachePolicy cache = CachePolicy::use;
  /// The folder of the copies, which any number of processes may share. Empty: the environment variable
  /// MXINFER_CACHE_DIR, or else mxinfer/ in XDG_CACHE_HOME, or else in ~/.cache.
  std::string cache_folder{};
  /// The most bytes that all copies may take. The least recently used ones are removed first.
  std::int64_t cache_bytes = std::int64_t{10} << 30;
  /// How long a connection may take.
  std::chrono::milliseconds connect_timeout{10'000};
  /// A transfer fails if it receives nothing for this long.
  std::chrono::milliseconds stall_timeout{30'000};
  /// How many times a request is retried after a failure that may be temporary: broken connections, timeouts,
  /// and the statuses 408, 429, 500, 502, 503 and 504. The wait grows with each try and is at least what the
  /// server asks for, but at most 30 s. If the server can resume, only the rest of the file is fetched.
  int retries = 4;
  /// How many parts of a large file, or images of a list, are fetched at the same time.
  int connections = 4;
  /// Larger files are an Error(invalid_argument).
  std::int64_t max_file_bytes = std::int64_t{64} << 30;
  int max_redirects = 5;  ///< the most redirects that are followed
  /// false: refuses redirects from a public address to a private one (loopback, link-local or private
  /// network). Such a redirect could lead a server that fetches its users' addresses into its own network.
  bool allow_private_redirects = false;
  /// Headers of http and https requests, such as "Authorization: Bearer ...". They are not sent to another
  /// host after a redirect.
  std::vector<std::string> headers{};
  S3Options s3{};
  HdfsOptions hdfs{};
  /// Receives progress. If it is set, loading waits until all files are fetched.
  FetchProgress progress{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
