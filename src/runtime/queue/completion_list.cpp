#include <mxinfer/async/completion_queue.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>

#include "base/fail.h"

namespace mxinfer {

struct detail::CompletionList::State {
  mutable std::mutex mutex{};
  std::condition_variable changed{};
  Completed* first = nullptr;  ///< that have ended
  Completed* last = nullptr;
  std::size_t ended = 0, pending = 0;
  int event = -1;  ///< readable while `first` is not null

  void signal() const noexcept {
    const std::uint64_t one = 1;
    if (event >= 0) (void)!::write(event, &one, sizeof one);
  }
  void clear_signal() const noexcept {
    std::uint64_t count = 0;
    if (event >= 0) (void)!::read(event, &count, sizeof count);
  }
  std::unique_ptr<Completed> take() noexcept {
    Completed* const taken = first;
    if (taken == nullptr) return nullptr;
    first = taken->next_;
    if (first == nullptr) {
      last = nullptr;
      clear_signal();
    }
    --ended;
    return std::unique_ptr<Completed>(taken);
  }
};

void detail::Completed::request_ended() noexcept {
  list_->push(*this);
}

detail::CompletionList::CompletionList() try : state_(std::make_unique<State>()) {
} catch (...) {
  throw_as_error();
}

detail::CompletionList::~CompletionList() {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait(lock, [&] { return state_->pending == 0; });
  while (const auto dropped = state_->take()) {
  }
  if (state_->event >= 0) ::close(state_->event);
}

void detail::CompletionList::push(Completed& completed) noexcept {
  const std::lock_guard lock(state_->mutex);
  completed.next_ = nullptr;
  if (state_->last != nullptr) {
    state_->last->next_ = &completed;
  } else {
    state_->first = &completed;
    state_->signal();
  }
  state_->last = &completed;
  ++state_->ended;
  --state_->pending;
  // While holding the mutex: afterwards the list may be destroyed.
  state_->changed.notify_all();
}

void detail::CompletionList::add(std::unique_ptr<Completed> completed, Request& request) {
  {
    const std::lock_guard lock(state_->mutex);
    ++state_->pending;
  }
  completed->list_ = this;
  Completed* const entry = completed.release();
  if (!request.then(*entry)) push(*entry);
}

std::unique_ptr<detail::Completed> detail::CompletionList::try_next() noexcept {
  const std::lock_guard lock(state_->mutex);
  return state_->take();
}

std::unique_ptr<detail::Completed> detail::CompletionList::next_until(Deadline time) {
  std::unique_lock lock(state_->mutex);
  const auto settled = [&] { return state_->first != nullptr || state_->pending == 0; };
  if (time == kNoDeadline) {
    state_->changed.wait(lock, settled);
  } else {
    state_->changed.wait_until(lock, time, settled);
  }
  return state_->take();
}

std::size_t detail::CompletionList::size() const noexcept {
  const std::lock_guard lock(state_->mutex);
  return state_->ended + state_->pending;
}

int detail::CompletionList::fd() try {
  const std::lock_guard lock(state_->mutex);
  if (state_->event >= 0) return state_->event;
  state_->event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (state_->event < 0) {
    fail(ErrorCode::out_of_memory, "an eventfd could not be created: ", std::strerror(errno),
         "; allow the process more descriptors (ulimit -n)");
  }
  if (state_->first != nullptr) state_->signal();
  return state_->event;
} catch (...) {
  throw_as_error();
}

}  // namespace mxinfer
