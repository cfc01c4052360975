#include "runtime/queue/work_queue.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "base/threads/fork_count.h"
#include "base/threads/thread_arena.h"
#include "runtime/queue/request_errors.h"

namespace mxinfer::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostWorkers = 1024;
constexpr std::chrono::microseconds kMostDelay = std::chrono::hours(1);

/// Takes the place of a continuation once a request has ended.
class Ended final : public detail::Continuation {
  void request_ended() noexcept override {}
};
Ended ended_mark;

/// The queue whose worker this thread is.
thread_local const WorkQueue* queue_of_thread = nullptr;

std::size_t checked_workers(const AsyncOptions& options) {
  WorkQueue::check(options);
  return static_cast<std::size_t>(options.workers > 0 ? options.workers : available_cores());
}

}  // namespace

void WorkQueue::check(const AsyncOptions& options) {
  if (options.workers < 0 || options.workers > kMostWorkers) {
    fail(ErrorCode::invalid_argument, "AsyncOptions::workers is ", options.workers, "; expected 1 to ",
         kMostWorkers, ", or 0 for one per core");
  }
  if (options.max_in_flight < 1) {
    fail(ErrorCode::invalid_argument, "AsyncOptions::max_in_flight is ", options.max_in_flight,
         "; expected at least 1, the number of predictions that may wait or run");
  }
  if (options.max_batch < 1) {
    fail(ErrorCode::invalid_argument, "AsyncOptions::max_batch is ", options.max_batch,
         "; expected at least 1, the number of predictions that may run as one batch");
  }
  if (options.max_delay.count() < 0 || options.max_delay > kMostDelay) {
    fail(ErrorCode::invalid_argument, "AsyncOptions::max_delay is ", options.max_delay.count(),
         " us; expected 0 to ", kMostDelay.count(), " us");
  }
}

WorkQueue::WorkQueue(const AsyncOptions& options, std::shared_ptr<CallCounters> counters)
    : options_(options),
      most_workers_(checked_workers(options)),
      forks_(fork_count()),
      counters_(std::move(counters)),
      memory_(static_cast<std::size_t>(options.max_in_flight)) {
  threads_.reserve(most_workers_);
}

bool WorkQueue::is_of_this_process() const noexcept {
  return fork_count() == forks_;
}

void WorkQueue::List::append(Request& request) noexcept {
  request.previous_ = last;
  request.next_ = nullptr;
  (last != nullptr ? last->next_ : first) = &request;
  last = &request;
  ++count;
}

void WorkQueue::List::prepend(Request& request) noexcept {
  request.previous_ = nullptr;
  request.next_ = first;
  (first != nullptr ? first->previous_ : last) = &request;
  first = &request;
  ++count;
}

void WorkQueue::List::remove(Request& request) noexcept {
  (request.previous_ != nullptr ? request.previous_->next_ : first) = request.next_;
  (request.next_ != nullptr ? request.next_->previous_ : last) = request.previous_;
  --count;
}

void WorkQueue::List::insert_before(Request& next, Request& request) noexcept {
  if (next.previous_ == nullptr) {
    prepend(request);
    return;
  }
  request.previous_ = next.previous_;
  request.next_ = &next;
  next.previous_->next_ = &request;
  next.previous_ = &request;
  ++count;
}

WorkQueue::List& WorkQueue::list_of(const Request& request) noexcept {
  if (request.batch_ != nullptr) return *static_cast<List*>(request.batch_);
  return waiting_[request.priority_ == Priority::high ? 1 : 0];
}

void WorkQueue::push(Request& request) noexcept {
  list_of(request).append(request);
  request.is_listed_ = true;
  earliest_ = std::min(earliest_, request.deadline_);
  ++in_flight_;
}

void WorkQueue::unlink(Request& request) noexcept {
  list_of(request).remove(request);
  request.batch_ = nullptr;
  request.is_listed_ = false;
}

WorkQueue::Request* WorkQueue::take_next() noexcept {
  Request* const next = waiting_[1].first != nullptr ? waiting_[1].first : waiting_[0].first;
  if (next != nullptr) unlink(*next);
  return next;
}

WorkQueue::Request* WorkQueue::take_expired(Deadline now) noexcept {
  if (now < earliest_) return nullptr;
  Deadline earliest = kNoDeadline;
  for (const List& list : waiting_) {
    for (Request* request = list.first; request != nullptr; request = request->next_) {
      if (request->deadline_ <= now) {
        leave(*request);
        return request;
      }
      earliest = std::min(earliest, request->deadline_);
    }
  }
  earliest_ = earliest;
  return nullptr;
}

void WorkQueue::leave(Request& request) noexcept {
  if (request.is_listed_) unlink(request);
  --in_flight_;
  if (blocked_ > 0) room_.notify_one();
}

