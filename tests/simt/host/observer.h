// Observer: told of what threads do by the functions of the emulator. The race detector (races/) and the
// counter of memory accesses (counts/) are observers. Their kernels are compiled with -fsanitize=thread and
// linked without it, so that each access calls a function of races/tsan_functions.cpp, which calls
// note_access().
#pragma once

#include <cstddef>
#include <cstdint>

#include "simt/thread.h"

namespace mxinfer::simt {

struct Launch;
struct AsyncCopy;

enum class Access : std::uint8_t { read, write, atomic };

/// What the lanes of a warp do as one.
enum class WarpOperation : std::uint8_t { product, exchange };

class Observer {
 public:
  virtual ~Observer() = default;
  /// While there is an observer, one launch runs at a time, on one OS thread.
  virtual void begin_launch(const Launch& launch) = 0;
  virtual void end_launch(const Launch&) {}
  /// Whether a block of the launch runs, by its number in the grid.
  virtual bool runs(std::uint64_t) { return true; }
  /// Whether all blocks run: else none waits for others, which may not be there.
  virtual bool runs_all() const { return true; }
  virtual void begin_block(const Block& block) = 0;
  virtual void end_block(const Block&) {}
  /// `code` is where the kernel does it. Fails for what must not be.
  virtual void access(const Thread& thread, const void* address, std::size_t bytes, Access kind,
                      const void* code) = 0;
  /// The thread gives ldmatrix a row of 16 bytes.
  virtual void load_matrix(const Thread& thread, const void* row, const void* code) {
    access(thread, row, 16, Access::read, code);
  }
  /// group_mma_*() has been asked for, or waited for, and reads the row between.
  virtual void keep_matrix(const Thread&, const void* /*row*/, const void* /*code*/) {}
  /// cp_async has been asked for, and has been waited for.
  virtual void begin_copy(const Thread& thread, const AsyncCopy& copy) = 0;
  virtual void end_copy(const Thread& thread, const AsyncCopy& copy) = 0;
  /// The thread waits until at most so many groups of its copies are not done.
  virtual void wait_for_copies(const Thread&, unsigned /*groups*/) {}
  /// The thread is at a barrier of the block.
  virtual void barrier(const Thread&) {}
  /// The thread tells other blocks that it has come so far; it has waited until they have.
  virtual void signal(const Thread&, const unsigned* /*counter*/) {}
  virtual void waited(const Thread&, const unsigned* /*counter*/) {}
  /// `instructions` of the kind: tiles of a product, or one shuffle or vote.
  virtual void warp_operation(const Warp&, WarpOperation, unsigned /*instructions*/) {}
};

/// Null if nobody watches. Set before main().
extern Observer* observer;

/// Tells the observer of an access by the thread that runs, unless it is to the thread's own variables.
void note_access(const void* address, std::size_t bytes, Access kind, const void* code);

}  // namespace mxinfer::simt
