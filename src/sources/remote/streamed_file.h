// StreamedFile: a file that is read while it is fetched. Readers wait until the bytes have arrived; small
// pieces far ahead, such as the headers of arrays, are requested separately.
//
//   auto file = std::make_unique<StreamedFile>(context, address, folder, known, keep);
//   if (file->wait_for_start() == Fetched::Outcome::whole) file->read(0, header, sizeof header);
#pragma once

#include <mxinfer/error.h>
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "sources/remote/arrived_ranges.h"
#include "sources/remote/copies/temporary_file.h"
#include "sources/remote/fetch.h"
#include "sources/source.h"

namespace mxinfer::sources {

class StreamedFile final : public Source, private FetchSink {
 public:
  /// Called on the fetching thread when the file is complete or has failed, then without a file. It may
  /// rename the file.
  using End = std::function<void(TemporaryFile&, const std::optional<Fetched>&)>;

  /// Starts fetching on its own thread. The context must outlive it. Without `end` the file has no name.
  StreamedFile(const FetchContext& context, const std::string& address, const std::string& folder,
               const Validators& known, End end);
  /// Ends the fetch, if it runs.
  ~StreamedFile() override;

  /// Waits for the outcome of the fetch's start; throws its error.
  Fetched::Outcome wait_for_start();
  /// Precondition: wait_for_start() said whole. Whether it is whole, or may be read from now on while it
  /// comes, as files of so many bytes or more may; the file may not change then any more.
  bool may_be_read(std::int64_t least_bytes);
  /// Ends the fetch, if it runs; the file is not kept.
  void discard() const override;
  /// Waits until the file is complete.
  void wait_for_end() const;

  const std::string& name() const override { return name_; }
  std::int64_t size() const override { return file_.size; }
  /// Of the file that is kept; waits until it is there.
  std::string path() const override;
  /// Throws Error(network) if the rest could not be fetched; Error(unsupported) in a child of the fetching
  /// process, where no thread fetches.
  void read(std::int64_t offset, void* dst, std::size_t bytes) const override;
  bool is_at_hand(std::int64_t offset, std::size_t bytes) const override;

 private:
  void begin(const FileVersion& file) override;
  void write_at(std::int64_t offset, Span<const std::byte> bytes) override;

  void run(const Validators& known);
  void store_whole(FileVersion& file);
  void finish(const std::optional<Fetched>& fetched, std::exception_ptr failure);
  void wait_until_there(std::int64_t begin, std::int64_t end) const;
  void ask_ahead(std::int64_t begin) const;
  [[noreturn]] void rethrow() const;
  Error changed_meanwhile() const;

  std::string name_;
  TemporaryFile stored_;
  mutable Fetch fetch_;
  End end_;
  FileVersion file_;
  std::int64_t most_bytes_;
  bool comes_verified_;  ///< each part is seen to be of the same file
  pid_t process_;
  mutable std::atomic<bool> is_discarded_{false};

  struct Waiting {
    std::mutex mutex;
    std::condition_variable changed;
  };
  std::unique_ptr<Waiting> waiting_ = std::make_unique<Waiting>();
  std::mutex& mutex_ = waiting_->mutex;
  std::condition_variable& changed_ = waiting_->changed;
  mutable ArrivedRanges arrived_;
  bool is_given_out_ = false;  ///< somebody reads it, and has its size
  bool has_begun_ = false;
  std::optional<Fetched> fetched_;
  std::exception_ptr failure_;
  std::atomic<bool> is_whole_{false};  ///< no lock is needed any more
  std::thread thread_;
};

}  // namespace mxinfer::sources
