// Signs HTTP requests by AWS Signature Version 4, for S3 and STS: the canonical form of a request, its
// SHA-256, and a key derived from the secret one for the day, the region and the service.
//
//   SigningRequest request;
//   request.host = "models.s3.eu-west-1.amazonaws.com";
//   request.path = "/digits.mxz";
//   request.region = "eu-west-1";
//   const SignedRequest signed_request = sign(request, keys, std::chrono::system_clock::now());
//   // signed_request.headers: "x-amz-date: ...", "Authorization: AWS4-HMAC-SHA256 Credential=...", ...
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sources/remote/s3/aws_keys.h"

namespace mxinfer::sources {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// Of a body that is not looked at: the connection vouches for it.
inline constexpr const char* kUnsignedPayload = "UNSIGNED-PAYLOAD";

struct SigningRequest {
  std::string method = "GET";
  /// As it is sent: in small letters, with the port unless it is the scheme's own.
  std::string host{};
  /// Encoded once, as it stands in the address. S3 takes it as it is, and does not remove "." and "..". For
  /// other services only "/" is the same to both ends.
  std::string path = "/";
  NamedValues query{};    ///< not encoded, in any order
  NamedValues headers{};  ///< further ones that are sent and signed; without control characters
  std::string payload_hash = kUnsignedPayload;  ///< or sha256_hex of the body
  std::string region{};
  std::string service = "s3";  ///< or "sts"
};

struct SignedRequest {
  /// "name: value" of every header to send but Host, which libcurl sends itself.
  std::vector<std::string> headers;
  /// As it must stand in the address behind "?", since it was signed so; empty without a query.
  std::string query;
};

/// At `time`, which the server compares with its clock: fifteen minutes may lie between them.
SignedRequest sign(const SigningRequest& request, const AwsKeys& keys, UtcTime time);

/// Encoded and sorted, "a=1&b=" and so on. For requests that are not signed too.
std::string canonical_query(const NamedValues& query);

}  // namespace mxinfer::sources
