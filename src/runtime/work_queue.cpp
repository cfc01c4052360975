#include "runtime/work_queue.h"

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string>
#include <utility>

#include "base/call_context.h"
#include "base/fail.h"
#include "base/fork_count.h"
#include "base/thread_arena.h"

namespace mxinfer::runtime {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostWorkers = 1024;
constexpr std::chrono::microseconds kMostDelay = std::chrono::hours(1);

bool is_power_of_two(std::size_t n) {
  return (n & (n - 1)) == 0;
}

/// Stands where a continuation would, once a request has ended.
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

/// Without memory for the message, that is the error.
std::exception_ptr error_of(ErrorCode code, std::initializer_list<TextPart> parts) noexcept {
  try {
    return std::make_exception_ptr(Error(code, join(parts)));
  } catch (...) {
    return std::current_exception();
  }
}

/// What an exception says, of the library or of a caller's function.
std::string message_of(const std::exception_ptr& error) {
  if (!error) return {};
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something other than an exception was thrown";
  }
}

std::exception_ptr deadline_error() noexcept {
  return error_of(
      ErrorCode::deadline_exceeded,
      {"the deadline of a prediction passed before it started; submit fewer, or give it more time"});
}

std::exception_ptr cancelled_error(const char* why) noexcept {
  return error_of(ErrorCode::cancelled, {"the prediction was cancelled before it started: ", why});
}

}  // namespace

