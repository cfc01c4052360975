#include "sources/remote/s3/s3_answers.h"

#include <array>

#include "base/fail.h"
#include "sources/remote/s3/xml_text.h"

namespace mxinfer::sources {
namespace {

struct Remedy {
  std::string_view code, what_to_do;
};

constexpr std::array<Remedy, 14> kRemedies{{
    {"AccessDenied",
     "these credentials may not read it (s3:GetObject), or it is not there and they may not list the bucket "
     "(s3:ListBucket); check the policy, the profile (AWS_PROFILE) and the bucket's owner"},
    {"SignatureDoesNotMatch",
     "the secret key is not the one of this access key, or belongs to another service; check "
     "AWS_SECRET_ACCESS_KEY or the profile"},
    {"InvalidAccessKeyId",
     "the server does not know this access key; check AWS_ACCESS_KEY_ID and the endpoint"},
    {"ExpiredToken", "the credentials have expired; get new ones, such as by 'aws sso login'"},
    {"InvalidToken", "the session token does not belong to the keys; check AWS_SESSION_TOKEN"},
    {"TokenRefreshRequired", "the credentials have expired; get new ones, such as by 'aws sso login'"},
    {"RequestTimeTooSkewed", "this machine's clock is wrong by more than fifteen minutes; set it"},
    {"NoSuchBucket", "the bucket does not exist at this endpoint; check its name and AWS_ENDPOINT_URL"},
    {"InvalidBucketName", "no bucket can have this name; an address is s3://BUCKET/KEY"},
    {"PermanentRedirect", "the bucket is in another region; set AWS_REGION or S3Options::region to it"},
    {"AuthorizationHeaderMalformed",
     "the bucket is in another region; set AWS_REGION or S3Options::region to it"},
    {"IllegalLocationConstraintException",
     "the bucket is in another region; set AWS_REGION or S3Options::region to it"},
    {"InvalidObjectState",
     "the object is in an archive tier; restore it first, as by 'aws s3api restore-object'"},
    {"NoSuchVersion",
     "the object does not have this version; list its versions with 'aws s3api list-object-versions'"},
}};

std::string_view remedy_of(std::string_view code) {
  for (const auto& [known, what_to_do] : kRemedies) {
    if (known == code) return what_to_do;
  }
  return {};
}

std::string unknown_advice(const HttpResponse& response, const std::string& words) {
  if (words.find("<html") != std::string::npos || words.find("<HTML") != std::string::npos)
    return ", with a web page: this is not an S3 server; check AWS_ENDPOINT_URL and the proxy";
  if (may_succeed_later(response.status))
    return "; the server or a proxy in front of it is overloaded or broken: try again later";
  return words.empty() ? "; check AWS_ENDPOINT_URL and the proxy" : ": " + printable(words);
}

/// A name that another may not be made of: it would lead elsewhere.
void check_name(const std::string& name, const std::string& folder) {
  const std::string_view text =
      name.ends_with("/") ? std::string_view(name).substr(0, name.size() - 1) : name;
  if (!text.empty() && text != "." && text != ".." && text.find('/') == std::string_view::npos) return;
  fail(ErrorCode::malformed, "the list of folder '", printable(folder), "' has the name '", printable(name),
       "', which leads out of it");
}

}  // namespace

S3Refusal s3_refusal(const std::string& words) {
  const auto errors = inner_xml(words, "Error");
  if (errors.empty()) return {};
  return {text_of_element(errors.front(), "Code"), text_of_element(errors.front(), "Message")};
}

std::string s3_advice(const HttpResponse& response, const std::string& words, bool is_anonymous) {
  const auto [code, message] = s3_refusal(words);
  if (code.empty()) return unknown_advice(response, words);
  std::string text = ": " + printable(code);
  if (!message.empty()) text += " (" + printable(message) + ")";
  if (is_anonymous && response.status == 403)
    return text +
           "; the request was not signed, but the bucket is not public: do not set S3Options::anonymous";
  const std::string_view what_to_do = remedy_of(code);
  if (!what_to_do.empty()) return text + "; " + std::string(what_to_do);
  if (may_succeed_later(response.status)) text += "; try again later";
  return text;
}

S3Page s3_page(const std::string& answer, const std::string& folder) {
  const auto lists = inner_xml(answer, "ListBucketResult");
  if (lists.empty()) {
    fail(ErrorCode::malformed, "the server does not send the list of folder '", printable(folder),
         "'; it may not be an S3 server: check AWS_ENDPOINT_URL");
  }
  S3Page page;
  const auto add = [&](const std::string& key) {
    if (!key.starts_with(folder)) {
      fail(ErrorCode::malformed, "the list of folder '", printable(folder), "' has the key '", printable(key),
           "', which is not in it");
    }
    std::string name = key.substr(folder.size());
    if (name.empty()) return;  // the folder's own mark
    check_name(name, folder);
    page.names.push_back(std::move(name));
  };
  for (const std::string_view contents : inner_xml(lists.front(), "Contents"))
    add(text_of_element(contents, "Key"));
  for (const std::string_view prefix : inner_xml(lists.front(), "CommonPrefixes"))
    add(text_of_element(prefix, "Prefix"));
  if (text_of_element(lists.front(), "IsTruncated") == "true")
    page.next = text_of_element(lists.front(), "NextContinuationToken");
  return page;
}

}  // namespace mxinfer::sources
