#include "sources/remote/fetch_part.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/fail.h"
#include "sources/address.h"
#include "sources/remote/http/retry.h"

namespace mxinfer::sources {
namespace {

/// libcurl delivers 16 KiB at a time; writing larger pieces takes half the time.
constexpr std::size_t kWritten = 256 << 10;

/// Files with the same weak ETag may differ in bytes.
bool has_strong_etag(const Validators& validators) {
  return !validators.etag.empty() && !validators.etag.starts_with("W/");
}

}  // namespace

void FetchJob::begin(const FileVersion& found) {
  if (found.size >= 0) check_size(found.size);
  file = found;
  sink.begin(file);
}

void FetchJob::advance(std::int64_t bytes) {
  fetched += bytes;
  if (!context.options.progress) return;
  const std::lock_guard lock(progress_mutex);
  try {
    context.options.progress(shown(address), fetched, file.size);
  } catch (...) {  // the header says that it is dropped
  }
}

void FetchJob::check_size(std::int64_t bytes) const {
  if (bytes <= context.options.max_file_bytes) return;
  fail(ErrorCode::invalid_argument, printable(shown(address)), kTrail, "it has ", bytes,
       " bytes or more, but RemoteOptions::max_file_bytes allows ", context.options.max_file_bytes);
}

std::string range_validator(const Validators& validators) {
  return has_strong_etag(validators) ? validators.etag : validators.last_modified;
}

std::int64_t first_byte_of(const HttpResponse& response) {
  const std::string range = response.header("content-range");
  constexpr std::string_view kUnit = "bytes ";
  if (!range.starts_with(kUnit)) return -1;
  std::int64_t first = -1;
  std::from_chars(range.data() + kUnit.size(), range.data() + range.size(), first);
  return first;
}

FileVersion described_file(const HttpResponse& response) {
  const std::string encoding = response.header("content-encoding");
  return {response.whole_size(),
          {response.header("etag"), response.header("last-modified")},
          encoding == "identity" ? std::string() : encoding};
}

bool is_same_version(const FileVersion& a, const FileVersion& b) {
  if (a.size != b.size || a.validators.etag != b.validators.etag) return false;
  return has_strong_etag(a.validators) || a.validators.last_modified == b.validators.last_modified;
}

void FetchPart::check_same_file(const FileVersion& now) const {
  if (!is_same_version(now, job_.file)) throw FileChanged();
}

void FetchPart::begin(const HttpResponse& response) {
  words_.text.clear();
  response_ = response;
  takes_ = response.status == 200 || response.status == 206;
  if (!takes_ || job_.context.origin.has_ranges_in_address()) return;
  const FileVersion now = described_file(response);
  const bool is_first = next_ == 0;
  if (!is_first) check_same_file(now);
  if (response.status == 206 && now.size < 0) {
    fail(ErrorCode::network, printable(shown(job_.address)), kTrail,
         "the server sends a part of the file but not the total size: '",
         printable(response.header("content-range")), "'");
  }
  if (response.status == 200) {
    begin_whole();
  } else if (first_byte_of(response) != next_) {
    fail(ErrorCode::network, printable(shown(job_.address)), kTrail, "bytes from ", next_,
         " on were requested, but the server sends '", printable(response.header("content-range")), "'");
  }
  if (is_first) job_.begin(now);
}

/// The server sends all of it again.
void FetchPart::begin_whole() {
  if (range_.first > 0) throw FileChanged();
  job_.advance(-next_);
  next_ = 0;
  is_whole_ = true;
}

void FetchPart::add(Span<const std::byte> bytes) {
  if (!takes_) return words_.add(bytes);
  if (job_.has_failed) throw FileChanged();  // this part is no longer needed
  const auto count = static_cast<std::int64_t>(bytes.size());
  job_.check_size(next_ + count);
  // Bytes beyond the request are ignored.
  if (!is_whole_ && range_.last >= 0 && next_ + count > range_.last + 1) throw FileChanged();
  received_.insert(received_.end(), bytes.begin(), bytes.end());
  next_ += count;
  if (received_.size() >= kWritten) flush();
}

void FetchPart::flush() {
  if (received_.empty()) return;
  const auto count = static_cast<std::int64_t>(received_.size());
  job_.sink.write_at(next_ - count, {received_.data(), received_.size()});
  received_.clear();
  job_.advance(count);
}

HttpRequest FetchPart::request(const Validators& known) const {
  HttpRequest request = job_.context.origin.read_request(job_.address, {next_, range_.last});
  if (job_.context.origin.has_ranges_in_address()) return request;
  const bool is_first = next_ == 0;
  if (is_first && !known.etag.empty()) request.conditions.push_back("If-None-Match: " + known.etag);
  if (is_first && known.etag.empty() && !known.last_modified.empty())
    request.conditions.push_back("If-Modified-Since: " + known.last_modified);
  // What has changed comes whole, and is seen to have.
  const std::string validator = range_validator(job_.file.validators);
  if (!is_first && !validator.empty()) request.conditions.push_back("If-Range: " + validator);
  return request;
}

/// Whether everything has arrived, by the file's size or, if that is unknown, by the connection's end.
bool FetchPart::is_complete(bool is_broken) const {
  const std::int64_t size = job_.file.size;
  const std::int64_t end = range_.last < 0 || is_whole_ ? size : std::min(range_.last + 1, size);
  return size < 0 ? !is_broken : next_ == end;
}

HttpResponse FetchPart::fetch(Http& http, const Validators& known) {
  const Origin& origin = job_.context.origin;
  Retries retries(job_.context.options, job_.address, &job_.is_cancelled);
  for (;;) {
    const std::int64_t before = next_;
    takes_ = false;
    std::string why;
    HttpResponse response;
    try {
      response = http.send(request(known), *this, &job_.is_cancelled);
      flush();
      // An empty file has no first byte to request.
      if (response.status == 416 && next_ == 0 && range_.last >= 0) {
        range_.last = -1;
        continue;
      }
      if (response.status == 304 || origin.is_absent(response, words())) return response;
      if (takes_ && is_complete(false)) return response;
      if (const auto pause = takes_ ? std::nullopt : origin.learn(job_.address, response, words())) {
        retries.pause(*pause);
        continue;
      }
      if (!takes_ && !may_succeed_later(response.status)) return response;
      why = takes_ ? "the connection ended in the middle"
                   : concat("the server answered ", response.status,
                            origin.advice(job_.address, response, words()));
    } catch (const TransferBroke& e) {
      flush();
      if (takes_ && is_complete(true)) return response_;  // it was to be longer than what was asked for
      why = e.what();
      if (const auto pause =
              next_ == before ? origin.learn(job_.address, {0, {}, e.address()}, why) : std::nullopt) {
        retries.pause(*pause);
        continue;
      }
    }
    // Does not continue a file that cannot be told from another version.
    const bool has_version =
        !job_.file.validators.etag.empty() || !job_.file.validators.last_modified.empty();
    if (next_ > 0 && !has_version && !origin.has_ranges_in_address()) throw FileChanged();
    if (next_ > before) {  // what gets on is not stuck
      retries.succeeded();
    } else {
      retries.pause_or_fail(why, asked_pause(response));
    }
  }
}

}  // namespace mxinfer::sources