void WorkQueue::expect_open() {
  if (!is_closed_) return;
  counters_->refused();
  fail(ErrorCode::cancelled, "the queue was shut down and accepts no more predictions");
}

void WorkQueue::refuse() {
  counters_->refused();
  fail(ErrorCode::too_many_requests, in_flight_,
       " predictions wait or run, which is the limit of the queue (",
       "AsyncOptions::max_in_flight); try again when one has finished");
}

void WorkQueue::wait_for_room(Lock& lock, Deadline deadline) {
  // A waiting worker would keep the others from making room.
  if (queue_of_thread == this) refuse();
  // Waiting requests that expire make room too.
  const Deadline until = std::min(deadline, earliest_);
  ++blocked_;
  if (until == kNoDeadline) {
    room_.wait(lock);
  } else {
    room_.wait_until(lock, until);
  }
  --blocked_;
  expect_open();
  if (in_flight_ < most_in_flight() || Clock::now() < deadline) return;
  counters_->refused();
  fail(ErrorCode::deadline_exceeded, "there was no room in the queue before the deadline; ", in_flight_,
       " predictions wait or run (AsyncOptions::max_in_flight)");
}

WorkQueue::Removed WorkQueue::make_room(Lock& lock, Deadline deadline) {
  while (in_flight_ >= most_in_flight()) {
    if (Request* const expired = take_expired(Clock::now())) return {expired, RequestOutcome::expired};
    if (options_.when_full == WhenFull::block) {
      wait_for_room(lock, deadline);
      continue;
    }
    Request* const oldest = waiting_[0].first != nullptr ? waiting_[0].first : waiting_[1].first;
    if (options_.when_full == WhenFull::reject || oldest == nullptr) refuse();
    leave(*oldest);
    return {oldest, RequestOutcome::cancelled};
  }
  return {};
}

void WorkQueue::start_worker() {
  if (waiting_count() <= idle_ || threads_.size() >= most_workers_) return;
  try {
    threads_.emplace_back([self = shared_from_this()] { self->work(); });
    ++workers_;
  } catch (const std::exception& e) {  // no thread, or no memory for one
    if (!threads_.empty()) return;
    fail(ErrorCode::out_of_memory, "a worker of a queue could not be started: ", e.what(),
         "; allow the process more threads or memory (ulimit -u, ulimit -v)");
  }
}

void WorkQueue::submit(Request& request, std::size_t bytes, const SubmitOptions& options) try {
  request.priority_ = options.priority;
  request.deadline_ = options.deadline;
  request.submitted_ = Clock::now();
  request.bytes_ = bytes;
  if (!is_of_this_process()) {
    counters_->refused();
    fail(ErrorCode::unsupported, "the process was forked after the queue was made, and its workers are the ",
         "parent's; create a queue in the child");
  }
  Removed removed;
  const bool is_late = options.deadline <= request.submitted_;
  {
    Lock lock(mutex_);
    expect_open();
    if (!is_late) {
      removed = make_room(lock, options.deadline);
      push(request);
      try {
        if (collecting_ == 0) start_worker();
      } catch (...) {
        leave(request);
        counters_->refused();
        throw;
      }
    }
    request.queue_ = shared_from_this();
    request.retain();
    counters_->submitted();
    // A worker that collects a batch takes it or wakes another.
    if (!is_late && collecting_ > 0) {
      joining_.notify_all();
    } else if (!is_late && idle_ > 0) {
      work_.notify_one();
    }
  }
  if (removed.request != nullptr) {
    end_unstarted(*removed.request, removed.outcome,
                  removed.outcome == RequestOutcome::expired
                      ? deadline_error()
                      : cancelled_error("a newer one took its place in the full queue"));
  }
  if (is_late) end_unstarted(request, RequestOutcome::expired, deadline_error());
} catch (const Error&) {
  report(request, RequestOutcome::refused, std::current_exception());
  throw;
}

void WorkQueue::work() noexcept {
  queue_of_thread = this;
  Lock lock(mutex_);
  for (;;) {
    List batch;
    Request* const resumed = take_resumed();
    if (resumed != nullptr) {
      batch.append(*resumed);
    } else if (Request* const first = take_next(); first != nullptr) {
      batch = take_batch(*first, lock);
      if (batch.count == 0) continue;
    } else {
      if (is_closed_ && started_.count == 0) break;
      wait_for_work(lock);
      continue;
    }
    ++computing_;
    lock.unlock();
    if (resumed != nullptr) {
      compute_alone(*resumed);
      end(batch);
    } else {
      run(batch);
    }
    lock.lock();
    --computing_;
    if (collecting_ > 0) joining_.notify_all();
  }
  --workers_;
  gone_.notify_all();
}

