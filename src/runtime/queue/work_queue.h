// WorkQueue: the requests of a RequestQueue, and the workers that run them.
//
//   auto queue = std::make_shared<WorkQueue>(options, counters);
//   queue->submit(request, {});        // some worker calls request.compute()
//   queue->shut_down();
#pragma once

#include <mxinfer/async/async_options.h>
#include <mxinfer/async/request.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/function_ref.h"
#include "runtime/call_counters.h"
#include "runtime/queue/request_memory.h"

namespace mxinfer::runtime {

/// Thread-safe. Requests hold it, so the last of them destroys it.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
 public:
  using Request = detail::Request;

  /// Throws Error(invalid_argument) for invalid options.
  static void check(const AsyncOptions& options);
  /// Throws the same errors. Create it as a std::shared_ptr: requests and workers hold it.
  explicit WorkQueue(const AsyncOptions& options, std::shared_ptr<CallCounters> counters);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  const AsyncOptions& options() const noexcept { return options_; }
  const CallCounters& counters() const noexcept { return *counters_; }
  RequestMemory& memory() noexcept { return memory_; }
  /// False in a child process forked after its creation.
  bool is_of_this_process() const noexcept;

  /// Takes part in holding the request, whose memory is `bytes` of memory(). Throws as RequestQueue::submit.
  void submit(Request& request, std::size_t bytes, const SubmitOptions& options);
  void shut_down() noexcept;

  /// The functions of the same names of Request.
  bool wait_until(Request& request, Deadline time);
  bool cancel(Request& request) noexcept;

 private:
  /// Requests that wait, or that one worker has taken, linked through themselves, the oldest first.
  struct List {
    Request* first = nullptr;
    Request* last = nullptr;
    std::size_t count = 0;
    void append(Request& request) noexcept;
    void prepend(Request& request) noexcept;
    void insert_before(Request& next, Request& request) noexcept;
    void remove(Request& request) noexcept;
  };
  using Lock = std::unique_lock<std::mutex>;
  static constexpr std::size_t kPriorities = 2;

  // Each requires the queue's mutex.
  void push(Request& request) noexcept;
  void unlink(Request& request) noexcept;
  /// That it is in, or belongs into.
  List& list_of(const Request& request) noexcept;
  Request* take_next() noexcept;
  /// The request, and waiting ones that may run with it; empty if all were cancelled meanwhile.
  List take_batch(Request& first, Lock& lock) noexcept;
  /// Moves the request into an incomplete batch; it still waits and may be cancelled.
  static void collect(List& batch, Request& request) noexcept;
  void take_joining(List& batch) noexcept;
  void wait_for_joining(List& batch, Lock& lock) noexcept;
  static Request& least_urgent(const List& batch) noexcept;
  /// In its place among those that wait.
  void put_back(Request& request) noexcept;
  /// Whether other workers take the waiting requests: idle ones, woken ones, or ones that may be started.
  bool others_take_what_waits() const noexcept;
  /// If something waits: the worker that knows it is busy.
  void call_workers() noexcept;
  Request* take_expired(Deadline now) noexcept;
  /// The request no longer counts.
  void leave(Request& request) noexcept;
  /// Requests removed to make room, to be ended without the mutex.
  struct Removed {
    Request* request = nullptr;
    RequestOutcome outcome = RequestOutcome::cancelled;
  };
  Removed make_room(Lock& lock, Deadline deadline);
  void wait_for_room(Lock& lock, Deadline deadline);
  void expect_open();
  [[noreturn]] void refuse();
  std::size_t waiting_count() const noexcept { return waiting_[0].count + waiting_[1].count; }
  std::size_t most_batch() const noexcept { return static_cast<std::size_t>(options_.max_batch); }
  std::size_t most_in_flight() const noexcept { return static_cast<std::size_t>(options_.max_in_flight); }
  void start_worker();

  void work() noexcept;
  void wait_for_workers() noexcept;
  // Each with the queue's mutex held: requests that were started, and go on without a worker.
  /// The next that a worker can finish.
  Request* take_resumed() noexcept;
  void resume(Request& request) noexcept;
  /// Waits for work. While some requests are started, it wakes regularly to find those whose device has
  /// failed.
  void wait_for_work(Lock& lock) noexcept;
  void look_after_started(Lock& lock) noexcept;

  // Each without the mutex.
  void run(const List& batch) noexcept;
  /// Whether the request continues without this worker; it may already have ended. False with an error in it:
  /// starting it failed.
  bool start(Request& request) noexcept;
  static void resume_started(void* request) noexcept;
  /// Ends all of them, each with its outcome and error.
  void end(const List& batch) noexcept;
  /// How many are ready to be computed.
  std::size_t begin(const List& batch) noexcept;
  /// False if it is too late or was cancelled.
  bool begin(Request& request, Deadline now) noexcept;
  void compute_together(const List& batch) noexcept;
  void compute_alone(Request& request) noexcept;
  /// Calls work() as the request's call. Returns false if it threw, and stores outcome and error in the
  /// request.
  bool run_as_call(Request& request, FunctionRef<void()> work) noexcept;
  void end_unstarted(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept;
  void set_ended(Request& request, RequestOutcome outcome, std::exception_ptr error) noexcept;
  /// Notifies its listeners that it has ended, and releases it.
  void tell(Request& request) noexcept;
  bool expire(Request& request) noexcept;
  void report(const Request& request, RequestOutcome outcome, const std::exception_ptr& error) noexcept;

  const AsyncOptions options_;
  const std::size_t most_workers_;
  const unsigned forks_;  ///< of this process when it was made
  std::shared_ptr<CallCounters> counters_;
  RequestMemory memory_;
  mutable std::mutex mutex_{};
  std::condition_variable work_{}, room_{}, gone_{}, joining_{};
  std::array<List, kPriorities> waiting_{};
  List started_{};  ///< those that go on without a worker
  List resumed_{};  ///< those of them that a worker is to finish
  std::size_t in_flight_ = 0;
  std::size_t idle_ = 0;             ///< workers without work
  std::size_t computing_ = 0;        ///< workers with something that runs
  std::size_t collecting_ = 0;       ///< workers that wait for more of a batch
  std::size_t blocked_ = 0;          ///< submissions that wait for room
  std::size_t workers_ = 0;          ///< that have not ended
  std::size_t leaving_ = 0;          ///< of these, those that wait for the others
  Deadline earliest_ = kNoDeadline;  ///< no waiting request has an earlier deadline
  bool is_closed_ = false;
  std::vector<std::thread> threads_{};
};

}  // namespace mxinfer::runtime
