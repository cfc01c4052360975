// TsanHandover: tells the thread sanitizer what oneTBB guarantees, because the sanitizer cannot see into that
// library. A task sees what the thread did before it started the task; when the tasks have ended, the thread
// sees what they did. In other builds the class is empty.
//
//   TsanHandover handover;  // lives until the tasks have ended
//   tbb::parallel_for(..., [&](std::int64_t i) {
//     const TsanHandover::Piece piece(handover);
//     ...
//   });
#pragma once

#if defined(MXINFER_THREAD_SANITIZER)
#include "base/threads/thread_arena.h"

extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace mxinfer {

class TsanHandover {
#if defined(MXINFER_THREAD_SANITIZER)

 public:
  TsanHandover() {
    __tsan_release(&start_);
  }
  ~TsanHandover() {
    __tsan_acquire(&end_);
  }
  TsanHandover(const TsanHandover&) = delete;
  TsanHandover& operator=(const TsanHandover&) = delete;

  /// What this thread has done since the handover began, tasks see from here on.
  void hand_over() {
    __tsan_release(&start_);
  }
  /// When the tasks have been waited for, before the handover ends.
  void take_back() {
    __tsan_acquire(&end_);
  }

  /// Around a task.
  class Task {
   public:
    explicit Task(TsanHandover& handover) : handover_(handover) { __tsan_acquire(&handover_.start_); }
    ~Task() { __tsan_release(&handover_.end_); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    TsanHandover& handover_;
  };

  /// Around a piece of a loop. A thread may leave its slot in an arena before a loop has ended; another
  /// thread then takes the slot and its scratch memory.
  class Piece {
   public:
    explicit Piece(TsanHandover& handover) : task_(handover) { __tsan_acquire(&slot_); }
    ~Piece() { __tsan_release(&slot_); }
    Piece(const Piece&) = delete;
    Piece& operator=(const Piece&) = delete;

   private:
    static char& slot_of_thread() {
      static char slots[64];
      return slots[arena_thread_index() % 64];
    }
    Task task_;
    char& slot_ = slot_of_thread();
  };

 private:
  char start_ = 0, end_ = 0;
#else

 public:
  struct Task {
    explicit Task(TsanHandover& /*handover*/) {}
  };
  using Piece = Task;
  void hand_over() {}
  void take_back() {}
#endif
};

}  // namespace mxinfer
