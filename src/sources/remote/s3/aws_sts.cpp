#include "sources/remote/s3/aws_sts.h"

#include "base/fail.h"
#include "sources/address.h"
#include "sources/digest.h"
#include "sources/remote/http/retry.h"
#include "sources/remote/s3/aws_endpoint.h"
#include "sources/remote/s3/xml_text.h"

namespace mxinfer::sources {
namespace {

constexpr const char* kFormType = "application/x-www-form-urlencoded; charset=utf-8";
constexpr std::chrono::milliseconds kStsTimeout{30'000};
constexpr std::size_t kMostOfSts = 1 << 20;

NamedValues role_form(const char* action, const AssumedRole& role) {
  NamedValues form{{"Action", action},
                   {"Version", "2011-06-15"},
                   {"RoleArn", role.arn},
                   {"RoleSessionName", role.session_name.empty() ? "mxinfer" : role.session_name}};
  if (!role.external_id.empty()) form.emplace_back("ExternalId", role.external_id);
  if (!role.duration_seconds.empty()) form.emplace_back("DurationSeconds", role.duration_seconds);
  return form;
}

/// What a refusal says. With a signature that does not match come the texts that should have been signed,
/// which hold the session's token.
std::string words_of_sts(const std::string& answer, const std::string& secret) {
  const std::string code = text_of_element(answer, "Code");
  const bool is_late = answer.find("Signature expired") != std::string::npos ||
                       answer.find("Signature not yet current") != std::string::npos;
  if (is_late) return ": " + printable(code) + "; the clock of this machine is wrong by minutes";
  if (code == "SignatureDoesNotMatch" || code == "IncompleteSignature")
    return ": " + printable(code) +
           "; the secret access key is not that of the access key id, or was cut short";
  const std::string message = without_secret(text_of_element(answer, "Message"), secret);
  return code.empty() ? std::string() : concat(": ", printable(code), ": ", printable(message));
}

bool may_be_sent_again(int status, const std::string& answer) {
  const std::string code = text_of_element(answer, "Code");
  return may_succeed_later(status) || code == "IDPCommunicationError" || code == "Throttling";
}

ExpiringKeys keys_in_xml(const std::string& answer) {
  return {{text_of_element(answer, "AccessKeyId"), text_of_element(answer, "SecretAccessKey"),
           text_of_element(answer, "SessionToken")},
          parse_utc(text_of_element(answer, "Expiration"))};
}

HttpPlace sts_place(const AwsConfig& config, const std::string& region) {
  const std::string endpoint = config.endpoint("sts");
  HttpPlace place = !endpoint.empty() ? parse_endpoint(endpoint, "STS")
                    : region.empty()  ? HttpPlace{"https", "sts.amazonaws.com", ""}
                                      : aws_endpoint("sts", region);
  if (place.path.empty()) place.path = "/";
  return place;
}

}  // namespace

Sts::Sts(const RemoteOptions& options, HttpPool& pool, const AwsConfig& config)
    : options_(options),
      pool_(pool),
      region_(options.s3.region.empty() ? config.region() : options.s3.region) {
  place_ = sts_place(config, region_);
  address_ = place_.scheme + "://" + place_.host + place_.path;
  if (region_.empty()) region_ = "us-east-1";  // where the one without a region is
}

HttpRequest Sts::post(const NamedValues& form) const {
  HttpRequest request;
  request.address = address_;
  request.method = "POST";
  request.body = canonical_query(form);
  // Without "Expect: 100-continue", which some servers do not answer.
  request.headers = {concat("Content-Type: ", kFormType), "Expect:"};
  request.follows_redirects = false;
  request.timeout = kStsTimeout;
  return request;
}

HttpRequest Sts::signed_post(const NamedValues& form, const AwsKeys& source, UtcTime now) const {
  HttpRequest request = post(form);
  SigningRequest to_sign;
  to_sign.method = request.method;
  to_sign.host = place_.host;
  to_sign.path = place_.path;
  to_sign.headers = {{"Content-Type", kFormType}};
  to_sign.payload_hash = sha256_hex(std::string_view(request.body));
  to_sign.region = region_;
  to_sign.service = "sts";
  request.headers = sign(to_sign, source, now).headers;
  request.headers.emplace_back("Expect:");
  return request;
}

ExpiringKeys Sts::assume_role(const AssumedRole& role, const AwsKeys& source, UtcTime now) const {
  return send(signed_post(role_form("AssumeRole", role), source, now), role, source.session_token);
}

ExpiringKeys Sts::assume_role_with_web_identity(const AssumedRole& role, const std::string& token) const {
  NamedValues form = role_form("AssumeRoleWithWebIdentity", role);
  form.emplace_back("WebIdentityToken", token);
  return send(post(form), role, token);
}

ExpiringKeys Sts::send(const HttpRequest& request, const AssumedRole& role, const std::string& secret) const {
  const std::string where =
      concat("the role '", printable(role.arn), "'", kTrail, printable(shown(address_)));
  Retries retries(options_, where);
  for (;;) {
    Collected body(kMostOfSts);
    HttpResponse response;
    std::string why;
    try {
      response = HttpPool::Lease(pool_)->send(request, body);
      ExpiringKeys found = keys_in_xml(body.text);
      const bool is_complete = !found.keys.access_key_id.empty() && !found.keys.secret_access_key.empty();
      if (response.status == 200 && is_complete) return found;
      why = concat("the server answered ", response.status,
                   response.status == 200 ? " without keys" : words_of_sts(body.text, secret));
      if (!may_be_sent_again(response.status, body.text)) fail(ErrorCode::network, where, kTrail, why);
    } catch (const TransferBroke& e) {
      why = e.what();
    }
    retries.pause_or_fail(why, asked_pause(response));
  }
}

}  // namespace mxinfer::sources
