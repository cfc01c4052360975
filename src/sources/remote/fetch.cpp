#include "sources/remote/fetch.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/remote/http.h"

namespace mxinfer::sources {
namespace {

/// Large enough that a request more costs nothing, small enough that one that broke is soon had again.
constexpr std::int64_t kPart = std::int64_t{8} << 20;
constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause{30'000};
constexpr std::size_t kWordsOfServer = 2000;

/// The file on the server is not the one of the parts before.
struct FileChanged {};

/// What one fetch has in common over all of its parts.
struct Job {
  const RemoteOptions& options;
  const TemporaryFile& file;
  const FetchRequest& request;
  std::atomic<std::int64_t> fetched{0};
  std::atomic<bool> has_failed{false};
  std::mutex progress_mutex{};
  std::int64_t size = -1;
  Validators validators{};

  void advance(std::int64_t bytes) {
    fetched += bytes;
    if (!options.progress) return;
    const std::lock_guard lock(progress_mutex);
    try {
      options.progress(shown(request.address), fetched, size);
    } catch (...) {  // the header says that it is dropped
    }
  }
};

bool is_strong(const std::string& etag) {
  return !etag.empty() && !etag.starts_with("W/");
}

std::string validator_of(const Validators& validators) {
  return is_strong(validators.etag) ? validators.etag : validators.last_modified;
}

/// "the server answered 403: <Error>AccessDenied</Error>; ..."
std::string refusal(const HttpResponse& response, const std::string& words) {
  std::string text = concat("the server answered ", response.status);
  if (!words.empty()) text += ": " + printable(words);
  if (response.status == 401 || response.status == 403) {
    text +=
        "; it wants other credentials, or lets these not read it (RemoteOptions::headers; a signed address "
        "may have expired)";
  } else if (response.status == 407) {
    text += "; the proxy wants a name and a password, as in http_proxy=http://NAME:PASSWORD@HOST:PORT";
  } else if (may_succeed_later(response.status)) {
    text += "; the server or what is in front of it is overloaded or broken: try again later";
  }
  return text;
}

/// First byte of "bytes 8388608-16777215/102400000"; -1 if there is none.
std::int64_t first_byte(const HttpResponse& response) {
  const std::string range = response.header("content-range");
  constexpr std::string_view kUnit = "bytes ";
  if (!range.starts_with(kUnit)) return -1;
  std::int64_t first = -1;
  std::from_chars(range.data() + kUnit.size(), range.data() + range.size(), first);
  return first;
}

/// One part of the file, over several tries.
class Part final : public HttpBody {
 public:
  Part(Job& job, std::int64_t first, std::int64_t last)
      : job_(job), first_(first), next_(first), last_(last) {}

  void begin(const HttpResponse& response) override {
    words_.text.clear();
    takes_ = response.status == 200 || response.status == 206;
    if (!takes_) return;
    const Validators now{response.header("etag"), response.header("last-modified")};
    const std::int64_t size = response.whole_size();
    if (size > job_.options.max_file_bytes) {
      fail(ErrorCode::invalid_argument, printable(shown(job_.request.address)), kTrail, "it has ", size,
           " bytes, more than RemoteOptions::max_file_bytes, ", job_.options.max_file_bytes);
    }
    if (first_ > 0 || next_ > first_) {
      const bool same = validator_of(now) == validator_of(job_.validators) && size == job_.size;
      if (!same) throw FileChanged();
    }
    if (response.status == 200) {
      if (first_ > 0) throw FileChanged();
      job_.advance(-(next_ - first_));
      next_ = 0;  // the server sends all of it again
      is_whole_ = true;
    } else if (first_byte(response) != next_) {
      fail(ErrorCode::network, printable(shown(job_.request.address)), kTrail, "bytes from ", next_,
           " on were asked for, and the server sends '", printable(response.header("content-range")), "'");
    }
    if (first_ == 0) {
      job_.validators = now;
      job_.size = size;
    }
  }

  void add(Span<const std::byte> bytes) override {
    if (!takes_) return words_.add(bytes);
    if (job_.has_failed) throw FileChanged();  // another part has: nobody wants this one
    if (next_ + static_cast<std::int64_t>(bytes.size()) > job_.options.max_file_bytes) {
      fail(ErrorCode::invalid_argument, printable(shown(job_.request.address)), kTrail,
           "it has more bytes than RemoteOptions::max_file_bytes, ", job_.options.max_file_bytes);
    }
    job_.file.write_at(next_, bytes);
    next_ += static_cast<std::int64_t>(bytes.size());
    job_.advance(static_cast<std::int64_t>(bytes.size()));
  }

  [[nodiscard]] std::int64_t next() const { return next_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  [[nodiscard]] bool is_whole() const { return is_whole_; }
  [[nodiscard]] const std::string& words() const { return words_.text; }
  void ask_for_whole() { last_ = -1; }

 private:
  Job& job_;
  std::int64_t first_, next_, last_;
  bool takes_ = false;
  bool is_whole_ = false;
  Collected words_{kWordsOfServer};
};

std::chrono::milliseconds asked_pause(const HttpResponse& response) {
  const std::string text = response.header("retry-after");
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return std::chrono::milliseconds(error == std::errc() && seconds > 0 ? std::min(seconds, 3600) * 1000 : 0);
}

/// Twice as long each time, by chance up to half shorter: callers that failed together come back apart.
void pause_before(int attempt, std::chrono::milliseconds asked) {
  auto pause = std::min(kFirstPause * (1 << std::min(attempt, 10)), kLongestPause);
  std::minstd_rand random(static_cast<unsigned>(std::chrono::steady_clock::now().time_since_epoch().count()) ^
                          static_cast<unsigned>(std::hash<std::thread::id>()(std::this_thread::get_id())));
  pause = pause / 2 + std::chrono::milliseconds(random() % static_cast<unsigned>(pause.count() / 2 + 1));
  std::this_thread::sleep_for(std::min(std::max(pause, asked), kLongestPause));
}

HttpRequest request_of(const Job& job, const Part& part, const Validators& known) {
  HttpRequest request{job.request.address, job.request.headers};
  request.range = {part.next(), part.last()};
  const bool is_first_try = part.next() == 0;
  if (is_first_try && !known.etag.empty()) request.headers.push_back("If-None-Match: " + known.etag);
  if (is_first_try && known.etag.empty() && !known.last_modified.empty())
    request.headers.push_back("If-Modified-Since: " + known.last_modified);
  // What has changed comes whole, and is seen to have.
  const std::string validator = validator_of(job.validators);
  if (!is_first_try && !validator.empty()) request.headers.push_back("If-Range: " + validator);
  return request;
}

/// Whether the response is whole, by its length.
bool is_complete(const Job& job, const Part& part) {
  const std::int64_t end =
      part.last() < 0 || part.is_whole() ? job.size : std::min(part.last() + 1, job.size);
  return job.size < 0 || part.next() == end;
}

/// Fetches one part. The response of the last try, whatever its status.
HttpResponse fetch_part(Http& http, Job& job, Part& part, const Validators& known) {
  for (int attempt = 0;; ++attempt) {
    std::string why;
    std::chrono::milliseconds asked{0};
    const std::int64_t before = part.next();
    try {
      HttpResponse response = http.send(request_of(job, part, known), part);
      const bool has_bytes = response.status == 200 || response.status == 206;
      // An empty file has no first byte to ask for.
      if (response.status == 416 && part.next() == 0 && part.last() >= 0) {
        part.ask_for_whole();
        continue;
      }
      if (has_bytes && is_complete(job, part)) return response;
      if (!has_bytes && !may_succeed_later(response.status)) return response;
      why = has_bytes ? "the connection ended in the middle" : refusal(response, part.words());
      asked = asked_pause(response);
    } catch (const TransferBroke& e) {
      why = e.what();
    }
    if (part.next() > before) {  // what gets on is not stuck
      attempt = -1;
      continue;
    }
    if (attempt >= job.options.retries) {
      fail(ErrorCode::network, printable(shown(job.request.address)), kTrail, why, "; it was tried ",
           attempt + 1, attempt == 0 ? " time" : " times");
    }
    pause_before(attempt, asked);
  }
}

/// The parts behind the first, by as many threads as there are connections; this one is one of them.
void fetch_rest(Http& http, Job& job) {
  std::atomic<std::int64_t> next_part{kPart};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&](Http& own) {
    try {
      for (std::int64_t first = next_part.fetch_add(kPart); first < job.size && !job.has_failed;
           first = next_part.fetch_add(kPart)) {
        Part part(job, first, std::min(first + kPart, job.size) - 1);
        const HttpResponse response = fetch_part(own, job, part, {});
        if (response.status == 206) continue;
        if (response.status == 404 || response.status == 412 || response.status == 416) throw FileChanged();
        fail(ErrorCode::network, printable(shown(job.request.address)), kTrail,
             refusal(response, part.words()));
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!job.has_failed.exchange(true)) thrown = std::current_exception();
    }
  };
  const auto parts = (job.size - 1) / kPart;
  std::vector<std::thread> threads;
  for (std::int64_t i = 1; i < std::min<std::int64_t>(job.options.connections, parts); ++i) {
    try {
      threads.emplace_back([&] {
        try {
          Http own(job.options);
          work(own);
        } catch (...) {  // no memory for a connection: the others do it
        }
      });
    } catch (const std::system_error&) {  // no thread: likewise
      break;
    }
  }
  work(http);
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

Fetched fetch_once(Job& job, const Validators& known) {
  Http http(job.options);
  Part first(job, 0, kPart - 1);
  const HttpResponse response = fetch_part(http, job, first, known);
  if (response.status == 304) return {Fetched::Outcome::unchanged, 0, known};
  if (response.status == 404 || response.status == 410) return {Fetched::Outcome::absent, 0, {}};
  if (response.status != 200 && response.status != 206)
    fail(ErrorCode::network, printable(shown(job.request.address)), kTrail, refusal(response, first.words()));
  if (job.size < 0) job.size = first.next();
  if (first.next() < job.size) fetch_rest(http, job);
  job.file.cut_to(job.size);
  return {Fetched::Outcome::whole, job.size, job.validators};
}

}  // namespace

Fetched Fetch::into(const TemporaryFile& file, const FetchRequest& request, const Validators& known) const {
  for (int attempt = 0; attempt <= 2; ++attempt) {
    Job job{options_, file, request};
    try {
      return fetch_once(job, known);
    } catch (const FileChanged&) {
      file.cut_to(0);
    }
  }
  fail(
      ErrorCode::network, printable(shown(request.address)), kTrail,
      "the file on the server changed while it was fetched, three times; fetch it when it is not written to");
}

}  // namespace mxinfer::sources
