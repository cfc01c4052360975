// Origin: what the addresses of a scheme are as requests of HTTP. Fetch sends them, in parts and again where
// they fail; an origin knows how a file is asked for, how requests are signed, and what a refusal means.
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

/// What a server calls a version of a file.
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

  /// Names the file among all copies on disk, without secrets: addresses that lead to one file may have one
  /// key, those that lead to different ones may not.
  virtual std::string cache_key(const std::string& address) const { return address; }
  /// The request for bytes of a file. Made anew for each try, since signatures are good for minutes.
  virtual HttpRequest read_request(const std::string& address, const ByteRange& range) const = 0;
  /// Whether read_request() puts the range into the address. Then status() is asked first, and a response of
  /// status 200 has the bytes of the range alone.
  virtual bool has_ranges_in_address() const { return false; }
  /// Precondition: has_ranges_in_address().
  virtual FileStatus status(HttpPool& pool, const std::string& address) const;
  /// Told of a response that is neither bytes nor to be sent again, with the server's words, or of a
  /// connection that failed (status 0), with the address that it went to and why. The pause after which the
  /// request is to be made and sent again, for it will be another: to another region, to another name node,
  /// with new credentials. Nothing if it would be the same, which it must be at some time.
  virtual std::optional<std::chrono::milliseconds> learn(const std::string& address,
                                                         const HttpResponse& response,
                                                         const std::string& words) const;
  /// Whether the response says that the file does not exist. 404 and 410, if the origin knows no better.
  virtual bool is_absent(const HttpResponse& response, const std::string& words) const;
  /// What the refusal means and what to do, to stand behind "the server answered 403"; with the server's
  /// words in it, if they say something to people. Without secrets.
  virtual std::string advice(const std::string& address, const HttpResponse& response,
                             const std::string& words) const;
  /// The names directly in a folder, whose address ends in "/", not encoded; folders' names end in "/". Those
  /// alone that begin with `start`, if the server can do that. Nothing if there are no lists, an empty list
  /// if the folder does not exist.
  virtual std::optional<std::vector<std::string>> list(HttpPool& pool, const std::string& folder,
                                                       const std::string& start) const;

 protected:
  Origin() = default;
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;
};

/// A small answer as text, tried again as RemoteOptions say and as origin.learn() says. `make` makes the
/// request of each try. The response of the last, whatever its status; Error(network) if none came;
/// Error(cancelled) soon after the call that this thread is in was cancelled.
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
