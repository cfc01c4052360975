// Runner: runs blocks on the OS thread that calls it. Its threads are fibers that take turns: one that blocks
// goes on with the next of a queue. A thread needs a stack of its own only once it blocks; one that ends
// gives its stack to the next that starts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "simt/host/context.h"
#include "simt/host/launch.h"
#include "simt/host/options.h"
#include "simt/thread.h"

namespace mxinfer::simt {

inline constexpr unsigned kMostThreads = 1024;

/// A sequence of numbers that a seed gives, the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  unsigned below(unsigned count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<unsigned>((state_ >> 33) % count);
  }

 private:
  std::uint64_t state_;
};

struct Runner {
  Runner();
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// The message of the check that failed; empty if none did.
  std::string run(const Launch& launch, const Options& options, std::uint64_t block_number);

  /// The same of a block whose threads wait for other blocks: begin(), then go_on(), which returns when all
  /// of its threads have ended or wait, as often as it can_go_on().
  void begin(const Launch& launch, const Options& options, std::uint64_t block_number);
  bool can_go_on() const;
  std::string go_on();
  bool has_ended() const { return block.exited == block.threads; }
  std::string nothing_runs() const;

  // For the operations that threads of the block do.
  void make_ready(Thread* threads, unsigned count, unsigned mask = ~0u);  ///< in the schedule's order
  void block_self();                                                      ///< until it is made ready
  void wait_for(const unsigned* counter, unsigned count);                 ///< another block to count so far
  [[noreturn]] void stop(std::string&& message);

  /// Whether the address is in what the emulator keeps of the block, or an argument of the kernel.
  bool is_own(const void* address) const;

  const Launch* launch = nullptr;
  Options options;
  Block block;

 private:
  void prepare(const Launch& of, const Options& with, std::uint64_t block_number);
  void fill_shared();
  void main_of_context();
  void end_thread();
  void start_or_continue(Thread* next, Context& from, bool abandoned);
  static void enter();

  /// A thread that waits for other blocks.
  struct Waiter {
    Thread* thread;
    const unsigned* counter;
    unsigned count;
    bool is_served() const { return __atomic_load_n(counter, __ATOMIC_RELAXED) >= count; }
  };

  Stacks stacks_;
  Context outside_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<AsyncCopies> copies_;
  std::vector<GroupProducts> products_;
  // A queue in a ring: no thread is in it twice.
  std::vector<Thread*> ready_;
  unsigned first_ready_ = 0, ready_count_ = 0;
  std::vector<Waiter> waiters_;
  std::byte* shared_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::string message_;
  Random random_{0};
};

/// The runner of the thread that runs.
inline Runner& runner() {
  return *self->block->runner;
}

}  // namespace mxinfer::simt
