// Loops on arenas: what they call, on which threads, and what arenas cost.
#include "base/threads/thread_arena.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "support/expect_error.h"
#include "support/networks/many.h"

namespace mxinfer {
namespace {

long resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  long size = 0, resident = 0;
  statm >> size >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

std::int64_t sum_of_hundred(ThreadArena& arena) {
  std::atomic<std::int64_t> sum{0};
  arena.execute([&] {
    parallel_for(100, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto i = begin; i < end; ++i) sum += i;
    });
  });
  return sum;
}

// Each of `count` threads calls body(its number).
template <typename Body>
void on_threads(int count, const Body& body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

// What oneTBB never gives back is taken once.
TEST(ThreadArena, MakingManyTakesNoMoreMemory) {
  const auto make = [](int count) {
    for (int i = 0; i < count; ++i) {
      ThreadArena two(2), three(3);
      ASSERT_EQ(sum_of_hundred(two) + sum_of_hundred(three), 2 * 4950);
    }
  };
  make(100);
  const long before = resident_bytes();
  make(2000);
  EXPECT_LT(resident_bytes() - before, 4 << 20);
}

TEST(ThreadArena, ThoseInUseAreApart) {
  ThreadArena a(2), b(2);
  EXPECT_EQ(sum_of_hundred(a), 4950);
  // A thread in one arena may use another; were they the same, the inner loop would find its places taken.
  a.execute([&] { EXPECT_EQ(sum_of_hundred(b), 4950); });
  EXPECT_EQ(a.threads(), 2);
}

TEST(ThreadArena, ZeroThreadsAreAllCores) {
  ThreadArena all(0);
  EXPECT_GE(all.threads(), 1);
  all.execute([&] { EXPECT_EQ(arena_threads(), all.threads()); });
}

TEST(ThreadArena, ExceptionsPassThroughAndLeaveItUsable) {
  for (const int threads : {1, 3}) {
    ThreadArena arena(threads);
    EXPECT_MXINFER_ERROR(arena.execute([] { fail(ErrorCode::malformed, "in the body"); }),
                         ErrorCode::malformed, {"in the body"});
    EXPECT_THROW(arena.execute([] { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_THROW(arena.execute([] { throw std::logic_error("no Error"); }), std::logic_error);
    EXPECT_EQ(sum_of_hundred(arena), 4950);
    // An arena of one thread that an exception has left is no longer around this thread.
    EXPECT_EQ(arena_threads(), ThreadArena(0).threads());
  }
}

TEST(ThreadArena, OfOneThreadRunsOnItsCallersThread) {
  ThreadArena arena(1);
  const auto caller = std::this_thread::get_id();
  std::vector<std::int64_t> begins;
  arena.execute([&] {
    EXPECT_EQ(arena_threads(), 1);
    EXPECT_EQ(arena_thread_index(), 0);
    parallel_for(10, 3, [&](std::int64_t begin, std::int64_t) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      begins.push_back(begin);
    });
  });
  EXPECT_EQ(begins, (std::vector<std::int64_t>{0, 3, 6, 9}));
}

TEST(ThreadArena, OfOneThreadInsideOfALargerOneIsSerialAndThenGone) {
  ThreadArena outer(3), inner(1);
  outer.execute([&] {
    EXPECT_EQ(arena_threads(), 3);
    inner.execute([] { EXPECT_EQ(arena_threads(), 1); });
    EXPECT_EQ(arena_threads(), 3);
  });
}

TEST(ThreadArena, OfOneThreadLetsCallersRunAtTheSameTime) {
  constexpr int kCallers = 5;
  ThreadArena arena(1);
  std::barrier all_inside(kCallers);  // never passed where one caller waits for another
  on_threads(kCallers, [&](int) { arena.execute([&] { all_inside.arrive_and_wait(); }); });
}

TEST(ThreadArena, HoldsNoMoreCallersThanThreads) {
  constexpr int kThreads = 3;
  ThreadArena arena(kThreads);
  std::atomic<int> inside{0}, most{0}, done{0};
  on_threads(8, [&](int) {
    for (int i = 0; i < test::many(200); ++i) {
      arena.execute([&] {
        const int now = ++inside;
        for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
        }
        std::this_thread::yield();
        --inside;
        ++done;
      });
    }
  });
  EXPECT_EQ(done, 8 * test::many(200));
  EXPECT_LE(most, kThreads);
}

TEST(ThreadArena, ManyCallersGetEachTheirOwnLoop) {
  for (const int threads : {1, 3}) {
    ThreadArena arena(threads);
    on_threads(8, [&](int) {
      for (int i = 0; i < test::many(100); ++i) EXPECT_EQ(sum_of_hundred(arena), 4950);
    });
  }
}

// Scratch memory is by thread index.
TEST(ThreadArena, NoTwoThreadsHaveOneIndexAtATime) {
  constexpr int kThreads = 4;
  ThreadArena arena(kThreads);
  std::atomic<int> users[kThreads] = {};
  std::atomic<int> outside{0}, shared{0};
  on_threads(3, [&](int) {
    arena.execute([&] {
      EXPECT_EQ(arena_threads(), kThreads);
      parallel_for(test::many(4000), 1, [&](std::int64_t, std::int64_t) {
        const int index = arena_thread_index();
        if (index < 0 || index >= kThreads) {
          ++outside;
          return;
        }
        if (users[index]++ != 0) ++shared;
        std::this_thread::yield();
        --users[index];
      });
    });
  });
  EXPECT_EQ(outside, 0);
  EXPECT_EQ(shared, 0);
}

// How often each of `count` iterations was run, and whether all pieces began at a multiple of the grain, as
// results that are the same at any thread count need.
void expect_each_once(ThreadArena& arena, std::int64_t count, std::int64_t grain) {
  std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
  std::atomic<int> wrong_borders{0};
  arena.execute([&] {
    parallel_for(count, grain, [&](std::int64_t begin, std::int64_t end) {
      if (begin % grain != 0 || end != std::min(begin + grain, count)) ++wrong_borders;
      for (auto i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
  });
  const auto once = std::count_if(visits.begin(), visits.end(), [](const auto& times) { return times == 1; });
  EXPECT_EQ(once, count) << "grain " << grain << ", threads " << arena.threads();
  EXPECT_EQ(wrong_borders, 0) << count << " by " << grain << ", threads " << arena.threads();
}

TEST(ParallelFor, RunsEachIterationOnceInPiecesOfTheGrain) {
  for (const int threads : {1, 2, 3, 5}) {
    ThreadArena arena(threads);
    for (const std::int64_t count : {1, 2, 7, 63, 64, 65, 1001}) {
      for (const std::int64_t grain : {1, 2, 3, 7, 64, 1000, 5000}) expect_each_once(arena, count, grain);
    }
  }
}

TEST(ParallelFor, CallsNothingWhereThereIsNothing) {
  for (const int threads : {1, 2}) {
    ThreadArena arena(threads);
    arena.execute([] {
      for (const std::int64_t count :
           {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
        parallel_for(count, 8, [](std::int64_t, std::int64_t) { ADD_FAILURE() << "a piece of nothing"; });
    });
  }
}

TEST(ParallelFor, RunsASinglePieceInline) {
  ThreadArena arena(3);
  arena.execute([] {
    for (int i = 0; i < 100; ++i) {
      const auto caller = std::this_thread::get_id();
      parallel_for(8, 8, [&](std::int64_t begin, std::int64_t end) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_EQ(std::pair(begin, end), std::pair(std::int64_t{0}, std::int64_t{8}));
      });
    }
  });
}

TEST(ParallelFor, LoopsInsideOfLoopsRunEachPairOnce) {
  constexpr std::int64_t kOuter = 13, kInner = 17;
  for (const int threads : {1, 2, 4}) {
    for (const bool isolated : {false, true}) {
      ThreadArena arena(threads);
      std::vector<std::atomic<int>> visits(kOuter * kInner);
      const auto inner_loop = [&](std::int64_t outer) {
        parallel_for(kInner, 3, [&](std::int64_t begin, std::int64_t end) {
          for (auto i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(outer * kInner + i)];
        });
      };
      arena.execute([&] {
        parallel_for(kOuter, 1, [&](std::int64_t outer, std::int64_t) {
          if (isolated) {
            isolate([&] { inner_loop(outer); });
          } else {
            inner_loop(outer);
          }
        });
      });
      EXPECT_TRUE(std::all_of(visits.begin(), visits.end(), [](const auto& times) { return times == 1; }))
          << "threads " << threads << ", isolated " << isolated;
    }
  }
}

// Several callers, so that on any machine there are threads that help one loop while others have pieces left.
TEST(Isolate, AWaitingThreadStartsNoSecondPieceOfAnOuterLoop) {
  constexpr int kCallers = 3, kLoops = 8, kPieces = 24;
  static thread_local int outer_pieces;
  ThreadArena arena(4);
  std::atomic<int> begun_inside_another{0}, done{0};
  const auto outer_loop = [&] {
    parallel_for(kPieces, 1, [&](std::int64_t, std::int64_t) {
      if (outer_pieces++ != 0) ++begun_inside_another;
      const auto starter = std::this_thread::get_id();
      isolate([&] {
        parallel_for(8, 1, [&](std::int64_t, std::int64_t) {
          // Who helps is slow, so that the starter has to wait.
          const bool helps = std::this_thread::get_id() != starter;
          std::this_thread::sleep_for(std::chrono::microseconds(helps ? 1000 : 50));
        });
      });
      --outer_pieces;
      ++done;
    });
  };
  on_threads(kCallers, [&](int) {
    for (int i = 0; i < kLoops; ++i) arena.execute(outer_loop);
  });
  EXPECT_EQ(done, kCallers * kLoops * kPieces);
  EXPECT_EQ(begun_inside_another, 0);
}

}  // namespace
}  // namespace mxinfer
