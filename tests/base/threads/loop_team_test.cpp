// Loops of a team whose helpers are plain threads.
#include "base/threads/loop_team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/networks/many.h"

namespace mxinfer {
namespace {

/// A team of which this thread is member 0.
class Team {
 public:
  explicit Team(int members) : team_(members) { team_.begin(start_); }
  ~Team() {
    team_.end();
    for (std::thread& helper : helpers_) helper.join();
  }

  LoopTeam& team() { return team_; }
  int summoned() const { return static_cast<int>(helpers_.size()); }

 private:
  std::vector<std::thread> helpers_;
  struct Start {
    Team& team;
    void operator()(int member) const {
      team.helpers_.emplace_back([&all = team.team_, member] { all.help(member); });
    }
  } start_{*this};
  LoopTeam team_;
  LoopTeam::Membership caller_{team_, 0};
};

TEST(LoopTeam, RunsEachPieceOnce) {
  for (const int members : {1, 2, 3, 8}) {
    Team team(members);
    for (int loop = 0; loop < test::many(300); ++loop) {
      std::vector<std::atomic<int>> visits(static_cast<std::size_t>(loop % 41));
      team.team().run(loop % 41, [&](std::int64_t piece) { ++visits[static_cast<std::size_t>(piece)]; });
      EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& times) { return times == 1; }))
          << members << " members, " << visits.size() << " pieces";
    }
  }
}

TEST(LoopTeam, PiecesMayRunLoopsToo) {
  constexpr std::int64_t kOuter = 7, kInner = 11, kInmost = 3;
  Team team(3);
  for (int loop = 0; loop < test::many(100); ++loop) {
    std::vector<std::atomic<int>> visits(kOuter * kInner * kInmost);
    team.team().run(kOuter, [&](std::int64_t i) {
      team.team().run(kInner, [&](std::int64_t j) {
        team.team().run(kInmost, [&](std::int64_t k) {
          ++visits[static_cast<std::size_t>((i * kInner + j) * kInmost + k)];
        });
      });
    });
    EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& times) { return times == 1; }));
  }
}

/// The caller's piece ends when the helper has begun the other one, whose loop then has both.
int pieces_by_caller(Team& team) {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> helper_began{false};
  std::atomic<int> by_caller{0};
  team.team().run(2, [&](std::int64_t) {
    if (std::this_thread::get_id() == caller) {
      for (int i = 0; i < 100 && !helper_began; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return;
    }
    helper_began = true;
    team.team().run(50, [&](std::int64_t) {
      if (std::this_thread::get_id() == caller) ++by_caller;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  });
  return by_caller;
}

TEST(LoopTeam, WhoWaitsForTheLoopHelpsWithTheLoopsOfItsPieces) {
  Team team(2);
  int by_caller = 0;
  // On a loaded machine the helper may come too late, or leave.
  for (int attempt = 0; attempt < 50 && by_caller == 0; ++attempt) by_caller = pieces_by_caller(team);
  EXPECT_GT(by_caller, 0);
}

TEST(LoopTeam, TheFirstExceptionEndsTheLoop) {
  Team team(3);
  std::atomic<int> begun{0};
  EXPECT_THROW(team.team().run(100000,
                               [&](std::int64_t) {
                                 ++begun;
                                 throw std::runtime_error("a piece");
                               }),
               std::runtime_error);
  EXPECT_LE(begun, 3) << "each member ends with its first";
  std::atomic<std::int64_t> sum{0};
  team.team().run(100, [&](std::int64_t piece) { sum += piece; });
  EXPECT_EQ(sum, 4950);
}

TEST(LoopTeam, IdleHelpersLeaveAndAreStartedAgain) {
  Team team(2);
  const auto loop = [&] {
    team.team().run(2, [](std::int64_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
  };
  loop();
  EXPECT_EQ(team.summoned(), 1);
  // A helper leaves after some hundred yields; a loaded machine may take its time.
  for (int i = 0; i < 200 && team.summoned() == 1; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    loop();
  }
  EXPECT_EQ(team.summoned(), 2);
}

TEST(LoopTeam, HelpersTakeTheCallersContextAlong) {
  Team team(2);
  CallContext context;
  const std::atomic<bool> cancelled{false};
  context.cancelled = &cancelled;
  const CallScope scope(context);
  std::atomic<int> without{0};
  for (int i = 0; i < test::many(200); ++i)
    team.team().run(8, [&](std::int64_t) { without += call_context().cancelled != &cancelled ? 1 : 0; });
  EXPECT_EQ(without, 0);
}

}  // namespace
}  // namespace mxinfer
