// A thread of the emulated GPU, its warp and its block; what kernels ask them; and __syncthreads.
//
// A failed check ends the launch: fail() leaves all threads of the block where they are, and the launch gives
// a status whose text is the message (launch.h). A kernel's objects are not destroyed then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "simt/vector_types.h"

namespace mxinfer::simt {

struct Context;
struct Runner;
struct AsyncCopies;
struct GroupProducts;
struct Thread;

/// Where a kernel is, and what it does there: "__syncthreads() at kernels/pool_nd/pool.cu:12".
struct Place {
  const char* operation = nullptr;
  const char* file = nullptr;
  unsigned line = 0;
  bool operator==(const Place& other) const {
    return line == other.line && is_same(operation, other.operation) && is_same(file, other.file);
  }

 private:
  static bool is_same(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }
};

/// 32 threads, or the rest of a block.
struct Warp {
  Thread* lanes = nullptr;
  unsigned count = 0;
  unsigned waiting = 0;  ///< lanes in an operation of the warp, a bit each
  unsigned exited = 0;
  unsigned epoch = 0;  ///< how many __syncwarp there have been
};

struct Block {
  Runner* runner = nullptr;
  uint3 index{};
  std::uint64_t number = 0;
  dim3 size, grid;
  unsigned threads = 0;
  unsigned at_barrier = 0;
  unsigned exited = 0;
  unsigned epoch = 0;             ///< how many barriers there have been
  Thread* first_there = nullptr;  ///< at the barrier
  std::byte* shared = nullptr;
  std::size_t shared_bytes = 0;
};

struct Thread {
  uint3 index{};
  unsigned number = 0, lane = 0;  ///< in the block, in the warp
  Block* block = nullptr;
  Warp* warp = nullptr;
  Context* context = nullptr;  ///< null before it starts
  bool exited = false;
  Place place;  ///< operation is null while it does not wait
  unsigned mask = 0;
  const void* in = nullptr;
  void* out = nullptr;
  AsyncCopies* copies = nullptr;
  GroupProducts* products = nullptr;
};

/// The thread that runs; null outside of kernels.
extern constinit thread_local Thread* self __attribute__((tls_model("initial-exec")));

/// "thread (3,0,0)", and the same with where it waits.
std::string name_of(const Thread& thread);
std::string describe(const Thread& thread);
std::string describe(const Place& place);

/// Ends the launch with a message. It is moved from.
[[noreturn]] void stop(std::string&& message);
/// The same with what `message()` returns: the caller's own strings would never be destroyed.
template <typename Message>
[[noreturn]] void fail(const Message& message) {
  stop(message());
}

/// What a warp does as one: `in` and `out` of the lanes are on their stacks.
using Compute = void (*)(Warp& warp, unsigned mask);

/// Blocks until all lanes of the mask are at the same place; the last calls `compute`.
void collective(unsigned mask, const void* in, void* out, Compute compute, const Place& place);
void barrier(const Place& place);

}  // namespace mxinfer::simt

#define threadIdx (::mxinfer::simt::self->index)
#define blockIdx (::mxinfer::simt::self->block->index)
#define blockDim (::mxinfer::simt::self->block->size)
#define gridDim (::mxinfer::simt::self->block->grid)

inline void __syncthreads(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
  ::mxinfer::simt::barrier({"__syncthreads()", file, line});
}
/// Ends the launch: what should not be has been.
[[noreturn]] void __trap(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE());
