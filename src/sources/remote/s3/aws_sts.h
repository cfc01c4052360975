// Sts: gets keys of a role from AWS's Security Token Service, valid for about an hour.
//
//   const Sts sts(options, pool, config);
//   ExpiringKeys keys = sts.assume_role({"arn:aws:iam::123456789012:role/reader"}, source_keys, now);
#pragma once

#include <mxinfer/remote_options.h>

#include <string>
#include <string_view>

#include "sources/remote/http/http.h"
#include "sources/remote/s3/aws_config.h"
#include "sources/remote/s3/aws_endpoint.h"
#include "sources/remote/s3/aws_keys.h"
#include "sources/remote/s3/s3_signature.h"

namespace mxinfer::sources {

struct AssumedRole {
  std::string arn;
  std::string session_name{};  ///< empty: "mxinfer"
  std::string external_id{};
  std::string duration_seconds{};  ///< empty: what the service gives
};

class Sts {
 public:
  /// Where it is comes from the configuration, else from the region.
  Sts(const RemoteOptions& options, HttpPool& pool, const AwsConfig& config);

  /// Throw Error(network) with what the service says, without keys, tokens and signatures.
  [[nodiscard]] ExpiringKeys assume_role(const AssumedRole& role, const AwsKeys& source, UtcTime now) const;
  /// `token`: what an issuer that the role trusts has signed.
  [[nodiscard]] ExpiringKeys assume_role_with_web_identity(const AssumedRole& role,
                                                           const std::string& token) const;

 private:
  [[nodiscard]] HttpRequest post(const NamedValues& form) const;
  [[nodiscard]] HttpRequest signed_post(const NamedValues& form, const AwsKeys& source, UtcTime now) const;
  /// The secret that was sent is in no message.
  [[nodiscard]] ExpiringKeys send(const HttpRequest& request, const AssumedRole& role,
                                  const std::string& secret) const;

  const RemoteOptions& options_;
  HttpPool& pool_;
  HttpPlace place_;
  std::string address_;
  std::string region_;
};

}  // namespace mxinfer::sources
