#include "sources/remote/s3/s3_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "sources/address.h"

namespace mxinfer::sources {
namespace {

constexpr const char* kUsualRegion = "us-east-1";

bool is_small_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_ipv4(const std::string& text) {
  in_addr parsed{};
  return ::inet_pton(AF_INET, text.c_str(), &parsed) == 1;
}

bool is_bucket(const std::string& name) {
  return name.size() >= 3 && name.size() <= 63 && is_small_or_digit(name.front()) &&
         is_small_or_digit(name.back()) && name.find("..") == std::string::npos && !is_ipv4(name) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_small_or_digit(c) || c == '.' || c == '-'; });
}

/// As other servers take them, and AWS once did.
bool is_old_bucket(const std::string& name) {
  return name.size() >= 3 && name.size() <= 255 && std::all_of(name.begin(), name.end(), [](char c) {
           return is_small_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' || c == '_';
         });
}

void check_bucket(const std::string& name, const S3Service& service) {
  if (is_bucket(name)) return;
  const bool is_in_path = !service.endpoint.empty() && service.path_style.value_or(true);
  if (is_in_path && is_old_bucket(name)) return;
  fail(
      ErrorCode::invalid_argument, "'", printable(name),
      "' cannot be a bucket's name: s3://BUCKET/KEY, where a bucket has 3 to 63 small letters, digits, dots "
      "and hyphens, begins and ends with a letter or a digit, has no two dots side by side, and is not an IP "
      "address",
      is_old_bucket(name) ? "; other servers' buckets may have capital letters and '_', with "
                            "S3Options::endpoint and not with path_style = false"
                          : "");
}

bool has_dot_segments(const std::string& path) {
  const std::string framed = "/" + path + "/";
  return framed.find("/./") != std::string::npos || framed.find("/../") != std::string::npos;
}

/// "name=value" as they stand for, where "+" is a plus.
std::pair<std::string, std::string> decoded_pair(const std::string& text) {
  const std::size_t mark = std::min(text.find('='), text.size());
  return {percent_decoded(text.substr(0, mark)),
          percent_decoded(text.substr(std::min(mark + 1, text.size())))};
}

NamedValues query_of(const Address& address) {
  if (address.query.empty()) return {};
  const auto [name, value] = decoded_pair(address.query);
  const bool is_version = name == "versionId" && !value.empty() && value.find('&') == std::string::npos;
  if (!is_version) {
    fail(ErrorCode::invalid_argument, "'", printable(shown(to_string(address))),
         "' has a query that s3:// does not support; expected ?versionId=... (write a '?' in a key as %3F)");
  }
  return {{name, value}};
}

/// "[::1]:9000" and "127.0.0.1:9000" have no hosts below them.
bool is_ip_host(const std::string& host) {
  return host.starts_with('[') || is_ipv4(host.substr(0, host.find(':')));
}

bool is_path_style(const S3Address& address, const S3Service& service, const HttpPlace& place) {
  if (!service.path_style.has_value()) {
    // The certificates of AWS are for one name in front of a dot.
    return !service.endpoint.empty() || address.bucket.find('.') != std::string::npos;
  }
  if (!*service.path_style && is_ip_host(place.host)) {
    fail(ErrorCode::invalid_argument, "the endpoint ", place.scheme, "://", printable(place.host),
         " is an IP address, which cannot follow a bucket's name: S3Options::path_style must not be false "
         "(addressing_style in ~/.aws/config not virtual)");
  }
  return *service.path_style;
}

}  // namespace

S3Address parse_s3_address(const std::string& text) {
  const Address address = parse_address(text);
  S3Address parsed;
  parsed.bucket = address.authority;
  parsed.key = percent_decoded(std::string_view(address.path).substr(address.path.empty() ? 0 : 1));
  parsed.query = query_of(address);
  if (has_dot_segments(parsed.key)) {
    fail(ErrorCode::invalid_argument, "the key in '", printable(shown(text)),
         "' has '.' or '..' between its slashes, which is lost on the way to the server; write the key "
         "without it, or give the object another key");
  }
  return parsed;
}

S3Service s3_service(const S3Options& options, const AwsConfig& config) {
  S3Service service{options.region, options.endpoint, options.path_style};
  if (service.region.empty()) service.region = config.region();
  if (service.region.empty()) service.region = kUsualRegion;
  if (service.endpoint.empty()) service.endpoint = config.endpoint("s3");
  if (!service.path_style) service.path_style = config.path_style();
  return service;
}

HttpPlace s3_place(const S3Address& address, const S3Service& service) {
  check_region(service.region);
  check_bucket(address.bucket, service);
  HttpPlace place =
      service.endpoint.empty() ? aws_endpoint("s3", service.region) : parse_endpoint(service.endpoint, "S3");
  if (is_path_style(address, service, place)) {
    place.path += "/" + address.bucket;
  } else {
    place.host = address.bucket + "." + place.host;
  }
  place.path += "/" + percent_encoded(address.key, "/");
  return place;
}

}  // namespace mxinfer::sources
