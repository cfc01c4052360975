// ReadAhead: reads the small files of a list in advance, on several threads, so that computing threads do not
// wait for the network.
//
//   ReadAhead ahead(opener, addresses);
//   for (auto files = ahead.next(); !files.empty(); files = ahead.next())
//     for (const ReadFile& file : files) ... file.index, file.bytes or file.error ...
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sources/opener.h"

namespace mxinfer::sources {

struct ReadFile {
  std::size_t index = 0;  ///< in the list
  std::vector<std::byte> bytes{};
  std::exception_ptr error{};  ///< what Opener::read() threw
};

/// Reads one file; exceptions go into the result.
ReadFile try_read(const Opener& opener, const std::string& place, std::size_t index = 0);

/// For one thread.
class ReadAhead {
 public:
  /// Both outlive it. Reads on RemoteOptions::connections threads, and holds at most four files for each.
  ReadAhead(const Opener& opener, const std::vector<std::string>& places);
  /// Waits for reads in progress.
  ~ReadAhead();
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// The files read since the last call, in any order; waits for at least one. Empty once all have been
  /// returned. Throws Error(cancelled) if the call that this thread is in was cancelled.
  std::vector<ReadFile> next();
  /// Starts no further reads.
  void stop();

 private:
  void start_threads();
  void work();
  [[nodiscard]] bool has_begun_all() const { return begun_ == places_.size(); }

  const Opener& opener_;
  const std::vector<std::string>& places_;
  std::size_t most_held_;
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::condition_variable has_room_, has_files_;
  std::size_t begun_ = 0;
  std::size_t held_ = 0;  ///< begun, and not given yet
  std::vector<ReadFile> ready_;
  std::vector<std::thread> threads_;
};

}  // namespace mxinfer::sources
