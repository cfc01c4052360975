#include "sources/read_ahead.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/threads/call_context.h"

namespace mxinfer::sources {
namespace {

constexpr std::size_t kHeldForEach = 4;
/// How soon a cancellation is noticed.
constexpr std::chrono::milliseconds kSlice{50};

}  // namespace

ReadFile try_read(const Opener& opener, const std::string& place, std::size_t index) {
  ReadFile file{index};
  try {
    file.bytes = opener.read(place);
  } catch (...) {
    file.error = std::current_exception();
  }
  return file;
}

ReadAhead::ReadAhead(const Opener& opener, const std::vector<std::string>& places)
    : opener_(opener), places_(places) {
  const auto connections = static_cast<std::size_t>(std::max(opener.remote().connections, 1));
  most_held_ = kHeldForEach * std::min(connections, places.size());
  ready_.reserve(most_held_);
  start_threads();
}

ReadAhead::~ReadAhead() {
  ends_ = true;
  stop();
  for (std::thread& thread : threads_) thread.join();
}

/// next() itself reads a single file, and all files if the system refuses threads.
void ReadAhead::start_threads() {
  if (places_.size() < 2) return;
  try {
    threads_.reserve(most_held_ / kHeldForEach);
    while (threads_.size() < most_held_ / kHeldForEach) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
  } catch (...) {
    stop();
    for (std::thread& thread : threads_) thread.join();
    throw;
  }
}

void ReadAhead::work() {
  CallContext context;
  context.cancelled = &ends_;
  const CallScope scope(context);
  std::unique_lock lock(mutex_);
  for (;;) {
    has_room_.wait(lock, [&] { return has_begun_all() || held_ < most_held_; });
    if (has_begun_all()) return;
    const std::size_t index = begun_++;
    ++held_;
    lock.unlock();
    ReadFile file = try_read(opener_, places_[index], index);
    lock.lock();
    ready_.push_back(std::move(file));
    has_files_.notify_one();
  }
}

std::vector<ReadFile> ReadAhead::next() {
  std::vector<ReadFile> files;
  std::unique_lock lock(mutex_);
  if (threads_.empty()) {
    if (!has_begun_all()) {
      files.push_back(try_read(opener_, places_[begun_], begun_));
      ++begun_;
    }
    return files;
  }
  while (ready_.empty() && !(has_begun_all() && held_ == 0)) {
    has_files_.wait_for(lock, kSlice);
    throw_if_cancelled();
  }
  files.reserve(most_held_);
  files.swap(ready_);
  held_ -= files.size();
  has_room_.notify_all();
  return files;
}

void ReadAhead::stop() {
  const std::lock_guard lock(mutex_);
  begun_ = places_.size();
  has_room_.notify_all();
}

}  // namespace mxinfer::sources
