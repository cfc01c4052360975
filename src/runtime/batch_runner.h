// BatchRunner: runs the items of a list in parallel on the threads of an arena, and collects their errors.
//
//   BatchRunner runner(arena);
//   runner.for_each(images.size(), [&](std::size_t i) { rows[i] = transform(images[i]); }, &errors);
#pragma once

#include <mxinfer/item_error.h>

#include <cstddef>
#include <exception>
#include <vector>

#include "base/function_ref.h"
#include "base/threads/thread_arena.h"

namespace mxinfer::runtime {

/// Thread-safe.
class BatchRunner {
 public:
  using Body = FunctionRef<void(std::size_t item)>;

  /// `arena` must outlive it.
  explicit BatchRunner(ThreadArena& arena) : arena_(arena) {}

  /// Calls body(i) for each i below count; returns the exceptions by item.
  std::vector<std::exception_ptr> try_each(std::size_t count, Body body);
  /// Calls body(i) for each i below count. Rethrows the exception of the smallest i after all others have
  /// ended. With `errors`, stores every Error there instead.
  void for_each(std::size_t count, Body body, std::vector<ItemError>* errors);

  ThreadArena& arena() const { return arena_; }

 private:
  ThreadArena& arena_;
};

}  // namespace mxinfer::runtime
