// Requests whose work goes on without a worker, on a GPU: a worker starts them, and a worker, the same or
// another one, finishes them when the device has ended. The device signals this by a callback, which may come
// before start() has returned. Whichever comes second adds the request to those to be finished.
#include <chrono>

#include "runtime/queue/work_queue.h"

namespace mxinfer::runtime {
namespace {

/// How often to check a device that never calls back.
constexpr std::chrono::milliseconds kLookAfter{20};

}  // namespace

bool WorkQueue::start(Request& request) noexcept {
  bool is_started = false;
  const auto work = [&] { is_started = request.start(resume_started, &request); };
  run_as_call(request, work);
  if (!is_started) return false;
  const std::lock_guard lock(mutex_);
  started_.append(request);
  request.is_started_ = true;
  if (request.is_resumable_) resume(request);
  return true;
}

void WorkQueue::resume_started(void* argument) noexcept {
  auto& request = *static_cast<Request*>(argument);
  // Once it can be finished, it may be destroyed, and the queue with it.
  const std::shared_ptr<WorkQueue> queue = request.queue_;
  const std::lock_guard lock(queue->mutex_);
  const bool is_first = !request.is_resumable_;
  request.is_resumable_ = true;
  if (is_first && request.is_started_) queue->resume(request);
}

void WorkQueue::resume(Request& request) noexcept {
  started_.remove(request);
  resumed_.append(request);
  work_.notify_one();
}

WorkQueue::Request* WorkQueue::take_resumed() noexcept {
  Request* const next = resumed_.first;
  if (next != nullptr) resumed_.remove(*next);
  return next;
}

void WorkQueue::wait_for_work(Lock& lock) noexcept {
  ++idle_;
  if (started_.count == 0) {
    work_.wait(lock);
  } else {
    work_.wait_for(lock, kLookAfter);
  }
  --idle_;
  look_after_started(lock);
}

// One at a time, in turn. Without the mutex, which the callback needs. Meanwhile the request counts as not
// started, so no worker finishes and destroys it.
void WorkQueue::look_after_started(Lock& lock) noexcept {
  Request* const request = started_.first;
  if (request == nullptr || !request->is_started_) return;
  started_.remove(*request);
  started_.append(*request);
  request->is_started_ = false;
  lock.unlock();
  const bool has_stopped = request->has_stopped();
  lock.lock();
  request->is_started_ = true;
  if (has_stopped) request->is_resumable_ = true;
  if (request->is_resumable_) resume(*request);
}

}  // namespace mxinfer::runtime
