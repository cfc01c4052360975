// A budget of threads, and loops that run on it. The only code that uses oneTBB.
//
//   ThreadArena arena(2);
//   arena.execute([&] { parallel_for(rows, 8, [&](int64_t begin, int64_t end) { ... }); });
//
// A loop is cut into pieces of `grain` iterations whose bounds do not depend on the number of threads, so
// results are bitwise the same at any thread count.
#pragma once

#include <cstdint>
#include <memory>

#include "base/function_ref.h"

namespace mxinfer {

/// How many cores this process may use: those of its affinity mask, but no more than its CPU quota
/// (base/threads/cpu_quota.h), rounded up. At least 1.
int available_cores();

/// While it lives, loops of this thread run on this thread alone, in any arena.
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
  /// arena of one thread, and in a SerialScope, any number of callers run at the same time, each on its own
  /// thread; in a larger arena up to threads() of them, and the others wait. Throws Error(out_of_memory) if
  /// the system refuses a thread.
  void execute(FunctionRef<void()> body);

 private:
  struct Impl;
  class Idle;
  void execute_in_arena(FunctionRef<void()> body);
  int threads_;
  std::unique_ptr<Impl> impl_;
};

/// Calls body(begin, end) for pieces of [0, count) of at most `grain` iterations, on the threads of this
/// thread's arena; inline if there is only one piece. An exception from a body ends the loop and is rethrown
/// here.
void parallel_for(std::int64_t count, std::int64_t grain,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body);

/// Runs body on this thread. While the body waits for loops that it starts, the thread takes no other work.
/// For loop bodies that start loops themselves.
void isolate(FunctionRef<void()> body);

/// The number of threads of this thread's arena.
int arena_threads() noexcept;

/// The index of this thread in its arena, 0 .. threads - 1, for per-thread scratch memory inside a loop.
int arena_thread_index() noexcept;

}  // namespace mxinfer
