// s3://BUCKET/KEY, and its location on a server: the host, and the path as requested and signed.
//
//   const S3Address address = parse_s3_address("s3://models/a%20b/digits.mxz");
//   const HttpPlace place = s3_place(address, {"eu-west-1"});
//   place.host;   // "models.s3.eu-west-1.amazonaws.com"
//   place.path;   // "/a%20b/digits.mxz"
#pragma once

#include <mxinfer/remote_options.h>

#include <optional>
#include <string>

#include "sources/remote/s3/aws_config.h"
#include "sources/remote/s3/aws_endpoint.h"
#include "sources/remote/s3/s3_signature.h"

namespace mxinfer::sources {

struct S3Address {
  std::string bucket;
  std::string key;      ///< not encoded; empty for the whole bucket
  NamedValues query{};  ///< versionId, if it is there
};

/// Throws Error(invalid_argument) for a query of anything else, and for keys with "." or ".." between their
/// slashes: libcurl, and what is in front of servers, would take these out of the path (CURLOPT_PATH_AS_IS
/// keeps libcurl alone from it), so that another object were asked for than what was signed.
S3Address parse_s3_address(const std::string& address);

/// An S3 server, and its address style.
struct S3Service {
  std::string region{};
  std::string endpoint{};  ///< "https://minio.example:9000/prefix"; empty: that of AWS in the region
  std::optional<bool> path_style{};
};

/// The options, else what the configuration says, else us-east-1.
S3Service s3_service(const S3Options& options, const AwsConfig& config);

/// Throws Error(invalid_argument) for a bucket, a region or an endpoint that can be none. Names of buckets
/// that AWS does not allow any more are taken where an endpoint is given.
HttpPlace s3_place(const S3Address& address, const S3Service& service);

}  // namespace mxinfer::sources
