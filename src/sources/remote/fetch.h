// Fetch: fetches an address into a sink, in parts, several at a time. Each part is retried from where it
// broke off.
//
//   Fetch fetch({options, pool, origin}, "https://models.example/digits-0000.params");
//   const Fetched fetched = fetch.into(sink, validators_of_the_copy);
#pragma once

#include <mxinfer/remote_options.h>
#include <mxinfer/span.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sources/remote/origin.h"

namespace mxinfer::sources {

/// What is known about a file when its first bytes arrive.
struct FileVersion {
  std::int64_t size = -1;  ///< -1: the server does not say
  Validators validators{};
  std::string content_encoding{};  ///< "gzip": the file is stored packed; empty: as it is
};

/// The destination of bytes. Several threads write different parts; an exception of the sink ends the fetch.
class FetchSink {
 public:
  virtual ~FetchSink() = default;
  /// Called before the first bytes, and again if the file changed meanwhile and is fetched anew.
  virtual void begin(const FileVersion& file) = 0;
  virtual void write_at(std::int64_t offset, Span<const std::byte> bytes) = 0;
};

struct Fetched {
  enum class Outcome { whole, unchanged, absent };
  Outcome outcome = Outcome::whole;
  FileVersion file{};  ///< with its size, if it is whole
};

/// The data shared by fetches; it outlives them.
struct FetchContext {
  const RemoteOptions& options;
  HttpPool& pool;
  const Origin& origin;
};

/// Of one file. cancel() and ahead() may be called while into() runs on another thread.
class Fetch {
 public:
  /// `cancelled`, if it is there, cancels too, and outlives the fetch.
  Fetch(const FetchContext& context, std::string address, const std::atomic<bool>* cancelled = nullptr)
      : context_(context),
        address_(std::move(address)),
        cancelled_(cancelled == nullptr ? is_cancelled_ : *cancelled) {}

  /// `known`: of the copy that is there; empty, if there is none. Throws Error(network) with the server's
  /// status and text, or with the error of the last try; Error(invalid_argument) if the file is too large;
  /// Error(cancelled); and what the sink throws.
  Fetched into(FetchSink& sink, const Validators& known);
  /// A range of the file, at once and by a request of its own; shorter or empty if the server does not send
  /// it. Precondition: the sink has begun with this file.
  std::vector<std::byte> ahead(const FileVersion& file, const ByteRange& range);
  /// into() ends soon. Precondition: the constructor was given no other way.
  void cancel() { is_cancelled_ = true; }

 private:
  FetchContext context_;
  std::string address_;
  std::atomic<bool> is_cancelled_{false};
  const std::atomic<bool>& cancelled_;
};

}  // namespace mxinfer::sources
