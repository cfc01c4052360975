// The endpoints of AWS services and compatible ones.
//
//   aws_endpoint("s3", "eu-west-1").host;                              // "s3.eu-west-1.amazonaws.com"
//   parse_endpoint("https://minio.example:9000/", "s3").host;          // "minio.example:9000"
#pragma once

#include <string>
#include <string_view>

namespace mxinfer::sources {

/// The address of a request is scheme://host + path.
struct HttpPlace {
  std::string scheme;
  std::string host;  ///< with its port, unless it is the scheme's own, as libcurl sends it
  std::string path;  ///< encoded once
};

/// That of AWS in the region, without a path. Throws Error(invalid_argument) if it cannot be a region's name.
HttpPlace aws_endpoint(std::string_view service, const std::string& region);

/// A given endpoint; its path does not end in "/". Throws Error(invalid_argument) if it is invalid.
HttpPlace parse_endpoint(const std::string& endpoint, std::string_view service);

/// Throws Error(invalid_argument) unless it has only small letters, digits and hyphens: it becomes part of a
/// host's name.
void check_region(const std::string& region);

}  // namespace mxinfer::sources
