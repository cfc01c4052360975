// How a worker of a WorkQueue takes requests that may run together, computes and ends them.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "runtime/queue/request_errors.h"
#include "runtime/queue/work_queue.h"

namespace mxinfer::runtime {
namespace {

using Clock = std::chrono::steady_clock;

bool is_power_of_two(std::size_t n) {
  return (n & (n - 1)) == 0;
}

}  // namespace

WorkQueue::List WorkQueue::take_batch(Request& first, Lock& lock) noexcept {
  List batch;
  collect(batch, first);
  if (options_.max_batch > 1 && first.kind() != nullptr) {
    take_joining(batch);
    wait_for_joining(batch, lock);
    while (batch.count > 0 && batch.count < most_batch() && !is_power_of_two(batch.count))
      put_back(least_urgent(batch));
  }
  for (Request* request = batch.first; request != nullptr; request = request->next_) {
    request->batch_ = nullptr;
    request->is_listed_ = false;
  }
  if (options_.max_batch > 1) call_workers();
  return batch;
}

void WorkQueue::collect(List& batch, Request& request) noexcept {
  batch.append(request);
  request.batch_ = &batch;
  request.is_listed_ = true;
}

void WorkQueue::take_joining(List& batch) noexcept {
  if (batch.count == 0) return;
  const Request& first = *batch.first;
  for (const std::size_t priority : {1, 0}) {
    for (Request* next = waiting_[priority].first; next != nullptr && batch.count < most_batch();) {
      Request& request = *std::exchange(next, next->next_);
      if (request.kind() != first.kind() || !request.joins(first)) continue;
      unlink(request);
      collect(batch, request);
    }
  }
}

void WorkQueue::wait_for_joining(List& batch, Lock& lock) noexcept {
  const Deadline until = batch.first->submitted_ + options_.max_delay;
  const auto may_wait = [&] {
    const bool is_full = batch.count >= most_batch() || in_flight_ >= most_in_flight();
    if (batch.count == 0 || is_full || computing_ == 0 || is_closed_ || Clock::now() >= until) return false;
    for (const Request* request = batch.first; request != nullptr; request = request->next_) {
      if (request->deadline_ <= until || request->priority_ == Priority::high) return false;
    }
    return others_take_what_waits();
  };
  while (may_wait()) {
    call_workers();
    ++collecting_;
    joining_.wait_until(lock, until);
    --collecting_;
    take_joining(batch);
  }
  if (!is_closed_) return;
  for (Request* request = batch.first; request != nullptr; request = request->next_)
    request->stop_.store(true, std::memory_order_relaxed);
}

bool WorkQueue::others_take_what_waits() const noexcept {
  const std::size_t busy = computing_ + collecting_ + 1;  // and this one
  return waiting_count() + busy <= workers_ + (most_workers_ - threads_.size());
}

void WorkQueue::call_workers() noexcept {
  if (waiting_count() == 0) return;
  if (idle_ > 0) work_.notify_all();
  start_worker();  // which throws only if there is none
}

WorkQueue::Request& WorkQueue::least_urgent(const List& batch) noexcept {
  for (Request* request = batch.last; request != nullptr; request = request->previous_) {
    if (request->priority_ == Priority::normal) return *request;
  }
  return *batch.last;
}

void WorkQueue::put_back(Request& request) noexcept {
  unlink(request);
  List& list = list_of(request);
  Request* next = list.first;
  while (next != nullptr && next->submitted_ <= request.submitted_) next = next->next_;
  if (next == nullptr) {
    list.append(request);
  } else {
    list.insert_before(*next, request);
  }
  request.is_listed_ = true;
  earliest_ = std::min(earliest_, request.deadline_);
}

void WorkQueue::run(const List& batch) noexcept {
  const std::size_t ready = begin(batch);
  if (batch.count == 1 && ready == 1 && start(*batch.first)) return;
  if (ready > 1) compute_together(batch);
  for (Request* request = batch.first; request != nullptr; request = request->next_) {
    const bool is_ready = request->started_ != Deadline{} && !request->error_;
    if (is_ready && !request->is_computed_) compute_alone(*request);
  }
  end(batch);
}

void WorkQueue::end(const List& batch) noexcept {
  {
    // A caller that sees one end may submit the next.
    const std::lock_guard lock(mutex_);
    for (Request* request = batch.first; request != nullptr; request = request->next_) leave(*request);
  }
  // All have ended before the first listener is notified: it may wait for another request, or destroy what
  // the others use.
  const Deadline now = Clock::now();
  for (Request* request = batch.first; request != nullptr; request = request->next_) {
    if (request->started_ == Deadline{}) {
      counters_->ended_unstarted(request->outcome_);
    } else {
      counters_->ended(request->outcome_, now - request->started_);
    }
    set_ended(*request, request->outcome_, std::move(request->error_));
  }
  for (Request* next = batch.first; next != nullptr;) tell(*std::exchange(next, next->next_));
}

std::size_t WorkQueue::begin(const List& batch) noexcept {
  const Deadline now = Clock::now();
  std::size_t ready = 0;
  for (Request* request = batch.first; request != nullptr; request = request->next_)
    ready += begin(*request, now);
  return ready;
}

bool WorkQueue::begin(Request& request, Deadline now) noexcept {
  const bool is_late = request.deadline_ <= now;
  if (is_late || request.stop_.load(std::memory_order_relaxed)) {
    request.outcome_ = is_late ? RequestOutcome::expired : RequestOutcome::cancelled;
    request.error_ =
        is_late ? deadline_error() : cancelled_error("cancel() was called, or its queue shut down");
    return false;
  }
  request.started_ = now;
  request.state_.store(Request::State::running, std::memory_order_relaxed);
  counters_->started(now - request.submitted_);
  return true;
}

void WorkQueue::compute_together(const List& batch) noexcept {
  std::vector<Request*> all;
  try {
    for (Request* request = batch.first; request != nullptr; request = request->next_) {
      if (request->started_ != Deadline{}) all.push_back(request);
    }
    CallContext context;
    context.counters = counters_.get();
    const CallScope scope(context);
    all[0]->compute_together(all.data(), all.size());
  } catch (...) {
    // Requests without a result are computed alone and get their own errors.
  }
  const auto together =
      std::count_if(all.begin(), all.end(), [](const Request* r) { return r->is_computed_; });
  if (together > 0) counters_->ran_batch(static_cast<int>(together));
  for (Request* request : all) {
    if (!request->is_computed_) continue;
    request->batch_size_ = static_cast<int>(together);
    const bool is_cancelled = request->stop_.load(std::memory_order_relaxed);
    request->outcome_ = is_cancelled ? RequestOutcome::cancelled : RequestOutcome::done;
    if (is_cancelled) request->error_ = cancelled_while_running_error();
  }
}

void WorkQueue::compute_alone(Request& request) noexcept {
  const auto work = [&] { request.compute(); };
  if (run_as_call(request, work)) request.outcome_ = RequestOutcome::done;
}

bool WorkQueue::run_as_call(Request& request, FunctionRef<void()> work) noexcept {
  CallContext context;
  context.cancelled = &request.stop_;
  context.counters = counters_.get();
  const CallScope scope(context);
  try {
    work();
    return true;
  } catch (const Error& e) {
    request.error_ = std::current_exception();
    const bool stopped = e.code() == ErrorCode::cancelled && request.stop_.load(std::memory_order_relaxed);
    request.outcome_ = stopped ? RequestOutcome::cancelled : RequestOutcome::failed;
  } catch (...) {
    request.error_ = std::current_exception();
    request.outcome_ = RequestOutcome::failed;
  }
  return false;
}

}  // namespace mxinfer::runtime
