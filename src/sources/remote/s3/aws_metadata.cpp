#include "sources/remote/s3/aws_metadata.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/remote/http/retry.h"
#include "sources/remote/s3/aws_endpoint.h"

namespace mxinfer::sources {
namespace {

constexpr std::chrono::milliseconds kContainerTimeout{2'000};
constexpr std::chrono::milliseconds kInstanceTimeout{1'000};
constexpr int kInstanceTries = 2;
constexpr std::size_t kMostOfMetadata = 64 << 10;
constexpr const char* kContainerHost = "http://169.254.170.2";

/// Empty if it is not there, or no text.
std::string text_in(const nlohmann::json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

nlohmann::json json_object(const std::string& text) {
  auto parsed = nlohmann::json::parse(text, nullptr, false);
  return parsed.is_object() ? parsed : nlohmann::json::object();
}

std::optional<ExpiringKeys> keys_in_json(const nlohmann::json& answer) {
  ExpiringKeys found{
      {text_in(answer, "AccessKeyId"), text_in(answer, "SecretAccessKey"), text_in(answer, "Token")},
      parse_utc(text_in(answer, "Expiration"))};
  if (found.keys.access_key_id.empty() || found.keys.secret_access_key.empty()) return std::nullopt;
  return found;
}

/// "code" and "message" in any letters, as services say them.
std::string words_in_json(const std::string& text) {
  const nlohmann::json answer = json_object(text);
  std::string words;
  for (const char* name : {"Code", "code", "Message", "message"}) {
    if (const std::string word = text_in(answer, name); !word.empty()) words += ": " + printable(word);
  }
  return words;
}

/// Of "[::1]:8080" it is "::1".
std::string host_without_port(const std::string& authority) {
  if (authority.starts_with('[')) return authority.substr(1, authority.find(']') - 1);
  return authority.substr(0, authority.find(':'));
}

bool is_near_host(const std::string& host) {
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127) return true;
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) == 1 && IN6_IS_ADDR_LOOPBACK(&v6)) return true;
  return host == "localhost" || host == "169.254.170.2" || host == "169.254.170.23" || host == "fd00:ec2::23";
}

void check_container_address(const std::string& text) {
  const Address address = has_scheme(text) ? parse_address(text) : Address{};
  const bool is_plain =
      !address.authority.empty() && address.authority.find_first_of("@\\%") == std::string::npos;
  if (is_plain && address.scheme == "https") return;
  if (is_plain && address.scheme == "http" && is_near_host(host_without_port(address.authority))) return;
  fail(ErrorCode::invalid_argument, "AWS_CONTAINER_CREDENTIALS_FULL_URI leads to '",
       printable(address.scheme), "://",
       printable(address.authority.substr(address.authority.rfind('@') + 1)),
       "', but credentials are requested only over https, or over http from this machine (localhost, "
       "127.0.0.1, [::1]), 169.254.170.2, 169.254.170.23 and [fd00:ec2::23]");
}

/// Empty, if there is none.
std::string container_token() {
  const std::string path = environment_variable("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  std::string token = path.empty() ? environment_variable("AWS_CONTAINER_AUTHORIZATION_TOKEN")
                                   : token_in_file(path, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
  if (token.find_first_of("\r\n") != std::string::npos) {
    fail(ErrorCode::invalid_argument,
         "the token of AWS_CONTAINER_AUTHORIZATION_TOKEN or its _FILE has a line break in it");
  }
  return token;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

HttpRequest metadata_request(const std::string& address, std::chrono::milliseconds timeout) {
  HttpRequest request;
  request.address = address;
  request.uses_proxy = false;
  request.follows_redirects = false;
  request.timeout = timeout;
  return request;
}

/// The metadata of an instance, one request after the other, until one has no answer.
class InstanceMetadata {
 public:
  InstanceMetadata(HttpPool& pool, std::string endpoint, std::string& why)
      : pool_(pool), endpoint_(std::move(endpoint)), why_(why) {}

  std::optional<ExpiringKeys> keys() {
    const std::string token = ask("PUT", "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600");
    if (token.empty()) return std::nullopt;
    const std::string header = "X-aws-ec2-metadata-token: " + first_line(token);
    const std::string folder = "/latest/meta-data/iam/security-credentials/";
    const std::string roles = ask("GET", folder, header);
    if (roles.empty()) return std::nullopt;
    const std::string role = first_line(roles);
    const std::string answer = ask("GET", folder + percent_encoded(role, "+=,@"), header);
    if (answer.empty()) return std::nullopt;
    auto found = keys_in_json(json_object(answer));
    if (!found) why_ = concat("no keys of the role '", printable(role), "'", words_in_json(answer));
    return found;
  }

 private:
  /// Without a text the reason is in why_.
  std::string ask(const char* method, const std::string& path, const std::string& header) {
    HttpRequest request = metadata_request(endpoint_ + path, kInstanceTimeout);
    request.method = method;
    request.headers = {header};
    for (int tries = 0; tries < kInstanceTries; ++tries) {
      Collected body(kMostOfMetadata);
      try {
        const HttpResponse response = HttpPool::Lease(pool_)->send(request, body);
        if (response.status == 200 && !body.text.empty()) return body.text;
        why_ = concat("it answered ", response.status, " for ", printable(path),
                      response.status == 404 && request.method == "GET" ? ": the instance has no role" : "");
        if (response.status != 200 && !may_succeed_later(response.status)) break;
      } catch (const TransferBroke& e) {
        why_ = e.what();
      }
    }
    return {};
  }

  HttpPool& pool_;
  std::string endpoint_;
  std::string& why_;
};

std::string instance_endpoint(const AwsConfig& config) {
  std::string endpoint = environment_variable("AWS_EC2_METADATA_SERVICE_ENDPOINT");
  if (endpoint.empty()) endpoint = config.profile_setting("ec2_metadata_service_endpoint");
  if (endpoint.empty()) {
    std::string mode = environment_variable("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
    if (mode.empty()) mode = config.profile_setting("ec2_metadata_service_endpoint_mode");
    endpoint = mode == "IPv6" || mode == "ipv6" ? "http://[fd00:ec2::254]" : "http://169.254.169.254";
  }
  const HttpPlace place = parse_endpoint(endpoint, "EC2's metadata (AWS_EC2_METADATA_SERVICE_ENDPOINT)");
  return place.scheme + "://" + place.host + place.path;
}

}  // namespace

std::optional<HttpRequest> container_request() {
  const std::string relative = environment_variable("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const std::string full = environment_variable("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative.empty() && full.empty()) return std::nullopt;
  if (!relative.empty() && relative.front() != '/') {
    fail(ErrorCode::invalid_argument,
         "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must begin with '/': it is appended to ", kContainerHost);
  }
  if (relative.empty()) check_container_address(full);
  HttpRequest request =
      metadata_request(relative.empty() ? full : kContainerHost + relative, kContainerTimeout);
  request.headers = {"Accept: application/json"};
  if (const std::string token = container_token(); !token.empty())
    request.headers.push_back("Authorization: " + token);
  return request;
}

ExpiringKeys container_keys(const RemoteOptions& options, HttpPool& pool, const HttpRequest& request) {
  // The path may be what names this process to the service: it is in no message.
  const Address address = parse_address(request.address);
  const std::string place =
      concat("the container's credentials", kTrail, address.scheme, "://", address.authority);
  const std::string token = container_token();
  Retries retries(options, place);
  for (;;) {
    Collected body(kMostOfMetadata);
    HttpResponse response;
    std::string why;
    try {
      response = HttpPool::Lease(pool)->send(request, body);
      if (response.status == 200) {
        if (auto found = keys_in_json(json_object(body.text))) return *found;
      }
      why = concat("the server answered ", response.status, response.status == 200 ? " without keys" : "",
                   without_secret(words_in_json(body.text), token));
      if (!may_succeed_later(response.status)) fail(ErrorCode::network, place, kTrail, why);
    } catch (const TransferBroke& e) {
      why = e.what();
    }
    retries.pause_or_fail(why, asked_pause(response));
  }
}

std::optional<ExpiringKeys> instance_keys(HttpPool& pool, const AwsConfig& config, std::string& why) {
  if (says_true(environment_variable("AWS_EC2_METADATA_DISABLED"))) {
    why = "AWS_EC2_METADATA_DISABLED is true";
    return std::nullopt;
  }
  return InstanceMetadata(pool, instance_endpoint(config), why).keys();
}

}  // namespace mxinfer::sources
