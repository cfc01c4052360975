#include "sources/remote/s3/aws_endpoint.h"

#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "sources/address.h"

namespace mxinfer::sources {
namespace {

bool is_of_region(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

std::string dns_suffix(const std::string& region) {
  static constexpr std::pair<std::string_view, const char*> kOthers[] = {
      {"cn-", "amazonaws.com.cn"},   {"eusc-", "amazonaws.eu"},      {"us-iso-", "c2s.ic.gov"},
      {"us-isob-", "sc2s.sgov.gov"}, {"us-isof-", "csp.hci.ic.gov"}, {"eu-isoe-", "cloud.adc-e.uk"}};
  for (const auto& [prefix, suffix] : kOthers) {
    if (region.starts_with(prefix)) return suffix;
  }
  return "amazonaws.com";
}

}  // namespace

void check_region(const std::string& region) {
  const bool is_region = !region.empty() && region.size() <= 63 && region.front() != '-' &&
                         region.back() != '-' && std::all_of(region.begin(), region.end(), is_of_region);
  if (is_region) return;
  fail(ErrorCode::invalid_argument, "'", printable(region),
       "' cannot be a region's name; one has small letters, digits and hyphens, such as eu-west-1 "
       "(S3Options::region, AWS_REGION, or region in ~/.aws/config)");
}

HttpPlace aws_endpoint(std::string_view service, const std::string& region) {
  check_region(region);
  return {"https", concat(service, ".", region, ".", dns_suffix(region)), ""};
}

HttpPlace parse_endpoint(const std::string& endpoint, std::string_view service) {
  const Address address = has_scheme(endpoint) ? parse_address(endpoint) : Address{};
  const bool is_http = address.scheme == "http" || address.scheme == "https";
  const bool is_plain = !address.authority.empty() && address.query.empty() && address.fragment.empty() &&
                        address.authority.find_first_of("@\\%") == std::string::npos &&
                        (address.path + "/").find("/./") == std::string::npos &&
                        (address.path + "/").find("/../") == std::string::npos;
  if (!is_http || !is_plain) {
    fail(ErrorCode::invalid_argument, "'", printable(shown(endpoint)), "' cannot be an endpoint of ", service,
         "; one is an address such as https://minio.example:9000, without name, password or query "
         "(S3Options::endpoint, AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_S3 or _STS, or endpoint_url in "
         "~/.aws/config)");
  }
  HttpPlace place{address.scheme, address.authority, address.path};
  for (char& c : place.host) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const std::string_view own_port = place.scheme == "https" ? ":443" : ":80";
  if (place.host.ends_with(own_port)) place.host.resize(place.host.size() - own_port.size());
  while (place.path.ends_with('/')) place.path.pop_back();
  return place;
}

}  // namespace mxinfer::sources
