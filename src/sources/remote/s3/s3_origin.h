// S3Origin: s3:// addresses, of AWS and compatible servers (MinIO, Ceph), with signed requests.
//
//   const S3Origin origin(options);
//   HttpRequest request = origin.read_request("s3://models/digits-0000.params", {0, 65535});
//   request.address;  // "https://models.s3.eu-west-1.amazonaws.com/digits-0000.params"
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sources/remote/origin.h"
#include "sources/remote/s3/aws_config.h"
#include "sources/remote/s3/aws_credentials.h"
#include "sources/remote/s3/s3_address.h"

namespace mxinfer::sources {

class S3Origin final : public Origin {
 public:
  /// The options outlive it. The environment and the files of the AWS tools are read now, credentials when a
  /// request needs them.
  explicit S3Origin(const RemoteOptions& options);

  std::string cache_key(const std::string& address) const override;
  HttpRequest read_request(const std::string& address, const ByteRange& range) const override;
  /// Switches to the region that the server names, and searches for credentials again if they have expired.
  std::optional<std::chrono::milliseconds> learn(const std::string& address, const HttpResponse& response,
                                                 const std::string& words) const override;
  /// A bucket that does not exist is not absent, but an error.
  bool is_absent(const HttpResponse& response, const std::string& words) const override;
  std::string advice(const std::string& address, const HttpResponse& response,
                     const std::string& words) const override;
  /// Nothing if the bucket may be read but not listed.
  std::optional<std::vector<std::string>> list(HttpPool& pool, const std::string& folder,
                                               const std::string& start) const override;

 private:
  S3Service service_of(const std::string& bucket) const;
  HttpRequest request(const S3Address& address) const;
  void remember(const AwsKeys& keys) const;
  bool learn_region(const std::string& bucket, const HttpResponse& response, const std::string& words) const;

  const RemoteOptions& options_;
  AwsConfig config_;
  S3Service service_;
  mutable HttpPool pool_;  ///< of the credentials
  mutable AwsCredentials credentials_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> regions_;  ///< that servers named, by bucket
  mutable AwsKeys last_keys_;                           ///< for messages, which must not have them
};

}  // namespace mxinfer::sources
