#include "sources/remote/streamed_file.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/threads/background.h"
#include "base/threads/call_context.h"
#include "sources/address.h"
#include "sources/remote/http/content_encoding.h"

namespace mxinfer::sources {
namespace {

/// The size of a request ahead of its turn: a header and small arrays behind it.
constexpr std::int64_t kAhead = 64 << 10;
/// Within this distance behind an arriving part, waits instead of requesting.
constexpr std::int64_t kNear = 256 << 10;
/// How often a waiting reader checks for cancellation.
constexpr std::chrono::milliseconds kBetweenLooks{50};

}  // namespace

StreamedFile::StreamedFile(const FetchContext& context, const std::string& address, const std::string& folder,
                           const Validators& known, End end)
    : name_(printable(shown(address))),
      stored_(folder),
      fetch_(context, address),
      end_(std::move(end)),
      most_bytes_(context.options.max_file_bytes),
      comes_verified_(!context.origin.has_ranges_in_address()),
      process_(::getpid()) {
  if (!end_) stored_.drop_name();
  const BlockedSignals blocked;
  thread_ = std::thread([this, known] { run(known); });
}

StreamedFile::~StreamedFile() {
  if (process_ != ::getpid()) {  // a child's copy: the thread does not exist here
    thread_.detach();
    static_cast<void>(waiting_.release());  // threads that are not here may wait in it
    return;
  }
  fetch_.cancel();
  thread_.join();
}

void StreamedFile::run(const Validators& known) {
  try {
    Fetched fetched = fetch_.into(*this, known);
    if (fetched.outcome == Fetched::Outcome::whole) store_whole(fetched.file);
    if (end_) end_(stored_, is_discarded_ ? std::nullopt : std::optional<Fetched>(fetched));
    end_ = nullptr;
    finish(fetched, nullptr);
  } catch (...) {
    const std::exception_ptr failure = std::current_exception();
    try {
      if (end_) end_(stored_, std::nullopt);
    } catch (...) {  // the first failure is the one to tell
    }
    end_ = nullptr;
    finish(std::nullopt, failure);
  }
}

void StreamedFile::store_whole(FileVersion& file) {
  stored_.cut_to(file.size);
  if (file.content_encoding.empty()) return;
  file.size = decode(stored_, file.size, most_bytes_, name_);
  file.content_encoding.clear();
}

void StreamedFile::finish(const std::optional<Fetched>& fetched, std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  fetched_ = fetched;
  failure_ = std::move(failure);
  if (fetched && fetched->outcome == Fetched::Outcome::whole) {
    if (!has_begun_) file_ = fetched->file;
    is_whole_ = true;
  } else if (fetched && has_begun_) {  // it was there a moment ago
    failure_ = std::make_exception_ptr(changed_meanwhile());
  }
  changed_.notify_all();
}

Error StreamedFile::changed_meanwhile() const {
  return {
      ErrorCode::network,
      concat(name_, kTrail, "the file on the server changed while it was fetched and read; load it again")};
}

void StreamedFile::begin(const FileVersion& file) {
  const std::lock_guard lock(mutex_);
  if (is_given_out_) throw changed_meanwhile();
  require_known_encoding(file.content_encoding, name_);
  stored_.cut_to(0);
  stored_.reserve(file.size);
  arrived_ = {};
  file_ = file;
  // Files that are compressed, of unknown size, or verified only at their end are read when complete.
  has_begun_ = comes_verified_ && file.size >= 0 && file.content_encoding.empty();
  changed_.notify_all();
}

void StreamedFile::write_at(std::int64_t offset, Span<const std::byte> bytes) {
  stored_.write_at(offset, bytes);
  const std::lock_guard lock(mutex_);
  arrived_.add(offset, offset + static_cast<std::int64_t>(bytes.size()), true);
  changed_.notify_all();
}

// std::exception_ptr is of the thread that failed: its object is shared, and what() is only read.
void StreamedFile::rethrow() const {
  std::rethrow_exception(failure_);
}

Fetched::Outcome StreamedFile::wait_for_start() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_begun_ || fetched_ || failure_; });
  if (failure_) rethrow();
  return fetched_ ? fetched_->outcome : Fetched::Outcome::whole;
}

bool StreamedFile::may_be_read(std::int64_t least_bytes) {
  const std::lock_guard lock(mutex_);
  if (fetched_ || failure_) return true;
  if (!has_begun_ || file_.size < least_bytes) return false;
  is_given_out_ = true;
  return true;
}

void StreamedFile::wait_for_end() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return fetched_ || failure_; });
  if (failure_) rethrow();
}

void StreamedFile::discard() const {
  if (process_ != ::getpid()) return;
  is_discarded_ = true;
  fetch_.cancel();
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return fetched_ || failure_; });
}

std::string StreamedFile::path() const {
  if (process_ != ::getpid()) return {};
  wait_for_end();
  return stored_.is_kept() ? stored_.path() : std::string();
}

void StreamedFile::read(std::int64_t offset, void* dst, std::size_t bytes) const {
  check_range(offset, bytes);
  if (bytes == 0) return;
  if (!is_whole_) wait_until_there(offset, offset + static_cast<std::int64_t>(bytes));
  stored_.read_at(offset, dst, bytes);
}

// Does not wait for a failed fetch either.
bool StreamedFile::is_at_hand(std::int64_t offset, std::size_t bytes) const {
  if (is_whole_ || process_ != ::getpid()) return true;
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr || arrived_.has(offset, offset + static_cast<std::int64_t>(bytes));
}

void StreamedFile::wait_until_there(std::int64_t begin, std::int64_t end) const {
  if (process_ != ::getpid()) {
    fail(ErrorCode::unsupported, name_, kTrail,
         "it was still being fetched when this process was forked, and only the parent goes on fetching it; "
         "load the model in the child, or with LoadOptions::read_weights_at_once before the fork");
  }
  bool has_asked = false;
  std::unique_lock lock(mutex_);
  while (!arrived_.has(begin, end) && !is_whole_) {
    if (failure_) rethrow();
    const bool asks = !has_asked && end - begin <= kAhead && !arrived_.comes_soon(begin, kNear);
    if (!asks) {
      changed_.wait_for(lock, kBetweenLooks);
      throw_if_cancelled();
      continue;
    }
    has_asked = true;
    lock.unlock();
    ask_ahead(begin);
    lock.lock();
  }
}

void StreamedFile::ask_ahead(std::int64_t begin) const {
  const std::int64_t last = std::min(begin + kAhead, file_.size) - 1;
  const std::vector<std::byte> bytes = fetch_.ahead(file_, {begin, last});
  if (bytes.empty()) return;
  stored_.write_at(begin, {bytes.data(), bytes.size()});
  const std::lock_guard lock(mutex_);
  arrived_.add(begin, begin + static_cast<std::int64_t>(bytes.size()), false);
}

}  // namespace mxinfer::sources
