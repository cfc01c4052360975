// LoopTeam: the threads that run the loops of one call together. A network is a few hundred short loops, one
// behind the other; threads that slept between them would spend longer waking up than computing. Helpers
// therefore wait for the next loop actively, for a short time, and then leave.
//
//   LoopTeam team(4);
//   team.begin([&](int member) { start a thread that calls team.help(member); });
//   {
//     const LoopTeam::Membership caller(team, 0);
//     team.run(pieces, [&](std::int64_t piece) { ... });   // on this thread and the helpers that are there
//   }
//   team.end();                                            // then wait for the threads; it may begin again
//
// A member begins with its own share of the pieces and then takes what is left of the others' shares: the
// same rows of one loop after another stay in one core's cache, and a late helper delays nobody. Pieces may
// run loops too: other helpers take part in them, while the thread that waits for one takes no other work.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/function_ref.h"
#include "base/threads/call_context.h"

namespace mxinfer {

class LoopTeam {
 public:
  /// Starts a helper, which calls help(member). Called by member 0 alone, from run().
  using Summon = FunctionRef<void(int member)>;

  /// `members`: the caller, who is member 0, and the helpers there may be.
  explicit LoopTeam(int members);
  ~LoopTeam();
  LoopTeam(const LoopTeam&) = delete;
  LoopTeam& operator=(const LoopTeam&) = delete;

  /// No helper may be left. What `summon` refers to must live until end().
  void begin(Summon summon) noexcept;
  /// Makes helpers leave. No loop may be running.
  void end() noexcept { ended_.store(true, std::memory_order_release); }

  /// Makes this thread a member while it lives.
  class Membership {
   public:
    Membership(LoopTeam& team, int member) noexcept;
    ~Membership();
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    LoopTeam* team_before_;
    int member_before_;
  };

  /// The team that this thread is a member of, or null.
  static LoopTeam* current() noexcept;

  /// Calls piece(i) for each i in [0, pieces), on this thread, a member, and on helpers. Rethrows the first
  /// exception of a piece; pieces that have not begun by then are left out.
  void run(std::int64_t pieces, FunctionRef<void(std::int64_t)> piece);

  /// Takes part in loops until end(), or until there has been none for a while.
  void help(int member);

 private:
  struct Loop;
  using Clock = std::chrono::steady_clock;

  void summon_for(std::int64_t pieces);
  bool join_one(int member);
  bool join(Loop& loop, std::uint64_t& seen, int member);
  void work(Loop& loop, int member);
  void wait_for_helpers(Loop& loop, int member, bool may_help);

  const int members_;
  std::optional<Summon> summon_;
  std::vector<std::unique_ptr<Loop>> loops_;      ///< by the member that started it
  std::vector<std::vector<std::uint64_t>> seen_;  ///< by member, by loop: where it took part
  std::unique_ptr<std::atomic<bool>[]> present_;  ///< helpers that were started and have not left
  std::atomic<std::uint64_t> started_{0};         ///< loops so far
  std::atomic<bool> ended_{false};
};

}  // namespace mxinfer
