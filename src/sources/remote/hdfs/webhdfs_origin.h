// WebHdfsOrigin: hdfs://, webhdfs:// and swebhdfs:// addresses by WebHDFS, the HTTP interface of HDFS. A name
// node knows the files, and redirects reads to a data node.
//
//   const WebHdfsOrigin origin(options);
//   HttpRequest request = origin.read_request("hdfs://nn1.example/models/digits-symbol.json", {0, 65535});
//   request.address;  // "http://nn1.example:9870/webhdfs/v1/models/digits-symbol.json?op=OPEN&offset=0&..."
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sources/address.h"
#include "sources/remote/hdfs/hadoop_config.h"
#include "sources/remote/hdfs/name_nodes.h"
#include "sources/remote/hdfs/webhdfs_answers.h"
#include "sources/remote/origin.h"

namespace mxinfer::sources {

class WebHdfsOrigin final : public Origin {
 public:
  /// The options outlive it. The environment is read now, configuration files when an address needs them.
  explicit WebHdfsOrigin(const RemoteOptions& options);

  std::string cache_key(const std::string& address) const override;
  HttpRequest read_request(const std::string& address, const ByteRange& range) const override;
  bool has_ranges_in_address() const override { return true; }
  FileStatus status(HttpPool& pool, const std::string& address) const override;
  /// Turns to another name node; if none is active, after a pause.
  std::optional<std::chrono::milliseconds> learn(const std::string& address, const HttpResponse& response,
                                                 const std::string& words) const override;
  bool is_absent(const HttpResponse& response, const std::string& words) const override;
  std::string advice(const std::string& address, const HttpResponse& response,
                     const std::string& words) const override;
  /// All names, ignoring `start`. nullopt if the user may not list the folder.
  std::optional<std::vector<std::string>> list(HttpPool& pool, const std::string& folder,
                                               const std::string& start) const override;

 private:
  struct Cluster {
    std::string name;
    NameNodes nodes;
  };

  Cluster& cluster_of(const Address& address) const;
  HttpRequest name_node_request(const std::string& address, const std::string& operation) const;
  TextResponse ask_name_node(HttpPool& pool, const std::string& address, const std::string& operation,
                             std::size_t most_bytes) const;
  std::string remedy(const std::string& address, const HttpResponse& response,
                     const std::optional<HdfsException>& exception) const;
  std::string kerberos_remedy() const;
  std::string who() const;
  std::string without_token(std::string text) const;
  std::string described_name_nodes(const std::string& address) const;

  const RemoteOptions& options_;
  std::string user_;
  std::string token_;
  mutable std::mutex mutex_;
  mutable std::optional<HadoopConfig> config_;
  mutable std::map<std::string, std::unique_ptr<Cluster>> clusters_;  ///< by scheme and authority
};

}  // namespace mxinfer::sources
