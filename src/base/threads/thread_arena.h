// A budget of threads, and loops that run on it. The one place that speaks to oneTBB.
//
//   ThreadArena arena(2);
//   arena.execute([&] { parallel_for(rows, 8, [&](int64_t begin, int64_t end) { ... }); });
//
// A loop is cut into pieces of `grain` iterations whose borders do not depend on the number of threads, so
// that what a piece computes is bitwise the same at any thread count.
#pragma once

#include <cstdint>
#include <memory>

#include "base/function_ref.h"

namespace mxinfer {

/// How many cores this process may compute on: those that its affinity names, and no more than its quota of
/// processor time (base/threads/cpu_quota.h), rounded up. At least 1.
int available_cores();

/// While it lives, loops of this thread run on this thread alone, in whatever arena it is.
class SerialScope {
 public:
  SerialScope() noexcept;
  ~SerialScope();
  SerialScope(const SerialScope&) = delete;
  SerialScope& operator=(const SerialScope&) = delete;
};

class ThreadArena {
 public:
  /// threads = 0: available_cores().
  explicit ThreadArena(int threads);
  ~ThreadArena();
  ThreadArena(const ThreadArena&) = delete;
  ThreadArena& operator=(const ThreadArena&) = delete;

  int threads() const noexcept { return threads_; }
  /// Runs body inside the arena; loops started in it use the arena's threads. Exceptions pass through. In an
  /// arena of one thread any number of callers run at the same time, each on its own thread; in a larger one
  /// up to threads() of them, and the others wait. In a SerialScope as in an arena of one thread.
  /// Error(out_of_memory) where the system refuses a thread.
  void execute(FunctionRef<void()> body);

 private:
  struct Impl;
  class Idle;
  void execute_in_arena(FunctionRef<void()> body);
  int threads_;
  std::unique_ptr<Impl> impl_;
};

/// Calls body(begin, end) for pieces of [0, count) of at most `grain` iterations, on the threads of the arena
/// that this thread is in; inline where one piece is all there is. What a body throws ends the loop and is
/// thrown here.
void parallel_for(std::int64_t count, std::int64_t grain,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body);

/// Runs body on this thread; while it waits for loops that it starts, the thread takes no work from outside
/// of it. For bodies of a loop that start loops themselves.
void isolate(FunctionRef<void()> body);

/// How many threads the arena has that this thread is in.
int arena_threads() noexcept;

/// The index of this thread in its arena, 0 .. threads - 1, for scratch memory of its own inside a loop.
int arena_thread_index() noexcept;

}  // namespace mxinfer
