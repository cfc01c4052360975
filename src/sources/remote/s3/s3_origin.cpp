#include "sources/remote/s3/s3_origin.h"

#include <algorithm>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/remote/s3/s3_answers.h"
#include "sources/remote/s3/s3_signature.h"
#include "sources/remote/s3/xml_text.h"
#include "sources/remote/secrets.h"

namespace mxinfer::sources {
namespace {

/// SHA-256 of no bytes: requests have no body.
constexpr const char* kEmptyPayload = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
/// A longer list is not a folder to choose from.
constexpr std::size_t kMostNames = 1'000'000;

bool is_region(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

bool is_of_credentials(const std::string& code) {
  return code == "ExpiredToken" || code == "InvalidToken" || code == "TokenRefreshRequired" ||
         code == "InvalidAccessKeyId";
}

}  // namespace

S3Origin::S3Origin(const RemoteOptions& options)
    : options_(options),
      config_(options.s3.profile),
      service_(s3_service(options.s3, config_)),
      pool_(options),
      credentials_(options, pool_) {}

std::string S3Origin::cache_key(const std::string& address) const {
  const S3Address parsed = parse_s3_address(address);
  return concat("s3 ", service_.endpoint, " ", parsed.bucket, "/", parsed.key, "?",
                canonical_query(parsed.query));
}

S3Service S3Origin::service_of(const std::string& bucket) const {
  S3Service service = service_;
  const std::lock_guard lock(mutex_);
  if (const auto found = regions_.find(bucket); found != regions_.end()) service.region = found->second;
  return service;
}

void S3Origin::remember(const AwsKeys& keys) const {
  const std::lock_guard lock(mutex_);
  last_keys_ = keys;
}

HttpRequest S3Origin::request(const S3Address& address) const {
  const S3Service service = service_of(address.bucket);
  const HttpPlace place = s3_place(address, service);
  HttpRequest request;
  request.follows_redirects = false;  // they would have to be signed anew
  std::string query;
  if (options_.s3.anonymous) {
    query = canonical_query(address.query);
  } else {
    SigningRequest to_sign;
    to_sign.host = place.host;
    to_sign.path = place.path;
    to_sign.query = address.query;
    to_sign.payload_hash = kEmptyPayload;
    to_sign.region = service.region;
    const AwsKeys keys = credentials_.get();
    SignedRequest made = sign(to_sign, keys, std::chrono::system_clock::now());
    remember(keys);
    request.headers = std::move(made.headers);
    query = std::move(made.query);
  }
  request.address = concat(place.scheme, "://", place.host, place.path);
  if (!query.empty()) request.address += "?" + query;
  return request;
}

HttpRequest S3Origin::read_request(const std::string& address, const ByteRange& range) const {
  HttpRequest made = request(parse_s3_address(address));
  made.range = range;
  return made;
}

std::optional<std::chrono::milliseconds> S3Origin::learn(const std::string& address,
                                                         const HttpResponse& response,
                                                         const std::string& words) const {
  constexpr std::chrono::milliseconds kAtOnce{0};
  if (response.status == 0) return std::nullopt;
  if (learn_region(parse_s3_address(address).bucket, response, words)) return kAtOnce;
  const bool has_expired = !options_.s3.anonymous && is_of_credentials(s3_refusal(words).code);
  return has_expired && credentials_.forget() ? std::optional(kAtOnce) : std::nullopt;
}

// Follows a server's region only once; otherwise it could name one region after another forever.
bool S3Origin::learn_region(const std::string& bucket, const HttpResponse& response,
                            const std::string& words) const {
  if (response.status != 301 && response.status != 307 && response.status != 400 && response.status != 403)
    return false;
  std::string region = response.header("x-amz-bucket-region");
  if (region.empty()) region = text_of_element(words, "Region");
  if (!is_region(region) || region == service_.region) return false;
  const std::lock_guard lock(mutex_);
  return regions_.emplace(bucket, region).second;
}

bool S3Origin::is_absent(const HttpResponse& response, const std::string& words) const {
  return response.status == 404 && s3_refusal(words).code != "NoSuchBucket";
}

std::string S3Origin::advice(const std::string& /*address*/, const HttpResponse& response,
                             const std::string& words) const {
  const std::lock_guard lock(mutex_);
  const std::string plain = without_secrets(
      words, {last_keys_.session_token, last_keys_.secret_access_key, last_keys_.access_key_id});
  return s3_advice(response, plain, options_.s3.anonymous);
}

std::optional<std::vector<std::string>> S3Origin::list(HttpPool& pool, const std::string& folder,
                                                       const std::string& start) const {
  const S3Address parsed = parse_s3_address(folder);
  S3Address question{parsed.bucket, {}, {{"list-type", "2"}, {"delimiter", "/"}}};
  if (!(parsed.key + start).empty()) question.query.emplace_back("prefix", parsed.key + start);
  const std::size_t fixed = question.query.size();
  std::vector<std::string> names;
  std::size_t pages = 0;
  do {
    const TextResponse answer = ask(pool, options_, *this, folder, [&] { return this->request(question); });
    // Permission to read objects does not imply permission to list them.
    if (answer.response.status == 403 && s3_refusal(answer.text).code == "AccessDenied") return std::nullopt;
    if (answer.response.status != 200) fail_refused(*this, folder, answer.response, answer.text);
    const S3Page page = in_context([&] { return printable(shown(folder)); },
                                   [&] { return s3_page(answer.text, parsed.key); });
    names.insert(names.end(), page.names.begin(), page.names.end());
    if (names.size() > kMostNames || ++pages > kMostNames / 100) {
      fail(ErrorCode::unsupported, printable(shown(folder)), kTrail, "it has more than ", kMostNames,
           " names; give the files one by one, or a list of them");
    }
    question.query.resize(fixed);
    if (!page.next.empty()) question.query.emplace_back("continuation-token", page.next);
  } while (question.query.size() > fixed);
  return names;
}

}  // namespace mxinfer::sources
