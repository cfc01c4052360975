// ThreadBudget: decides how many calls compute at the same time, and on how many threads each. With few
// calls, each runs on its own thread and may use all threads of its arena. With as many calls as threads,
// each has one thread, so nothing waits inside it. Further calls wait in order and run on threads of the
// budget, which go from call to call without sleeping: waking the caller first would leave a core idle
// meanwhile.
//
//   ThreadBudget::of_process().run([&] { arena.execute(...); }, Scheduling::automatic);
#pragma once

#include <mxinfer/options.h>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>

#include "base/function_ref.h"
#include "base/threads/call_context.h"

namespace mxinfer::runtime {

/// Thread-safe.
class ThreadBudget {
 public:
  using Body = FunctionRef<void()>;

  /// `places`: calls that compute at the same time; the others wait. 0: any number, each on its own thread.
  explicit ThreadBudget(int places);
  /// Precondition: no call is in it.
  ~ThreadBudget();
  ThreadBudget(const ThreadBudget&) = delete;
  ThreadBudget& operator=(const ThreadBudget&) = delete;

  /// The budget of the process, with available_cores() places.
  static ThreadBudget& of_process();

  int places() const noexcept { return places_; }
  /// Calls that have a place or wait for one.
  std::size_t calls() const;

  /// Calls body() once it has a place, possibly on another thread, with the context of this one; returns when
  /// it has ended, and throws what it threw. Inside a call that has a place it calls body() at once, because
  /// it would wait for itself. A brief call does not wait either: waiting would take longer than sharing a
  /// core. Throws Error(cancelled) if the call is cancelled before it has a place.
  void run(Body body, Scheduling scheduling, bool is_brief = false);

 private:
  /// A call that waits for a place, or runs on a thread of the budget.
  struct Waiter {
    Body body;
    Scheduling scheduling;
    CallContext context;
    std::condition_variable changed{};
    enum class State { waiting, may_run, running, ended } state = State::waiting;
    bool is_one_of_many = false;
    std::exception_ptr error{};
    Waiter* next = nullptr;
  };
  using Lock = std::unique_lock<std::mutex>;
  struct Threads;

  static void run_here(Body body, Scheduling scheduling, bool is_one_of_many);
  /// Runs it on this thread, which has a place and gives it back.
  void run_in_place(Body body, Scheduling scheduling, bool is_one_of_many);
  void run_when_there_is_room(Waiter& waiter, Lock& lock);
  void work() noexcept;
  // Each requires the mutex.
  void leave() noexcept;
  /// Whether a thread of the budget takes this one's place.
  bool hand_to_thread() noexcept;
  bool are_many() const noexcept;
  Waiter& take_first() noexcept;
  void drop(const Waiter& waiter) noexcept;

  const int places_;
  mutable std::mutex mutex_{};
  int running_ = 0;
  std::size_t waiting_ = 0;
  Waiter* first_ = nullptr;
  Waiter** end_ = &first_;
  Threads* threads_ = nullptr;  ///< made when they are needed first
};

}  // namespace mxinfer::runtime
