// Places in a thread budget: how many at a time, who is next, and on how many threads.
#include "runtime/thread_budget.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/threads/thread_arena.h"
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
  budget.run(
      [&] {
        EXPECT_EQ(threads_here(), 2);
        std::thread([&] { budget.run([] { EXPECT_EQ(threads_here(), 1); }, kAutomatic); }).join();
        EXPECT_EQ(budget.calls(), 1u);
      },
      kAutomatic);
  EXPECT_EQ(budget.calls(), 0u);
}

TEST(ThreadBudget, EitherModeCanBeAskedFor) {
  ThreadBudget budget(2);
  budget.run([] { EXPECT_EQ(threads_here(), 1); }, Scheduling::throughput);
  budget.run(
      [&] {
        std::thread([&] { budget.run([] { EXPECT_EQ(threads_here(), 2); }, Scheduling::latency); }).join();
      },
      kAutomatic);
}

/// Calls `inside` in a place, once `waiting` other calls, started one after another, wait for one.
void with_waiting(
    ThreadBudget& budget, std::size_t waiting, const std::function<void(int)>& call,
    const std::function<void()>& inside = [] {}) {
  std::vector<std::thread> threads;
  budget.run(
      [&] {
        for (std::size_t i = 0; i < waiting; ++i) {
          threads.emplace_back([&, i] { call(static_cast<int>(i)); });
          wait_for_calls(budget, i + 2);
        }
        inside();
      },
      kAutomatic);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.calls(), 0u);
}

TEST(ThreadBudget, SoManyHaveAPlaceAndTheFirstThatWaitsIsNext) {
  ThreadBudget budget(1);
  std::vector<int> order;
  with_waiting(
      budget, 5, [&](int i) { budget.run([&] { order.push_back(i); }, kAutomatic); },
      [&] { EXPECT_TRUE(order.empty()); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

TEST(ThreadBudget, NeverMoreThanItsPlacesCompute) {
  ThreadBudget budget(3);
  std::atomic<int> inside{0}, most{0}, done{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 12; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        budget.run(
            [&] {
              const int now = ++inside;
              int before = most;
              while (before < now && !most.compare_exchange_weak(before, now)) {
              }
              std::this_thread::sleep_for(50us);
              --inside;
              ++done;
            },
            kAutomatic);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(done, 600);
  EXPECT_LE(most, 3);
  EXPECT_EQ(budget.calls(), 0u);
}

TEST(ThreadBudget, WhatACallThrowsReachesItsCallerAndGivesThePlaceBack) {
  ThreadBudget budget(1);
  const auto throws = [] { throw std::out_of_range("of the call"); };
  EXPECT_THROW(budget.run(throws, kAutomatic), std::out_of_range);
  std::atomic<int> thrown{0};
  with_waiting(budget, 3, [&](int) {
    try {
      budget.run(throws, kAutomatic);
    } catch (const std::out_of_range&) {
      ++thrown;
    }
  });
  EXPECT_EQ(thrown, 3);
}

TEST(ThreadBudget, ACallInsideOfACallDoesNotWaitForIt) {
  ThreadBudget budget(1), other(1);
  ThreadArena arena(2);
  std::atomic<int> pieces{0};
  budget.run(
      [&] {
        budget.run([&] { other.run([&] { EXPECT_EQ(other.calls(), 0u); }, kAutomatic); }, kAutomatic);
        // Nor do the pieces of its loops, on whatever thread.
        arena.execute([&] {
          parallel_for(64, 1, [&](std::int64_t, std::int64_t) { budget.run([&] { ++pieces; }, kAutomatic); });
        });
        EXPECT_EQ(budget.calls(), 1u);
      },
      kAutomatic);
  EXPECT_EQ(pieces, 64);
}

TEST(ThreadBudget, ABriefCallDoesNotWait) {
  ThreadBudget budget(1);
  bool ran = false;
  budget.run([&] { std::thread([&] { budget.run([&] { ran = true; }, kAutomatic, true); }).join(); },
             kAutomatic);
  EXPECT_TRUE(ran);
}

TEST(ThreadBudget, AnyNumberComputesInOneWithoutABound) {
  ThreadBudget budget(0);
  bool ran = false;
  budget.run([&] { std::thread([&] { budget.run([&] { ran = true; }, kAutomatic); }).join(); }, kAutomatic);
  EXPECT_TRUE(ran);
}

TEST(ThreadBudget, ACallThatIsCancelledWhileItWaitsLeaves) {
  ThreadBudget budget(1);
  std::atomic<bool> cancelled{false};
  std::atomic<int> ran{0};
  with_waiting(
      budget, 2,
      [&](int i) {
        CallContext context;
        context.cancelled = i == 0 ? &cancelled : nullptr;
        const CallScope scope(context);
        if (i == 0) {
          EXPECT_MXINFER_ERROR(budget.run([&] { ++ran; }, kAutomatic), ErrorCode::cancelled, {});
        } else {
          budget.run([&] { ++ran; }, kAutomatic);
        }
      },
      [&] {
        cancelled = true;
        while (budget.calls() > 2) std::this_thread::yield();
      });
  EXPECT_EQ(ran, 1);
}

TEST(ThreadBudget, ACallKeepsItsContextOnAThreadOfTheBudget) {
  ThreadBudget budget(1);
  std::atomic<bool> cancelled{false};
  with_waiting(budget, 1, [&](int) {
    CallContext context;
    context.cancelled = &cancelled;
    const CallScope scope(context);
    budget.run(
        [&] {
          EXPECT_FALSE(is_cancelled());
          cancelled = true;
          EXPECT_TRUE(is_cancelled());
          EXPECT_TRUE(call_context().admitted);
        },
        kAutomatic);
    EXPECT_FALSE(call_context().admitted);
  });
}

}  // namespace
}  // namespace mxinfer::runtime
