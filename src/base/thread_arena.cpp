#include "base/thread_arena.h"

#include "base/checked.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace mxinfer {

struct ThreadArena::Impl {
  explicit Impl(int threads) : arena(threads) {}
  tbb::task_arena arena;
};

ThreadArena::ThreadArena(int threads) : threads_(threads > 0 ? threads : tbb::info::default_concurrency()) {
  impl_ = std::make_unique<Impl>(threads_);
}

ThreadArena::~ThreadArena() = default;

void ThreadArena::execute(FunctionRef<void()> body) {
  impl_->arena.execute([&] { body(); });
}

void parallel_for(std::int64_t count, std::int64_t grain,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body) {
  if (count <= 0) return;
  const std::int64_t pieces = ceil_div(count, grain);
  if (pieces == 1) {
    body(0, count);
    return;
  }
  tbb::parallel_for(
      std::int64_t{0}, pieces,
      [&](std::int64_t piece) {
        const std::int64_t begin = piece * grain;
        body(begin, begin + grain < count ? begin + grain : count);
      },
      tbb::auto_partitioner{});
}

int arena_thread_index() noexcept { return tbb::this_task_arena::current_thread_index(); }

}  // namespace mxinfer
