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
#include <optional>
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

/// s3://BUCKET/KEY. What is empty comes from where the tools of AWS look: the environment (AWS_REGION,
/// AWS_PROFILE, AWS_ENDPOINT_URL, ...), then ~/.aws/config and ~/.aws/credentials; credentials then also from
/// the container's or the machine's metadata.
struct S3Options {
  /// Empty and nowhere else: us-east-1, and then the region that the server names.
  std::string region{};
  /// "https://minio.example:9000", for servers that are not of AWS.
  std::string endpoint{};
  std::string profile{};
  /// true: ENDPOINT/BUCKET/KEY; false: BUCKET.ENDPOINT/KEY. Nothing: true for an endpoint that is given and
  /// for buckets whose names have dots.
  std::optional<bool> path_style{};
  /// Requests are not signed, for buckets that anybody may read; no credentials are looked for.
  bool anonymous = false;
  /// Credentials of the program's own, in the place of all others.
  std::string access_key_id{};
  std::string secret_access_key{};
  std::string session_token{};
};

/// hdfs://, webhdfs:// and swebhdfs://, by WebHDFS.
struct HdfsOptions {
  /// Who asks, under simple authentication; empty: HADOOP_USER_NAME, else the name of this process's user.
  std::string user{};
  /// Takes the place of the user; empty: HADOOP_TOKEN, if it is set.
  std::string delegation_token{};
  /// HTTP addresses of name nodes, "nn1.example:9870"; the active one is found. Empty: from the address, or
  /// from hdfs-site.xml in HADOOP_CONF_DIR if the address names a service of it.
  std::vector<std::string> name_nodes{};
  /// Asks by Kerberos (SPNEGO), with the ticket of this process's user.
  bool kerberos = false;
};

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
  /// Parts of a large file, or images of a list, that are fetched at the same time.
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
  S3Options s3{};
  HdfsOptions hdfs{};
  /// Where there is one, loading waits until all files have come.
  FetchProgress progress{};
};

}  // namespace MXINFER_ABI
}  // namespace mxinfer
