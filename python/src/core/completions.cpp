#include "core/completions.h"

#include <mxinfer/error.h>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/calls.h"
#include "core/errors.h"

namespace mxinfer::python {
namespace nb = nanobind;
namespace {

using RequestHold = std::unique_ptr<mxinfer::detail::Request, mxinfer::detail::Release>;

Completions*& instance() {
  static Completions* completions = new Completions;
  return completions;
}

void deliver(Pending& pending) {
  nb::object error;
  try {
    const nb::object result = pending.take_result();
    pending.future().attr("_finish")(result);
    return;
  } catch (nb::python_error& e) {
    error = nb::borrow(e.value());
  } catch (const Error& e) {
    error = python_error_of(e);
  } catch (const std::exception& e) {
    error = python_error_of(Error(ErrorCode::internal, e.what()));
  }
  pending.future().attr("_fail")(error);
}

}  // namespace

struct Completions::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::unordered_set<Pending*> pending;
  Pending* first_ended = nullptr;
  Pending* last_ended = nullptr;
  bool started = false;
  bool cancelling = false;

  Pending* take_all() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return first_ended != nullptr; });
    last_ended = nullptr;
    return std::exchange(first_ended, nullptr);
  }
  void remove(Pending& delivered) {
    const std::lock_guard lock(mutex);
    pending.erase(&delivered);
    changed.notify_all();
  }
};

Completions::Completions() : state_(std::make_unique<State>()) {}
Completions::~Completions() = default;

void Pending::request_ended() noexcept {
  completions().push(*this);
}

void Completions::push(Pending& pending) noexcept {
  const std::lock_guard lock(state_->mutex);
  pending.is_watched_ = false;  // its request goes with its result
  if (state_->last_ended == nullptr) {
    state_->first_ended = &pending;
  } else {
    state_->last_ended->next_ended_ = &pending;
  }
  state_->last_ended = &pending;
  state_->changed.notify_all();
}

void Completions::expect(Pending& pending) {
  const std::lock_guard lock(state_->mutex);
  if (!state_->started) {
    std::thread([this] { run(); }).detach();
    state_->started = true;
  }
  state_->pending.insert(&pending);
}

void Completions::forget(Pending& pending) {
  state_->remove(pending);
}

void Completions::watch(std::unique_ptr<Pending> pending) {
  Pending& watched = *pending.release();
  const RequestHold request(watched.request());
  request->retain();
  bool cancel = false;
  {
    const std::lock_guard lock(state_->mutex);
    watched.is_watched_ = true;
    cancel = state_->cancelling;
  }
  if (!request->then(watched)) push(watched);
  if (cancel) request->cancel();
}

void Completions::run() {
  for (;;) {
    Pending* ended = state_->take_all();
    const WithGil locked;
    if (!locked) return;
    while (ended != nullptr) {
      const std::unique_ptr<Pending> delivered(std::exchange(ended, ended->next_ended_));
      try {
        deliver(*delivered);
      } catch (nb::python_error& e) {
        e.discard_as_unraisable("mxinfer: a result could not be handed over");
      }
      state_->remove(*delivered);
    }
  }
}

void Completions::cancel_all() {
  std::vector<RequestHold> requests;
  {
    const std::lock_guard lock(state_->mutex);
    state_->cancelling = true;
    for (const Pending* pending : state_->pending) {
      if (!pending->is_watched_) continue;
      pending->request()->retain();
      requests.emplace_back(pending->request());
    }
  }
  for (const RequestHold& request : requests) request->cancel();
}

void Completions::wait_until(std::chrono::steady_clock::time_point time) {
  std::unique_lock lock(state_->mutex);
  state_->changed.wait_until(lock, time, [&] { return state_->pending.empty(); });
}

Completions& completions() {
  return *instance();
}

void forget_completions_of_parent() {
  instance() = new Completions;
}

}  // namespace mxinfer::python
