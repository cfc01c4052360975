#include "sources/remote/fetch.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "sources/address.h"
#include "sources/remote/fetch_part.h"

namespace mxinfer::sources {
namespace {

/// If the first part arrived sooner, the connection is not limited by latency, and parallel parts would only
/// compete: that is above 160 MB/s.
constexpr std::chrono::milliseconds kFastPart{50};

bool is_same(const Validators& a, const Validators& b) {
  return a.etag == b.etag && a.last_modified == b.last_modified;
}

void fetch_one_of_rest(FetchJob& job, Http& http, std::int64_t first) {
  FetchPart part(job, {first, std::min(first + kFetchPart, job.file.size) - 1});
  const HttpResponse response = part.fetch(http, {});
  if (response.status == 206 || (response.status == 200 && job.context.origin.has_ranges_in_address()))
    return;
  const bool has_changed = response.status == 412 || response.status == 416 ||
                           job.context.origin.is_absent(response, part.words());
  if (has_changed) throw FileChanged();
  fail_refused(job.context.origin, job.address, response, part.words());
}

/// The parts from `begin` on, by so many threads, each with a connection; this one is one of them.
void fetch_rest(FetchJob& job, Http& http, std::int64_t begin, int connections) {
  std::atomic<std::int64_t> next_part{begin};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&](Http& own) {
    try {
      for (std::int64_t first = next_part.fetch_add(kFetchPart); first < job.file.size && !job.has_failed;
           first = next_part.fetch_add(kFetchPart)) {
        fetch_one_of_rest(job, own, first);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!job.has_failed.exchange(true)) thrown = std::current_exception();
    }
  };
  const std::int64_t parts = (job.file.size - begin + kFetchPart - 1) / kFetchPart;
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(connections));
  for (std::int64_t i = 1; i < std::min<std::int64_t>(connections, parts); ++i) {
    try {
      threads.emplace_back([&] {
        try {
          work(*HttpPool::Lease(job.context.pool));
        } catch (...) {  // no memory for a connection: the others do it
        }
      });
    } catch (...) {  // no thread: likewise
      break;
    }
  }
  work(http);
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

/// For origins whose responses describe the file: requests its first part.
Fetched fetch_by_response(FetchJob& job, const Validators& known) {
  const HttpPool::Lease http(job.context.pool);
  FetchPart first(job, {0, kFetchPart - 1});
  const auto start = std::chrono::steady_clock::now();
  const HttpResponse response = first.fetch(*http, known);
  const bool is_fast = std::chrono::steady_clock::now() - start < kFastPart;
  const bool has_asked = !known.etag.empty() || !known.last_modified.empty();
  if (response.status == 304 && has_asked) return {Fetched::Outcome::unchanged, {-1, known}};
  if (job.context.origin.is_absent(response, first.words())) return {Fetched::Outcome::absent};
  if (response.status != 200 && response.status != 206)
    fail_refused(job.context.origin, job.address, response, first.words());
  if (job.file.size < 0) job.file.size = first.next();
  if (first.next() < job.file.size)
    fetch_rest(job, *http, first.next(), is_fast ? 1 : job.context.options.connections);
  return {Fetched::Outcome::whole, job.file};
}

/// For origins that describe the file separately, before and after it is read.
Fetched fetch_by_status(FetchJob& job, const Validators& known) {
  const FetchContext& context = job.context;
  const FileStatus status = context.origin.status(context.pool, job.address);
  if (!status.is_there) return {Fetched::Outcome::absent};
  const bool has_copy = !known.etag.empty() || !known.last_modified.empty();
  if (has_copy && is_same(status.validators, known)) return {Fetched::Outcome::unchanged, {-1, known}};
  job.begin({status.size, status.validators});
  if (status.size > 0) fetch_rest(job, *HttpPool::Lease(context.pool), 0, context.options.connections);
  const FileStatus after = context.origin.status(context.pool, job.address);
  if (!after.is_there || !is_same(after.validators, status.validators)) throw FileChanged();
  return {Fetched::Outcome::whole, job.file};
}

/// Accepts the range only, and nothing else that a server may send instead.
class RangeBody final : public HttpBody {
 public:
  RangeBody(const Origin& origin, const FileVersion& file, const ByteRange& range)
      : origin_(origin), file_(file), range_(range) {}

  void begin(const HttpResponse& response) override {
    bytes.clear();
    const FileVersion now = described_file(response);
    const bool is_range = origin_.has_ranges_in_address()
                              ? response.status == 200
                              : response.status == 206 && first_byte_of(response) == range_.first &&
                                    is_same_version(now, file_);
    if (!is_range) throw FileChanged();
  }

  void add(Span<const std::byte> more) override {
    const auto most = static_cast<std::size_t>(range_.last - range_.first + 1);
    if (more.size() > most - bytes.size()) throw FileChanged();
    bytes.insert(bytes.end(), more.begin(), more.end());
  }

  std::vector<std::byte> bytes;

 private:
  const Origin& origin_;
  const FileVersion& file_;
  const ByteRange& range_;
};

}  // namespace

Fetched Fetch::into(FetchSink& sink, const Validators& known) {
  CallContext call = call_context();
  call.cancelled = &cancelled_;  // what the origin asks by itself sees it there
  const CallScope scope(call);
  for (int attempt = 0; attempt <= 2; ++attempt) {
    FetchJob job{context_, address_, sink, cancelled_};
    try {
      return context_.origin.has_ranges_in_address() ? fetch_by_status(job, known)
                                                     : fetch_by_response(job, known);
    } catch (const FileChanged&) {  // from its beginning
    }
  }
  fail(ErrorCode::network, printable(shown(address_)), kTrail,
       "the file on the server changed three times while it was fetched; fetch it when it is not being "
       "written");
}

std::vector<std::byte> Fetch::ahead(const FileVersion& file, const ByteRange& range) {
  RangeBody body(context_.origin, file, range);
  try {
    HttpRequest request = context_.origin.read_request(address_, range);
    const std::string validator = range_validator(file.validators);
    if (!context_.origin.has_ranges_in_address() && !validator.empty())
      request.conditions.push_back("If-Range: " + validator);
    HttpPool::Lease(context_.pool)->send(request, body, &cancelled_);
    return std::move(body.bytes);
  } catch (const TransferBroke&) {  // it comes in its turn
  } catch (const FileChanged&) {
  }
  return {};
}

}  // namespace mxinfer::sources
