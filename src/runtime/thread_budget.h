// ThreadBudget: how many calls compute at the same time, and on how many threads each. With few calls, each
// may use all threads of its arena; with as many calls as there are threads, each has the thread that it was
// made on, so that nothing waits for anything inside of it; further calls wait, the first to come goes first.
//
//   ThreadBudget::Place place(budget, Scheduling::automatic);   // waits for it
//   arena.execute([&] { ... });                                  // on one thread, or on all of the arena
#pragma once

#include <mxinfer/options.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

#include "base/call_context.h"
#include "base/thread_arena.h"

namespace mxinfer::runtime {

/// Thread-safe.
class ThreadBudget {
 public:
  /// `places`: calls that compute at the same time; the others wait. 0: any number.
  explicit ThreadBudget(int places) : places_(places) {}
  ThreadBudget(const ThreadBudget&) = delete;
  ThreadBudget& operator=(const ThreadBudget&) = delete;

  /// That of the process, of available_cores() places.
  static ThreadBudget& of_process();

  int places() const noexcept { return places_; }
  /// Calls that have a place or wait for one.
  std::size_t calls() const;

  /// A place, for the calls that this thread makes while it lives. Inside of another place it is that one, as
  /// a call inside of a call would wait for itself. A brief call, for which to wait for a place would take
  /// longer than to share a core, does not wait. Throws Error(cancelled) if the call is cancelled before it
  /// has a place.
  class Place {
   public:
    explicit Place(ThreadBudget& budget, Scheduling scheduling, bool is_brief = false);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    ThreadBudget* budget_ = nullptr;  ///< null: it has none to give back
    std::optional<CallScope> scope_{};
    std::optional<SerialScope> serial_{};
  };

 private:
  struct Waiter {
    std::condition_variable woken{};
    bool has_place = false;
    Waiter* next = nullptr;
  };
  enum class Entry { alone, among_many, without_a_place };
  Entry enter(bool is_brief);
  void wait_for_place(std::unique_lock<std::mutex>& lock);
  void leave() noexcept;
  void drop(const Waiter& waiter) noexcept;

  const int places_;
  mutable std::mutex mutex_{};
  int running_ = 0;
  std::size_t waiting_ = 0;
  Waiter* first_ = nullptr;
  Waiter** end_ = &first_;
};

}  // namespace mxinfer::runtime
