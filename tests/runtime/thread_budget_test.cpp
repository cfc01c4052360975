// Places in a thread budget: how many at a time, who is next, and on how many threads.
#include "runtime/thread_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer::runtime {
namespace {

using namespace std::chrono_literals;

constexpr auto kAutomatic = Scheduling::automatic;

/// Threads that a loop would have here, in an arena of two.
int threads_here() {
  int threads = 0;
  ThreadArena arena(2);
  arena.execute([&] { threads = arena_threads(); });
  return threads;
}

void wait_for_calls(const ThreadBudget& budget, std::size_t calls) {
  while (budget.calls() < calls) std::this_thread::yield();
}

TEST(ThreadBudget, ACallAloneHasAllThreadsAndOneOfManyHasItsOwn) {
  ThreadBudget budget(2);
  const ThreadBudget::Place place(budget, kAutomatic);
  EXPECT_EQ(threads_here(), 2);
  std::thread([&] {
    const ThreadBudget::Place second(budget, kAutomatic);
    EXPECT_EQ(threads_here(), 1);
  }).join();
  EXPECT_EQ(budget.calls(), 1u);
}

TEST(ThreadBudget, EitherModeCanBeAskedFor) {
  ThreadBudget budget(2);
  {
    const ThreadBudget::Place place(budget, Scheduling::throughput);
    EXPECT_EQ(threads_here(), 1);
  }
  const ThreadBudget::Place first(budget, kAutomatic);
  std::thread([&] {
    const ThreadBudget::Place second(budget, Scheduling::latency);
    EXPECT_EQ(threads_here(), 2);
  }).join();
}

TEST(ThreadBudget, SoManyHaveAPlaceAndTheFirstThatWaitsIsNext) {
  ThreadBudget budget(1);
  std::vector<int> order;
  std::vector<std::thread> threads;
  {
    const ThreadBudget::Place place(budget, kAutomatic);
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&, i] {
        const ThreadBudget::Place next(budget, kAutomatic);
        order.push_back(i);  // one at a time
      });
      wait_for_calls(budget, static_cast<std::size_t>(i) + 2);
    }
    EXPECT_TRUE(order.empty());
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(budget.calls(), 0u);
}

TEST(ThreadBudget, ACallInsideOfACallDoesNotWaitForIt) {
  ThreadBudget budget(1), other(1);
  const ThreadBudget::Place outer(budget, kAutomatic);
  const ThreadBudget::Place inner(budget, kAutomatic), further(other, kAutomatic);
  EXPECT_EQ(budget.calls(), 1u);
  EXPECT_EQ(other.calls(), 0u);
  // Nor do the pieces of its loops, on whatever thread.
  ThreadArena arena(2);
  std::atomic<int> pieces{0};
  arena.execute([&] {
    parallel_for(64, 1, [&](std::int64_t, std::int64_t) {
      const ThreadBudget::Place piece(budget, kAutomatic);
      ++pieces;
    });
  });
  EXPECT_EQ(pieces, 64);
  EXPECT_EQ(budget.calls(), 1u);
}

TEST(ThreadBudget, ABriefCallDoesNotWait) {
  ThreadBudget budget(1);
  const ThreadBudget::Place place(budget, kAutomatic);
  std::thread([&] { const ThreadBudget::Place brief(budget, kAutomatic, true); }).join();
}

TEST(ThreadBudget, AnyNumberHasAPlaceInOneWithoutABound) {
  ThreadBudget budget(0);
  const ThreadBudget::Place place(budget, kAutomatic);
  std::thread([&] { const ThreadBudget::Place second(budget, kAutomatic); }).join();
  EXPECT_EQ(budget.calls(), 0u);
}

TEST(ThreadBudget, ACallThatIsCancelledWhileItWaitsLeaves) {
  ThreadBudget budget(1);
  std::atomic<bool> cancelled{false};
  std::thread waiting;
  {
    const ThreadBudget::Place place(budget, kAutomatic);
    waiting = std::thread([&] {
      CallContext context;
      context.cancelled = &cancelled;
      const CallScope scope(context);
      EXPECT_MXINFER_ERROR(ThreadBudget::Place(budget, kAutomatic), ErrorCode::cancelled, {});
    });
    wait_for_calls(budget, 2);
    std::thread last([&] { const ThreadBudget::Place behind(budget, kAutomatic); });
    wait_for_calls(budget, 3);
    cancelled = true;
    waiting.join();
    EXPECT_EQ(budget.calls(), 2u);
    waiting = std::move(last);
  }
  waiting.join();
  EXPECT_EQ(budget.calls(), 0u);
}

}  // namespace
}  // namespace mxinfer::runtime
