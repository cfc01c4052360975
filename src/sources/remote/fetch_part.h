// FetchPart: one part of a file, over several tries.
//
//   FetchJob job{context, address, sink, is_cancelled};
//   FetchPart part(job, {0, kFetchPart - 1});
//   const HttpResponse response = part.fetch(*lease, known);
//
// Internal to Fetch.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "sources/remote/fetch.h"

namespace mxinfer::sources {

/// Large enough that the cost of requests is negligible, small enough that a broken part is quickly fetched
/// again.
constexpr std::int64_t kFetchPart = std::int64_t{8} << 20;

/// The file on the server differs from that of earlier parts, or another part has failed.
struct FileChanged {};

/// What a fetch has in common over all of its parts.
struct FetchJob {
  const FetchContext& context;
  const std::string& address;
  FetchSink& sink;
  const std::atomic<bool>& is_cancelled;
  FileVersion file{};
  std::atomic<bool> has_failed{false};
  std::atomic<std::int64_t> fetched{0};
  std::mutex progress_mutex{};

  void begin(const FileVersion& found);
  void advance(std::int64_t bytes);
  /// Throws Error(invalid_argument).
  void check_size(std::int64_t bytes) const;
};

/// Whether ranges of the two can be put together.
bool is_same_version(const FileVersion& a, const FileVersion& b);
/// The validator that ranges are asked for with: those of a weak ETag may differ in bytes.
std::string range_validator(const Validators& validators);
/// The first byte of "bytes 8388608-16777215/102400000"; -1 if there is none.
std::int64_t first_byte_of(const HttpResponse& response);
FileVersion described_file(const HttpResponse& response);

class FetchPart final : public HttpBody {
 public:
  FetchPart(FetchJob& job, const ByteRange& range) : job_(job), range_(range), next_(range.first) {}

  /// The response of the last try, with any status. Throws FileChanged, Error(network).
  HttpResponse fetch(Http& http, const Validators& known);
  [[nodiscard]] std::int64_t next() const { return next_; }
  [[nodiscard]] const std::string& words() const { return words_.text; }

  void begin(const HttpResponse& response) override;
  void add(Span<const std::byte> bytes) override;

 private:
  [[nodiscard]] HttpRequest request(const Validators& known) const;
  [[nodiscard]] bool is_complete(bool is_broken) const;
  void check_same_file(const FileVersion& now) const;
  void begin_whole();
  void flush();

  FetchJob& job_;
  ByteRange range_;
  std::int64_t next_;
  HttpResponse response_;
  bool takes_ = false;
  std::vector<std::byte> received_;  ///< the last bytes in front of next_, not yet in the sink
  bool is_whole_ = false;            ///< the server ignores ranges and sends the whole file
  Collected words_{std::size_t{64} << 10};
};

}  // namespace mxinfer::sources
