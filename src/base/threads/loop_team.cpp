#include "base/threads/loop_team.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/threads/flush_denormals.h"
#include "base/threads/tsan_handover.h"

namespace mxinfer {
namespace {

struct Current {
  LoopTeam* team = nullptr;
  int member = 0;
};
thread_local Current current_team;

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// Waits actively: at first for itself alone, and then lets other threads have the core in between.
class ActiveWait {
 public:
  /// Returns false once the wait has been long.
  bool once() {
    constexpr int kPausesAlone = 400, kMostYields = 200;
    if (++count_ < kPausesAlone) {
      pause();
      return true;
    }
    std::this_thread::yield();
    return count_ < kPausesAlone + kMostYields;
  }
  void restart() { count_ = 0; }

 private:
  int count_ = 0;
};

/// The pieces of a member that nobody has taken.
struct alignas(64) Share {
  std::atomic<std::int64_t> next{0};
  std::int64_t end = 0;
};

}  // namespace

struct alignas(64) LoopTeam::Loop {
  explicit Loop(int members) : shares(static_cast<std::size_t>(members)) {}

  /// Its number while helpers may enter, else 0. A helper counts itself in before it looks, and the starter
  /// closes the loop before it looks at the count, so that one of them sees the other.
  std::atomic<std::uint64_t> open{0};
  std::atomic<int> inside{0};
  bool is_used = false;  ///< by its starter
  bool flushes = false;
  std::atomic<bool> has_failed{false};
  FunctionRef<void(std::int64_t)>* piece = nullptr;
  CallContext context;
  std::vector<Share> shares;
  std::exception_ptr error;
  std::mutex error_mutex;

  void fail(std::exception_ptr thrown) {
    const std::lock_guard lock(error_mutex);
    if (error == nullptr) error = std::move(thrown);
    has_failed.store(true, std::memory_order_relaxed);
  }
};

LoopTeam::LoopTeam(int members)
    : members_(members),
      seen_(static_cast<std::size_t>(members), std::vector<std::uint64_t>(static_cast<std::size_t>(members))),
      present_(std::make_unique<std::atomic<bool>[]>(static_cast<std::size_t>(members))) {
  for (int i = 0; i < members; ++i) loops_.push_back(std::make_unique<Loop>(members));
}
LoopTeam::~LoopTeam() = default;

void LoopTeam::begin(Summon summon) noexcept {
  summon_ = summon;
  ended_.store(false, std::memory_order_release);
}

LoopTeam::Membership::Membership(LoopTeam& team, int member) noexcept
    : team_before_(current_team.team), member_before_(current_team.member) {
  current_team = {&team, member};
}
LoopTeam::Membership::~Membership() {
  current_team = {team_before_, member_before_};
}

LoopTeam* LoopTeam::current() noexcept {
  return current_team.team;
}

void LoopTeam::run(std::int64_t pieces, FunctionRef<void(std::int64_t)> piece) {
  const int member = current_team.member;
  Loop& loop = *loops_[static_cast<std::size_t>(member)];
  if (loop.is_used || pieces == 1) {
    // A loop of this thread's own loop: the others are busy with that one.
    for (std::int64_t i = 0; i < pieces; ++i) piece(i);
    return;
  }
  if (member == 0) summon_for(pieces);
  loop.is_used = true;
  loop.piece = &piece;
  loop.context = call_context();
  loop.flushes = flushes_denormals();
  loop.has_failed.store(false, std::memory_order_relaxed);
  loop.error = nullptr;
  const std::int64_t shares = std::min<std::int64_t>(members_, pieces);
  for (std::int64_t i = 0; i < members_; ++i) {
    Share& share = loop.shares[static_cast<std::size_t>(i)];
    share.next.store(i < shares ? pieces * i / shares : pieces, std::memory_order_relaxed);
    share.end = i < shares ? pieces * (i + 1) / shares : pieces;
  }
  loop.open.store(started_.load(std::memory_order_relaxed) + 1);
  started_.fetch_add(1);
  work(loop, member);
  loop.open.store(0);
  wait_for_helpers(loop, member, member == 0);
  loop.is_used = false;
  if (loop.error != nullptr) std::rethrow_exception(std::exchange(loop.error, nullptr));
}

void LoopTeam::summon_for(std::int64_t pieces) {
  const std::int64_t wanted = std::min<std::int64_t>(members_, pieces);
  for (int i = 1; i < wanted; ++i) {
    std::atomic<bool>& present = present_[static_cast<std::size_t>(i)];
    if (present.load(std::memory_order_acquire)) continue;
    present.store(true, std::memory_order_relaxed);
    try {
      (*summon_)(i);
    } catch (...) {
      present.store(false, std::memory_order_relaxed);
      throw;
    }
  }
}

void LoopTeam::work(Loop& loop, int member) {
  const auto count = static_cast<int>(loop.shares.size());
  for (int i = 0; i < count; ++i) {
    Share& share = loop.shares[static_cast<std::size_t>((member + i) % count)];
    while (share.next.load(std::memory_order_relaxed) < share.end) {
      const std::int64_t mine = share.next.fetch_add(1, std::memory_order_relaxed);
      if (mine >= share.end) break;
      if (loop.has_failed.load(std::memory_order_relaxed)) return;
      try {
        (*loop.piece)(mine);
      } catch (...) {
        loop.fail(std::current_exception());
        return;
      }
    }
  }
}

bool LoopTeam::join(Loop& loop, std::uint64_t& seen, int member) {
  const std::uint64_t number = loop.open.load(std::memory_order_acquire);
  if (number == 0 || number == seen) return false;
  loop.inside.fetch_add(1);
  const std::uint64_t now = loop.open.load();
  const bool joins = now != 0 && now != seen;
  if (joins) {
    seen = now;
    const CallScope scope(loop.context);
    const FlushDenormals arithmetic(loop.flushes);
    work(loop, member);
  }
  loop.inside.fetch_sub(1);
  return joins;
}

bool LoopTeam::join_one(int member) {
  auto& seen = seen_[static_cast<std::size_t>(member)];
  bool joined = false;
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    if (static_cast<int>(i) != member) joined = join(*loops_[i], seen[i], member) || joined;
  }
  return joined;
}

void LoopTeam::wait_for_helpers(Loop& loop, int member, bool may_help) {
  ActiveWait wait;
  while (loop.inside.load() != 0) {
    // Its pieces are taken; those that still run may have loops of their own.
    if (may_help && join_one(member)) {
      wait.restart();
    } else {
      wait.once();
    }
  }
}

void LoopTeam::help(int member) {
  const Membership membership(*this, member);
  ActiveWait wait;
  std::uint64_t seen = 0;
  while (!ended_.load(std::memory_order_acquire)) {
    const std::uint64_t started = started_.load(std::memory_order_acquire);
    if (started != seen) {
      seen = started;
      if (join_one(member)) wait.restart();
      continue;
    }
    if (!wait.once()) break;
  }
  present_[static_cast<std::size_t>(member)].store(false, std::memory_order_release);
}

}  // namespace mxinfer
