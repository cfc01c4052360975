// Origin: turns the addresses of a scheme into HTTP requests. Fetch sends them in parts and retries failures;
// an origin knows how to request a file, how to sign requests, and what a refusal means.
//
//   class S3Origin : public Origin { ... };
//   HttpRequest request = origin.read_request("s3://models/digits-0000.params", {0, 65535});
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sources/remote/http/http.h"

namespace mxinfer::sources {

/// A server's identification of a version of a file.
struct Validators {
  std::string etag;
  std::string last_modified;
};

struct FileStatus {
  bool is_there = false;
  std::int64_t size = 0;
  Validators validators{};
};

/// Several threads may call every function at once.
class Origin {
 public:
  virtual ~Origin() = default;

  /// The file's key in the cache, without secrets: addresses of the same file may share a key, those of
  /// different files must not.
  virtual std::string cache_key(const std::string& address) const { return address; }
  /// The request for bytes of a file. Created for each try, because signatures are valid only for minutes.
  virtual HttpRequest read_request(const std::string& address, const ByteRange& range) const = 0;
  /// Whether read_request() puts the range into the address. Then status() is asked first, and a response of
  /// status 200 has the bytes of the range alone.
  virtual bool has_ranges_in_address() const { return false; }
  /// Precondition: has_ranges_in_address().
  virtual FileStatus status(HttpPool& pool, const std::string& address) const;
  /// Handles a response that is neither bytes nor retryable, with the server's text, or a failed connection
  /// (status 0), with its address and the reason. Returns the pause before the request is rebuilt and sent
  /// again, if it will differ: to another region or name node, or with new credentials. nullopt if it would
  /// be the same, which must happen eventually.
  virtual std::optional<std::chrono::milliseconds> learn(const std::string& address,
                                                         const HttpResponse& response,
                                                         const std::string& words) const;
  /// Whether the response says that the file does not exist: 404 and 410 by default.
  virtual bool is_absent(const HttpResponse& response, const std::string& words) const;
  /// The meaning of the refusal and advice, to follow "the server answered 403", with the server's text if it
  /// is readable. Without secrets.
  virtual std::string advice(const std::string& address, const HttpResponse& response,
                             const std::string& words) const;
  /// The names directly in a folder, whose address ends in "/", not encoded; folders' names end in "/". Only
  /// those that begin with `start`, if the server supports that. nullopt if there are no lists, an empty list
  /// if the folder does not exist.
  virtual std::optional<std::vector<std::string>> list(HttpPool& pool, const std::string& folder,
                                                       const std::string& start) const;

 protected:
  Origin() = default;
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
};

/// Fetches a small answer as text, with retries by RemoteOptions and origin.learn(). `make` creates the
/// request of each try. Returns the last response, with any status. Throws Error(network) if none arrived,
/// Error(cancelled) soon after the call of this thread was cancelled.
struct TextResponse {
  HttpResponse response;
  std::string text;
};
TextResponse ask(HttpPool& pool, const RemoteOptions& options, const Origin& origin,
                 const std::string& address, const std::function<HttpRequest()>& make,
                 std::size_t most_bytes = std::size_t{64} << 20);

/// Throws Error(network): "<address> > the server answered 403: ...; what to do".
[[noreturn]] void fail_refused(const Origin& origin, const std::string& address, const HttpResponse& response,
                               const std::string& words);

}  // namespace mxinfer::sources
