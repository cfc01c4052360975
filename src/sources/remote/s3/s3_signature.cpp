#include "sources/remote/s3/s3_signature.h"

#include <algorithm>
#include <map>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/digest.h"

namespace mxinfer::sources {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kScopeEnd = "aws4_request";

std::string canonical_name(std::string_view name) {
  std::string small(name);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return small;
}

/// Without blanks at its ends, and with one where there are several.
std::string canonical_value(std::string_view value) {
  std::string text;
  bool is_behind_blank = false;
  for (const char c : value) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_blank && is_behind_blank && !text.empty()) text += ' ';
    if (!is_blank) text += c;
    is_behind_blank = is_blank;
  }
  return text;
}

NamedValues headers_to_send(const SigningRequest& request, const AwsKeys& keys, const std::string& time) {
  NamedValues headers = request.headers;
  headers.emplace_back("x-amz-date", time);
  if (request.service == "s3") headers.emplace_back("x-amz-content-sha256", request.payload_hash);
  if (!keys.session_token.empty()) headers.emplace_back("x-amz-security-token", keys.session_token);
  return headers;
}

/// By their names, which are sorted; the values of one that is sent several times with commas between them.
std::map<std::string, std::string> canonical_headers(const NamedValues& headers) {
  std::map<std::string, std::string> canonical;
  for (const auto& [name, value] : headers) {
    const auto [at, is_first] = canonical.emplace(canonical_name(name), canonical_value(value));
    if (!is_first) at->second += "," + canonical_value(value);
  }
  return canonical;
}

/// libcurl takes "name;" for a header without a value; "name:" would take it away.
std::string header_line(const std::string& name, const std::string& value) {
  return value.empty() ? name + ";" : concat(name, ": ", value);
}

std::string signature_of(std::string_view text, const AwsKeys& keys, std::string_view day,
                         const SigningRequest& request) {
  const std::string of_day = hmac_sha256("AWS4" + keys.secret_access_key, day);
  const std::string of_region = hmac_sha256(of_day, request.region);
  const std::string of_service = hmac_sha256(of_region, request.service);
  return to_hex(hmac_sha256(hmac_sha256(of_service, kScopeEnd), text));
}

}  // namespace

std::string canonical_query(const NamedValues& query) {
  NamedValues encoded;
  for (const auto& [name, value] : query) encoded.emplace_back(percent_encoded(name), percent_encoded(value));
  std::sort(encoded.begin(), encoded.end());
  std::string text;
  for (const auto& [name, value] : encoded) text += concat(text.empty() ? "" : "&", name, "=", value);
  return text;
}

SignedRequest sign(const SigningRequest& request, const AwsKeys& keys, UtcTime time) {
  const std::string stamp = basic_utc(time);
  const std::string day = stamp.substr(0, stamp.find('T'));
  const NamedValues sent = headers_to_send(request, keys, stamp);
  auto canonical = canonical_headers(sent);
  canonical["host"] = request.host;
  std::string lines, names;
  for (const auto& [name, value] : canonical) {
    lines += concat(name, ":", value, "\n");
    names += concat(names.empty() ? "" : ";", name);
  }
  SignedRequest result;
  result.query = canonical_query(request.query);
  const std::string whole = concat(request.method, "\n", request.path, "\n", result.query, "\n", lines, "\n",
                                   names, "\n", request.payload_hash);
  const std::string scope = concat(day, "/", request.region, "/", request.service, "/", kScopeEnd);
  const std::string text = concat(kAlgorithm, "\n", stamp, "\n", scope, "\n", sha256_hex(whole));
  for (const auto& [name, value] : sent) result.headers.push_back(header_line(name, canonical_value(value)));
  result.headers.push_back(concat("Authorization: ", kAlgorithm, " Credential=", keys.access_key_id, "/",
                                  scope, ", SignedHeaders=", names,
                                  ", Signature=", signature_of(text, keys, day, request)));
  return result;
}

}  // namespace mxinfer::sources