void WorkQueue::check(const AsyncOptions& options) {
  if (options.workers < 0 || options.workers > kMostWorkers) {
    fail(ErrorCode::invalid_argument, "AsyncOptions::workers is ", options.workers, "; expected 1 to ",
         kMostWorkers, ", or 0 for as many as there are cores");
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

void WorkQueue::push(Request& request) noexcept {
  list_of(request).append(request);
  request.is_listed_ = true;
  earliest_ = std::min(earliest_, request.deadline_);
  ++in_flight_;
}

void WorkQueue::unlink(Request& request) noexcept {
  list_of(request).remove(request);
  request.is_listed_ = false;
}

void WorkQueue::put_back(Request& request) noexcept {
  list_of(request).prepend(request);
  request.is_listed_ = true;
  earliest_ = std::min(earliest_, request.deadline_);
}

WorkQueue::Request* WorkQueue::take_next() noexcept {
  Request* const next = waiting_[1].first != nullptr ? waiting_[1].first : waiting_[0].first;
  if (next != nullptr) unlink(*next);
  return next;
}

WorkQueue::List WorkQueue::take_batch(Request& first, Lock& lock) noexcept {
  List batch;
  batch.append(first);
  if (options_.max_batch == 1 || first.kind() == nullptr) return batch;
  take_joining(batch);
  wait_for_joining(batch, lock);
  while (batch.count < most_batch() && !is_power_of_two(batch.count)) {
    Request& last = *batch.last;
    batch.remove(last);
    put_back(last);
  }
  if (waiting_count() > 0) call_worker();
  return batch;
}

void WorkQueue::take_joining(List& batch) noexcept {
  const Request& first = *batch.first;
  for (const std::size_t priority : {1, 0}) {
    for (Request* next = waiting_[priority].first; next != nullptr && batch.count < most_batch();) {
      Request& request = *std::exchange(next, next->next_);
      if (request.kind() != first.kind() || !request.joins(first)) continue;
      unlink(request);
      batch.append(request);
    }
  }
}

void WorkQueue::wait_for_joining(List& batch, Lock& lock) noexcept {
  const Deadline until = batch.first->submitted_ + options_.max_delay;
  const auto may_wait = [&] {
    if (batch.count >= most_batch() || computing_ == 0 || is_closed_ || Clock::now() >= until) return false;
    for (const Request* request = batch.first; request != nullptr; request = request->next_) {
      if (request->deadline_ <= until || request->priority_ == Priority::high) return false;
    }
    return others_take_what_waits();
  };
  while (may_wait()) {
    ++collecting_;
    joining_.wait_until(lock, until);
    --collecting_;
    take_joining(batch);
    if (waiting_count() > 0) call_worker();
  }
}

bool WorkQueue::others_take_what_waits() const noexcept {
  const std::size_t busy = computing_ + collecting_ + 1;  // and this one
  return waiting_count() + busy <= workers_ + (most_workers_ - threads_.size());
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
  fail(ErrorCode::cancelled, "the queue was shut down, and takes no more predictions");
}

void WorkQueue::refuse() {
  counters_->refused();
  fail(ErrorCode::too_many_requests, in_flight_,
       " predictions wait or run, which is all that the queue takes (",
       "AsyncOptions::max_in_flight); try again when one has ended");
}

void WorkQueue::wait_for_room(Lock& lock, Deadline deadline) {
  // A worker that waited would keep the others from making room.
  if (queue_of_thread == this) refuse();
  // What waits and expires meanwhile makes room too.
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

void WorkQueue::call_worker() noexcept {
  if (idle_ > 0) {
    work_.notify_one();
  } else {
    start_worker();  // which throws only if there is none
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
         "parent's; make a queue in the child");
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
    // A worker that collects a batch takes it, or calls another.
    if (!is_late && collecting_ > 0) {
      joining_.notify_one();
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
    Request* const first = take_next();
    if (first == nullptr) {
      if (is_closed_) break;
      ++idle_;
      work_.wait(lock);
      --idle_;
      continue;
    }
    const List batch = take_batch(*first, lock);
    ++computing_;
    lock.unlock();
    run(batch);
    lock.lock();
    --computing_;
    if (collecting_ > 0) joining_.notify_all();
  }
  --workers_;
  gone_.notify_all();
}

void WorkQueue::run(List batch) noexcept {
  const Deadline now = Clock::now();
  List ready;
  while (batch.first != nullptr) {
    Request& request = *batch.first;
    batch.remove(request);
    const bool is_late = request.deadline_ <= now;
    if (is_late || request.stop_.load(std::memory_order_relaxed)) {
      {
        const std::lock_guard lock(mutex_);
        leave(request);
      }
      end_unstarted(request, is_late ? RequestOutcome::expired : RequestOutcome::cancelled,
                    is_late ? deadline_error() : cancelled_error("cancel() was called"));
      continue;
    }
    request.started_ = now;
    request.state_.store(Request::State::running, std::memory_order_relaxed);
    counters_->started(now - request.submitted_);
    ready.append(request);
  }
  if (ready.count > 1) {
    run_together(ready);
  } else if (ready.count == 1) {
    compute_alone(*ready.first);
  }
}

void WorkQueue::run_together(const List& batch) noexcept {
  try {
    std::vector<Request*> all;
    for (Request* request = batch.first; request != nullptr; request = request->next_) all.push_back(request);
    CallContext context;
    context.counters = counters_.get();
    const CallScope scope(context);
    batch.first->compute_together(all.data(), all.size());
  } catch (...) {
    // Those without a result are computed alone, and have their own errors.
  }
  int together = 0;
  for (const Request* request = batch.first; request != nullptr; request = request->next_)
    together += request->is_computed_ ? 1 : 0;
  if (together > 0) counters_->ran_batch(together);
  for (Request* next = batch.first; next != nullptr;) {
    Request& request = *std::exchange(next, next->next_);
    if (!request.is_computed_) {
      compute_alone(request);
      continue;
    }
    request.batch_size_ = together;
    const bool is_cancelled = request.stop_.load(std::memory_order_relaxed);
    finish(request, is_cancelled ? RequestOutcome::cancelled : RequestOutcome::done,
           is_cancelled ? error_of(ErrorCode::cancelled, {"the prediction was cancelled while it ran"})
                        : nullptr);
  }
}

void WorkQueue::compute_alone(Request& request) noexcept {
  std::exception_ptr error;
  RequestOutcome outcome = RequestOutcome::done;
  {
    CallContext context;
    context.cancelled = &request.stop_;
    context.counters = counters_.get();
    const CallScope scope(context);
    try {
      request.compute();
    } catch (const Error& e) {
      error = std::current_exception();
      const bool stopped = e.code() == ErrorCode::cancelled && request.stop_.load(std::memory_order_relaxed);
      outcome = stopped ? RequestOutcome::cancelled : RequestOutcome::failed;
    } catch (...) {
      error = std::current_exception();
      outcome = RequestOutcome::failed;
    }
  }
  finish(request, outcome, std::move(error));
}

void WorkQueue::finish(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept {
  {
    // Who sees that it has ended may submit the next.
    const std::lock_guard lock(mutex_);
    leave(request);
  }
  counters_->ended(outcome, Clock::now() - request.started_);
  end(request, outcome, std::move(error));
}

void WorkQueue::end_unstarted(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept {
  counters_->ended_unstarted(outcome);
  request.started_ = {};
  end(request, outcome, std::move(error));
}

void WorkQueue::end(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept {
  request.error_ = std::move(error);
  request.drop_work();
  report(request, outcome, request.error_);
  {
    const std::lock_guard lock(request.mutex_);
    request.state_.store(Request::State::ended, std::memory_order_release);
  }
  // Without the mutex, for which who wakes up would have to wait; the request is held until the last line.
  request.ended_.notify_all();
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
    // A hook that fails is no reason to lose a prediction.
  }
}

void WorkQueue::shut_down() noexcept {
  // What waits may have a callback that lets go of the queue.
  const std::shared_ptr<WorkQueue> self = shared_from_this();
  List cancelled[kPriorities];
  // A child has none of the parent's workers. What they sleep on must not be touched there, and the queue
  // stays for ever, for they hold it.
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
    // In a callback: for all but this worker, and others that wait here.
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
  // Left behind by a worker whose callback destroyed the queue: itself, and those that have ended.
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
