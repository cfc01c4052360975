// BatchRunner: the items of a list side by side on the threads of an arena, with the error of each.
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

  /// Calls body(i) for each i below count; what it threw, by item.
  std::vector<std::exception_ptr> try_each(std::size_t count, Body body);
  /// Calls body(i) for each i below count. What a body throws is thrown again here, that of the smallest i,
  /// after the others have ended; with `errors`, every Error is kept there.
  void for_each(std::size_t count, Body body, std::vector<ItemError>* errors);

  ThreadArena& arena() const { return arena_; }

 private:
  ThreadArena& arena_;
};

}  // namespace mxinfer::runtime
