// ThreadBudget: how many calls compute at the same time, and on how many threads each. With few calls, each
// is on the thread that it was made on and may use all threads of its arena. With as many calls as there are
// threads, each has one, so that nothing waits for anything inside of it. Further calls wait, the first to
// come goes first, and run on threads of the budget, which go from call to call without sleeping: a caller
// that had to be woken first would leave a core idle meanwhile.
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

  /// That of the process, of available_cores() places.
  static ThreadBudget& of_process();

  int places() const noexcept { return places_; }
  /// Calls that have a place or wait for one.
  std::size_t calls() const;

  /// Calls body() once it has a place, possibly on another thread, with the context of this one; returns when
  /// it has ended, and throws what it threw. Inside of a call that has a place it calls body() at once: it
  /// would wait for itself. A brief call, for which to wait would take longer than to share a core, does not
  /// wait. Throws Error(cancelled) if the call is cancelled before it has a place.
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
  /// On this thread, which has a place and gives it back.
  void run_in_place(Body body, Scheduling scheduling, bool is_one_of_many);
  void run_when_there_is_room(Waiter& waiter, Lock& lock);
  void work() noexcept;
  // Each with the mutex held.
  void leave() noexcept;
  /// Whether a thread of the budget takes over the place of this one.
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
