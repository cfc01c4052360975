// Http: one request and its response, with redirects, over connections that are kept for the next request.
//
//   Http http(options);
//   Collected body(1 << 20);
//   const HttpResponse response = http.send({"https://models.example/digits-symbol.json"}, body);
#pragma once

#include <mxinfer/remote_options.h>
#include <mxinfer/span.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/threads/fork_count.h"

namespace mxinfer::sources {

/// The first and last byte to request; last < 0 means all from the first on.
struct ByteRange {
  std::int64_t first = 0;
  std::int64_t last = -1;
};

struct HttpRequest {
  std::string address;
  std::vector<std::string> headers{};
  std::vector<std::string> conditions{};  ///< headers too, which are sent to other hosts as well
  std::string method = "GET";
  /// Sent as a Range header, unless it is everything.
  ByteRange range{};
  std::string body{};  ///< of a POST
  /// false: past any proxy, as for what is on this machine or beside it.
  bool uses_proxy = true;
  /// false: a redirect is a response like others.
  bool follows_redirects = true;
  /// Uses Kerberos (SPNEGO).
  bool negotiates = false;
  /// Of the whole request, if it is above 0; no longer than that of the options to connect.
  std::chrono::milliseconds timeout{0};
};

struct HttpResponse {
  int status = 0;
  /// By lowercase names; the last one of several.
  std::map<std::string, std::string, std::less<>> headers{};
  std::string address{};  ///< after redirects

  [[nodiscard]] std::string header(std::string_view name) const;
  /// Content-Length, or what Content-Range says of the whole; -1 if neither does.
  [[nodiscard]] std::int64_t whole_size() const;
};

/// Takes the body of a response that is not a redirect.
class HttpBody {
 public:
  virtual ~HttpBody() = default;
  /// Called before the first bytes. An Error from it ends the transfer and is thrown by Http::send.
  virtual void begin(const HttpResponse& response) = 0;
  virtual void add(Span<const std::byte> bytes) = 0;
};

/// A body as text, of at most some bytes; a longer one is cut, and its transfer ended.
class Collected final : public HttpBody {
 public:
  explicit Collected(std::size_t most) : most_(most) {}
  void begin(const HttpResponse& /*response*/) override { text.clear(); }
  void add(Span<const std::byte> bytes) override;
  std::string text;

 private:
  std::size_t most_;
};

/// Thrown by a body that needs no more: the response then ends there.
struct BodyIsEnough {};

/// A retryable failure of the connection, not an answer of the server.
class TransferBroke : public std::exception {
 public:
  TransferBroke(std::string why, std::string address) : why_(std::move(why)), address_(std::move(address)) {}
  [[nodiscard]] const char* what() const noexcept override { return why_.c_str(); }
  /// Of the request, after redirects.
  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  std::string why_, address_;
};

/// For one thread at a time.
class Http {
 public:
  explicit Http(const RemoteOptions& options);
  ~Http();
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;

  /// Sends it once. The response has any status but those of redirects, which are followed: to https, or to
  /// the scheme of before, and to private addresses only from private ones. Throws TransferBroke;
  /// Error(network) for permanent failures, such as an untrusted certificate or a rejected redirect; and what
  /// the body throws.
  ///
  /// `cancelled`: ends the transfer within a second, with Error(cancelled); may be nullptr.
  HttpResponse send(const HttpRequest& request, HttpBody& body, const std::atomic<bool>* cancelled = nullptr);

 private:
  struct Transfer;
  HttpResponse send_once(const HttpRequest& request, bool is_redirected, HttpBody& body);
  void set_options(const HttpRequest& request, bool is_redirected) const;
  std::string redirected(const HttpRequest& request, const HttpResponse& response) const;

  const RemoteOptions& options_;
  std::unique_ptr<Transfer> transfer_;
};

/// A pool of idle objects with their connections. Thread-safe.
class HttpPool {
 public:
  explicit HttpPool(const RemoteOptions& options) : options_(options) {}

  /// Goes back into the pool, which outlives it.
  class Lease {
   public:
    explicit Lease(HttpPool& pool) : pool_(pool), http_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(http_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Http& operator*() const { return *http_; }
    Http* operator->() const { return http_.get(); }

   private:
    HttpPool& pool_;
    std::unique_ptr<Http> http_;
  };

 private:
  std::unique_ptr<Http> take();
  void give_back(std::unique_ptr<Http> http) noexcept;

  const RemoteOptions& options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Http>> idle_;
  unsigned forks_ = fork_count();  ///< when these connections were made
};

/// The advice for status 407.
inline constexpr const char* kProxyAdvice =
    "; the proxy requires a name and a password, as in http_proxy=http://NAME:PASSWORD@HOST:PORT";

/// Temporary statuses: 408, 429, 500, 502, 503 and 504.
bool may_succeed_later(int status);

}  // namespace mxinfer::sources
