#include "base/threads/thread_arena.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/checked.h"
#include "base/fail.h"
#include "base/threads/call_context.h"
#include "base/threads/cpu_quota.h"
#include "base/threads/flush_denormals.h"
#include "base/threads/loop_team.h"
#include "base/threads/tsan_handover.h"

#if defined(MXINFER_THREAD_SANITIZER)
// oneTBB's threads hand memory to one another and clear it; so do OpenBLAS's callers with its buffers. The
// sanitizer sees the calls of memset and memcpy, but not the synchronisation.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  return "called_from_lib:libtbb.so\nrace:libopenblas.so\n";
}
#endif

namespace mxinfer {
namespace {

// Inside a SerialScope, loops run on the calling thread, and callers do not queue for slots.
thread_local int serial_depth = 0;

}  // namespace

SerialScope::SerialScope() noexcept {
  ++serial_depth;
}
SerialScope::~SerialScope() {
  --serial_depth;
}

int available_cores() {
  const int cores = tbb::info::default_concurrency();
  const std::optional<double> quota = cpu_quota();
  return quota ? std::clamp(static_cast<int>(std::ceil(*quota)), 1, cores) : cores;
}

struct ThreadArena::Impl {
  explicit Impl(int threads_of_arena)
      : threads(threads_of_arena), arena(threads, static_cast<unsigned>(slots_of_callers(threads))) {}

  // oneTBB has a thread for each core but one, and warns on standard error if an arena asks for more. The
  // remaining slots are for callers.
  static int slots_of_callers(int threads) {
    return std::max(1, threads - (tbb::info::default_concurrency() - 1));
  }

  void run_with_helpers(FunctionRef<void()> body);

  const int threads;
  tbb::task_arena arena;

 private:
  std::unique_ptr<LoopTeam> take_team();
  void keep_team(std::unique_ptr<LoopTeam> team);

  std::mutex teams_mutex_;
  std::vector<std::unique_ptr<LoopTeam>> teams_;  ///< that no call uses
};

// Unused arenas by size. oneTBB never frees some kilobytes of each arena that has run, so arenas are kept for
// the next ThreadArena with the same number of threads.
class ThreadArena::Idle {
 public:
  static Idle& instance() {
    static Idle& idle = *new Idle;  // never destroyed: destructors of static objects may still predict
    return idle;
  }

  std::unique_ptr<Impl> take(int threads) {
    {
      const std::lock_guard lock(mutex_);
      auto& same = by_threads_[threads];
      if (!same.empty()) {
        auto impl = std::move(same.back());
        same.pop_back();
        return impl;
      }
    }
    return std::make_unique<Impl>(threads);
  }

  void keep(int threads, std::unique_ptr<Impl> impl) noexcept {
    const std::lock_guard lock(mutex_);
    try {
      by_threads_[threads].push_back(std::move(impl));
    } catch (const std::bad_alloc&) {
      // Out of memory to keep it: drop the arena.
    }
  }

 private:
  std::mutex mutex_;
  std::map<int, std::vector<std::unique_ptr<Impl>>> by_threads_;
};

/// Runs body on this thread as the first member of a team, whose other members are threads of the arena.
void ThreadArena::Impl::run_with_helpers(FunctionRef<void()> body) {
  std::unique_ptr<LoopTeam> team = take_team();
  TsanHandover handover;
  tbb::task_group helpers;
  const auto summon = [&](int member) {
    helpers.run([&handover, &team, member] {
      const TsanHandover::Piece piece(handover);
      team->help(member);
    });
  };
  team->begin(summon);
  handover.hand_over();
  // Helpers have left before the team is another's, also if the body throws.
  struct End {
    LoopTeam& team;
    tbb::task_group& helpers;
    TsanHandover& handover;
    ~End() {
      team.end();
      helpers.wait();
      handover.take_back();
    }
  };
  {
    const End end{*team, helpers, handover};
    const LoopTeam::Membership caller(*team, 0);
    body();
  }
  keep_team(std::move(team));
}

std::unique_ptr<LoopTeam> ThreadArena::Impl::take_team() {
  {
    const std::lock_guard lock(teams_mutex_);
    if (!teams_.empty()) {
      std::unique_ptr<LoopTeam> team = std::move(teams_.back());
      teams_.pop_back();
      return team;
    }
  }
  return std::make_unique<LoopTeam>(threads);
}

void ThreadArena::Impl::keep_team(std::unique_ptr<LoopTeam> team) {
  const std::lock_guard lock(teams_mutex_);
  teams_.push_back(std::move(team));
}

ThreadArena::ThreadArena(int threads) : threads_(threads > 0 ? threads : available_cores()) {
  if (threads_ > 1) impl_ = Idle::instance().take(threads_);
}

ThreadArena::~ThreadArena() {
  if (impl_ != nullptr) Idle::instance().keep(threads_, std::move(impl_));
}

void ThreadArena::execute(FunctionRef<void()> body) {
  if (impl_ == nullptr || serial_depth > 0) {
    const SerialScope scope;
    body();
    return;
  }
  try {
    execute_in_arena(body);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& e) {
    // oneTBB throws this if the system refuses a thread.
    fail(ErrorCode::out_of_memory, "a call on ", threads_, " threads could not start one: ", e.what(),
         "; use fewer threads, or allow the process more threads or memory (ulimit -u, ulimit -v)");
  }
}

void ThreadArena::execute_in_arena(FunctionRef<void()> body) {
  // If this thread finds no slot in the arena, the body may run on another one.
  TsanHandover handover;
  const CallContext context = call_context();
  impl_->arena.execute([&] {
    const TsanHandover::Task task(handover);
    const CallScope scope(context);
    // In a region of its own: this thread must not run the helpers of another call while it waits for its
    // own.
    tbb::this_task_arena::isolate([&] { impl_->run_with_helpers(body); });
  });
}

void parallel_for(std::int64_t count, std::int64_t grain,
                  FunctionRef<void(std::int64_t begin, std::int64_t end)> body) {
  if (count <= 0) return;
  const std::int64_t pieces = ceil_div(count, grain);
  if (pieces == 1 || serial_depth > 0) {
    for (std::int64_t begin = 0; begin < count; begin += grain) {
      body(begin, begin + grain < count ? begin + grain : count);
    }
    return;
  }
  if (LoopTeam* const team = LoopTeam::current()) {
    team->run(pieces, [&](std::int64_t piece) {
      const std::int64_t begin = piece * grain;
      body(begin, begin + grain < count ? begin + grain : count);
    });
    return;
  }
  TsanHandover handover;
  const CallContext context = call_context();
  const bool flushes = flushes_denormals();
  tbb::parallel_for(
      std::int64_t{0}, pieces,
      [&](std::int64_t piece) {
        const TsanHandover::Piece piece_scope(handover);
        const CallScope scope(context);
        const FlushDenormals arithmetic(flushes);
        const std::int64_t begin = piece * grain;
        body(begin, begin + grain < count ? begin + grain : count);
      },
      tbb::auto_partitioner{});
}

void isolate(FunctionRef<void()> body) {
  if (serial_depth > 0 || LoopTeam::current() != nullptr) {
    body();
  } else {
    tbb::this_task_arena::isolate([&] { body(); });
  }
}

int arena_threads() noexcept {
  return serial_depth > 0 ? 1 : tbb::this_task_arena::max_concurrency();
}

int arena_thread_index() noexcept {
  return serial_depth > 0 ? 0 : tbb::this_task_arena::current_thread_index();
}

}  // namespace mxinfer