void WorkQueue::end_unstarted(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept {
  counters_->ended_unstarted(outcome);
  request.started_ = {};
  set_ended(request, outcome, std::move(error));
  tell(request);
}

void WorkQueue::set_ended(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept {
  request.error_ = std::move(error);
  request.drop_work();
  report(request, outcome, request.error_);
  {
    const std::lock_guard lock(request.mutex_);
    request.state_.store(Request::State::ended, std::memory_order_release);
  }
  // Without the mutex, which the woken thread would have to wait for. The request is kept alive until it is
  // notified.
  request.ended_.notify_all();
}

void WorkQueue::tell(Request& request) noexcept {
  try {
    request.call_back();
  } catch (...) {
    counters_->callback_failed();
    report(request, RequestOutcome::callback_failed, std::current_exception());
  }
  detail::Continuation* const next = request.continuation_.exchange(&ended_mark, std::memory_order_acq_rel);
  if (next != nullptr) next->request_ended();
  request.release();
}

void WorkQueue::report(const Request& request, RequestOutcome outcome,
                       const std::exception_ptr& error) noexcept {
  if (!options_.on_event) return;
  try {
    const Deadline now = Clock::now();
    RequestEvent event;
    event.outcome = outcome;
    event.priority = request.priority_;
    const bool started = request.started_ != Deadline{};
    event.queue_time = (started ? request.started_ : now) - request.submitted_;
    if (started) event.run_time = now - request.started_;
    event.submitted = request.submitted_;
    event.batch_size = request.batch_size_;
    const std::string message = message_of(error);
    event.message = message;
    options_.on_event(event);
  } catch (...) {
    // A failing hook must not lose a prediction.
  }
}

void WorkQueue::shut_down() noexcept {
  // A waiting request may have a callback that releases the queue.
  const std::shared_ptr<WorkQueue> self = shared_from_this();
  List cancelled[kPriorities];
  // A forked child has none of the parent's workers. It must not touch what they sleep on, and the queue is
  // never destroyed there, because they hold it.
  const bool has_workers = is_of_this_process();
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    for (std::size_t p = 0; p < kPriorities; ++p) cancelled[p] = std::exchange(waiting_[p], {});
    for (const List& list : cancelled) {
      for (Request* request = list.first; request != nullptr; request = request->next_) {
        request->is_listed_ = false;
        leave(*request);
      }
    }
    if (has_workers) {
      work_.notify_all();
      room_.notify_all();
      joining_.notify_all();
    }
  }
  for (const List& list : cancelled) {
    for (Request* request = list.first; request != nullptr;) {
      Request* const ended = std::exchange(request, request->next_);
      end_unstarted(*ended, RequestOutcome::cancelled, cancelled_error("its queue was shut down"));
    }
  }
  if (has_workers) wait_for_workers();
}

void WorkQueue::wait_for_workers() noexcept {
  Lock lock(mutex_);
  if (queue_of_thread == this) {
    // In a callback: waits for all workers but this one and others that wait here.
    ++leaving_;
    gone_.notify_all();
    gone_.wait(lock, [&] { return workers_ <= leaving_; });
    --leaving_;
    return;
  }
  gone_.wait(lock, [&] { return workers_ == 0; });
  std::vector<std::thread> threads;
  threads.swap(threads_);
  lock.unlock();
  for (std::thread& thread : threads) thread.join();
}

WorkQueue::~WorkQueue() {
  // The threads left by a worker whose callback destroyed the queue: itself, and those that have ended.
  for (std::thread& thread : threads_) thread.detach();
}

bool WorkQueue::expire(Request& request) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!request.is_listed_) return false;
    leave(request);
  }
  end_unstarted(request, RequestOutcome::expired, deadline_error());
  return true;
}

bool WorkQueue::cancel(Request& request) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!request.is_listed_) {
      request.stop_.store(true, std::memory_order_relaxed);
      return false;
    }
    leave(request);
  }
  end_unstarted(request, RequestOutcome::cancelled, cancelled_error("cancel() was called"));
  return true;
}

bool WorkQueue::wait_until(Request& request, Deadline time) {
  const auto ended = [&] { return request.has_ended(); };
  const auto wait = [&](Deadline until) {
    Lock lock(request.mutex_);
    if (until == kNoDeadline) {
      request.ended_.wait(lock, ended);
    } else {
      request.ended_.wait_until(lock, until, ended);
    }
  };
  if (ended()) return true;
  if (request.deadline_ < time) {
    wait(request.deadline_);
    if (!ended()) expire(request);
  }
  if (!ended()) wait(time);
  return ended();
}

}  // namespace mxinfer::runtime
