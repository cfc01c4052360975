#include "sources/remote/http/http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>

#include "base/fail.h"
#include "base/text/trim.h"
#include "sources/address.h"
#include "sources/remote/http/curl_library.h"
#include "sources/remote/http/private_address.h"

namespace mxinfer::sources {
namespace {

/// What is read of a redirect's body, and of all headers, at most.
constexpr std::size_t kMostOfRedirect = std::size_t{64} << 10;
constexpr std::size_t kMostOfHeaders = std::size_t{1} << 20;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::int64_t whole_number(std::string_view text) {
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/// Without a name and a password in front of it.
std::string host_of(const std::string& authority) {
  return authority.substr(authority.rfind('@') + 1);
}

/// Errors that a retry cannot fix.
bool is_final(CURLcode code, const std::string& why) {
  // Unrelated bytes on a reused connection; curl reports this only in its text.
  if (why.find("HTTP/0.9") != std::string::npos) return false;
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_NOT_BUILT_IN:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_TOO_MANY_REDIRECTS:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string HttpResponse::header(std::string_view name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

std::int64_t HttpResponse::whole_size() const {
  const std::string range = header("content-range");
  if (const auto slash = range.rfind('/'); slash != std::string::npos)
    return whole_number(std::string_view(range).substr(slash + 1));
  return whole_number(header("content-length"));
}

void Collected::add(Span<const std::byte> bytes) {
  const std::size_t count = std::min(bytes.size(), most_ - text.size());
  text.append(reinterpret_cast<const char*>(bytes.data()), count);
  if (count < bytes.size()) throw BodyIsEnough();
}

bool may_succeed_later(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 || status == 504;
}

/// A handle of libcurl, and what its callbacks see of one request.
struct Http::Transfer {
  const Curl& curl = curl_library();
  CURL* handle = nullptr;
  HttpBody* body = nullptr;
  HttpResponse response;
  bool has_begun = false;
  bool follows = true;  ///< redirects
  bool is_redirected = false;
  bool refuses_private = false;
  bool was_private = false;  ///< the address that the first request of these went to
  const std::atomic<bool>* cancelled = nullptr;
  std::string refused;
  std::exception_ptr thrown;
  bool is_enough = false;  ///< the transfer was ended, and the response is good
  std::size_t header_bytes = 0, redirect_bytes = 0;
  char message[CURL_ERROR_SIZE] = {};

  Transfer() : handle(curl.easy_init()) {
    if (handle == nullptr) throw std::bad_alloc();
  }
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  template <typename Value>
  void set(CURLoption option, Value value) const {
    const CURLcode code = curl.easy_setopt(handle, option, value);
    if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
    if (code != CURLE_OK)
      fail(ErrorCode::unsupported, "this libcurl refuses an option (", curl.easy_strerror(code), ")");
  }

  // A response may come behind others: of 1xx, or of 401 where credentials are negotiated.
  static std::size_t take_header(char* text, std::size_t size, std::size_t count, void* user) {
    auto& self = *static_cast<Transfer*>(user);
    self.header_bytes += size * count;
    if (self.header_bytes > kMostOfHeaders) return 0;
    return self.guarded([&] { self.take_line(trimmed({text, size * count})); }) ? size * count : 0;
  }

  void take_line(std::string_view line) {
    if (line.starts_with("HTTP/")) {
      response.headers.clear();
      has_begun = false;
    } else if (line.empty()) {
      begin();
    } else if (const auto colon = line.find(':'); colon != std::string_view::npos) {
      response.headers[lower_case(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }
  }

  static std::size_t take_body(char* bytes, std::size_t size, std::size_t count, void* user) {
    auto& self = *static_cast<Transfer*>(user);
    const bool is_good = self.guarded([&] {
      if (!self.takes_redirect())
        return self.body->add({reinterpret_cast<const std::byte*>(bytes), size * count});
      self.redirect_bytes += size * count;
      if (self.redirect_bytes > kMostOfRedirect) throw BodyIsEnough();
    });
    return is_good ? size * count : 0;
  }

  /// Exceptions must not pass through libcurl.
  template <typename Call>
  bool guarded(const Call& call) {
    try {
      call();
      return true;
    } catch (const BodyIsEnough&) {
      is_enough = true;
      return false;
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }

  static curl_socket_t open_socket(void* user, curlsocktype /*purpose*/, curl_sockaddr* address) {
    auto& self = *static_cast<Transfer*>(user);
    if (self.is_redirected && !self.was_private && self.refuses_private &&
        is_private_address(address->addr)) {
      self.refused = address_text(address->addr);
      return CURL_SOCKET_BAD;
    }
    return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  }

  static int report(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const auto& self = *static_cast<Transfer*>(user);
    return self.cancelled != nullptr && *self.cancelled ? 1 : 0;
  }

  bool takes_redirect() const { return follows && is_redirect(response.status); }

  /// Of a proxy that was asked for a tunnel; 0 without one.
  long proxy_status() const {
    long status = 0;
    curl.easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, &status);
    return status;
  }

  /// The connection may be an old one, so that open_socket was not called.
  bool reached_private() const {
    const char* ip = nullptr;
    curl.easy_getinfo(handle, CURLINFO_PRIMARY_IP, &ip);
    return ip == nullptr || is_private_address(std::string(ip));
  }

  /// All headers are there.
  void begin() {
    long status = 0;
    curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    response.status = static_cast<int>(status);
    has_begun = response.status >= 200;
    if (has_begun && !takes_redirect()) body->begin(response);
  }
};

/// Writing to a closed connection raises SIGPIPE, which would kill the program.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = is_pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    if (!was_pending_ && is_pending()) {
      const timespec now{};
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  static bool is_pending() {
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGPIPE) == 1;
  }

  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

/// Headers of a request, as libcurl takes them.
class HeaderLines {
 public:
  HeaderLines(const Curl& curl, const std::vector<std::string>& headers) : curl_(curl) {
    for (const std::string& header : headers) {
      curl_slist* const longer = curl_.slist_append(list_, header.c_str());
      if (longer == nullptr) {
        curl_.slist_free_all(list_);
        throw std::bad_alloc();
      }
      list_ = longer;
    }
  }
  ~HeaderLines() { curl_.slist_free_all(list_); }
  HeaderLines(const HeaderLines&) = delete;
  HeaderLines& operator=(const HeaderLines&) = delete;
  [[nodiscard]] curl_slist* get() const { return list_; }

 private:
  const Curl& curl_;
  curl_slist* list_ = nullptr;
};

Http::Transfer::~Transfer() {
  const WithoutSigpipe without;
  curl.easy_cleanup(handle);
}

Http::Http(const RemoteOptions& options) : options_(options), transfer_(std::make_unique<Transfer>()) {}
Http::~Http() = default;

HttpResponse Http::send(const HttpRequest& request, HttpBody& body, const std::atomic<bool>* cancelled) {
  HttpRequest next = request;
  transfer_->cancelled = cancelled;
  for (int redirects = 0;; ++redirects) {
    HttpResponse response = send_once(next, redirects > 0, body);
    if (!request.follows_redirects || !is_redirect(response.status)) return response;
    if (redirects == options_.max_redirects) {
      fail(ErrorCode::network, printable(shown(request.address)), kTrail, "it was redirected more than ",
           options_.max_redirects, " times, the last time to '", printable(shown(redirected(next, response))),
           "'; to allow more, raise RemoteOptions::max_redirects");
    }
    Address to = parse_address(redirected(next, response));
    const std::string before = parse_address(next.address).authority;
    // Data for one host must not go to another.
    if (host_of(to.authority) != host_of(before)) {
      next.headers.clear();
      next.negotiates = false;
    } else if (to.authority == host_of(before)) {
      to.authority = before;  // with its name and password
    }
    next.address = to_string(to);
  }
}

std::string Http::redirected(const HttpRequest& request, const HttpResponse& response) const {
  const std::string location = response.header("location");
  const Address from = parse_address(request.address);
  const auto refuse = [&](std::string_view why) {
    fail(ErrorCode::network, printable(shown(request.address)), kTrail, "it is redirected (", response.status,
         ") to '", printable(shown(location)), "'", why);
  };
  if (location.empty()) refuse(", which is not an address");
  if (location.starts_with("//")) return from.scheme + ":" + location;
  if (location.starts_with("/")) return from.scheme + "://" + from.authority + location;
  if (!has_scheme(location))
    return from.scheme + "://" + from.authority +
           (from.path.empty() ? "/" : from.path.substr(0, from.path.rfind('/') + 1)) + location;
  const std::string scheme = parse_address(location).scheme;
  if (scheme != "https" && scheme != "http") refuse("; redirects may lead only to http and https");
  if (from.scheme == "https" && scheme == "http")
    refuse("; from https, redirects may lead only to https, which nobody else can read");
  return location;
}

void Http::set_options(const HttpRequest& request, bool is_redirected) const {
  Transfer& t = *transfer_;
  t.set(CURLOPT_URL, request.address.c_str());
  t.set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  if (request.method == "POST") {
    t.set(CURLOPT_POSTFIELDS, request.body.c_str());
    t.set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  }
  t.set(CURLOPT_NOSIGNAL, 1L);
  t.set(CURLOPT_USERAGENT, "mxinfer");
  t.set(CURLOPT_ERRORBUFFER, t.message);
  const auto timeout = request.timeout.count();
  const auto connect = options_.connect_timeout.count();
  t.set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(timeout > 0 ? std::min(timeout, connect) : connect));
  if (timeout > 0) t.set(CURLOPT_TIMEOUT_MS, static_cast<long>(timeout));
  t.set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  const auto stall = std::chrono::ceil<std::chrono::seconds>(options_.stall_timeout).count();
  t.set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(stall));
  t.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);  // those of a proxy
  t.set(CURLOPT_HEADERFUNCTION, &Transfer::take_header);
  t.set(CURLOPT_HEADERDATA, transfer_.get());
  t.set(CURLOPT_WRITEFUNCTION, &Transfer::take_body);
  t.set(CURLOPT_WRITEDATA, transfer_.get());
  // A handle whose last transfer failed early still has its buffer and rejects a new one.
  static_cast<void>(t.curl.easy_setopt(t.handle, CURLOPT_BUFFERSIZE, 512L << 10));
  t.set(CURLOPT_OPENSOCKETFUNCTION, &Transfer::open_socket);
  t.set(CURLOPT_OPENSOCKETDATA, transfer_.get());
  t.set(CURLOPT_NOPROGRESS, 0L);
  t.set(CURLOPT_XFERINFOFUNCTION, &Transfer::report);
  t.set(CURLOPT_XFERINFODATA, transfer_.get());
  if (!request.uses_proxy) t.set(CURLOPT_PROXY, "");
  if (request.negotiates) {
    t.set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_NEGOTIATE));
    t.set(CURLOPT_USERPWD, ":");  // that of the ticket
  }
  // A connection of before was not looked at as this redirect's.
  if (is_redirected) t.set(CURLOPT_FRESH_CONNECT, 1L);
  // Like curl's command; the library itself ignores both.
  if (const char* file = std::getenv("SSL_CERT_FILE")) t.set(CURLOPT_CAINFO, file);
  if (const char* folder = std::getenv("SSL_CERT_DIR")) t.set(CURLOPT_CAPATH, folder);
  const auto [first, last] = request.range;
  const std::string range = std::to_string(first) + "-" + (last < 0 ? std::string() : std::to_string(last));
  if (first > 0 || last >= 0) t.set(CURLOPT_RANGE, range.c_str());
}

HttpResponse Http::send_once(const HttpRequest& request, bool is_redirected, HttpBody& body) {
  Transfer& t = *transfer_;
  t.curl.easy_reset(t.handle);  // connections stay
  t.body = &body;
  t.response = {};
  t.response.address = request.address;
  t.has_begun = false;
  t.follows = request.follows_redirects;
  t.is_redirected = is_redirected;
  t.refuses_private = !options_.allow_private_redirects;
  t.thrown = nullptr;
  t.is_enough = false;
  t.header_bytes = t.redirect_bytes = 0;
  t.refused.clear();
  t.message[0] = '\0';

  set_options(request, is_redirected);
  std::vector<std::string> headers = request.headers;
  headers.insert(headers.end(), request.conditions.begin(), request.conditions.end());
  const HeaderLines lines(t.curl, headers);
  if (lines.get() != nullptr) t.set(CURLOPT_HTTPHEADER, lines.get());

  const WithoutSigpipe without;
  const CURLcode code = t.curl.easy_perform(t.handle);
  if (t.is_enough) return t.response;
  if (t.thrown) std::rethrow_exception(t.thrown);
  const std::string where = printable(shown(request.address)) + kTrail;
  if (code == CURLE_ABORTED_BY_CALLBACK)
    fail(ErrorCode::cancelled, where, "it is no longer needed and was not fetched to its end");
  if (!t.refused.empty()) {
    fail(ErrorCode::network, where, "a redirect from a public address leads to the private one ", t.refused,
         "; if you trust the source of the addresses, allow it with RemoteOptions::allow_private_redirects");
  }
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code != CURLE_OK) {
    const std::string why = t.message[0] != '\0' ? t.message : t.curl.easy_strerror(code);
    if (t.proxy_status() == 407) fail(ErrorCode::network, where, "the server answered 407", kProxyAdvice);
    if (is_final(code, why)) {
      fail(ErrorCode::network, where, printable(why),
           code == CURLE_PEER_FAILED_VERIFICATION
               ? "; the environment variable SSL_CERT_FILE names a file with the certificates to trust"
               : "");
    }
    throw TransferBroke(printable(why), request.address);
  }
  t.was_private = (!is_redirected || t.was_private) && t.reached_private();
  if (!t.has_begun) throw TransferBroke("the server's response has no status", request.address);
  return t.response;
}

std::unique_ptr<Http> HttpPool::take() {
  {
    const std::lock_guard lock(mutex_);
    // Connections of the parent process belong to it and must not be closed here.
    if (forks_ != fork_count()) {
      for (auto& http : idle_) static_cast<void>(http.release());
      idle_.clear();
      forks_ = fork_count();
    }
    if (!idle_.empty()) {
      auto http = std::move(idle_.back());
      idle_.pop_back();
      return http;
    }
  }
  return std::make_unique<Http>(options_);
}

void HttpPool::give_back(std::unique_ptr<Http> http) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(http));
  } catch (...) {  // out of memory to keep it: release it
  }
}

}  // namespace mxinfer::sources
