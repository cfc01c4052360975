// The memory that an executor runs its plan in, and the threads.
#include "runtime/executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "base/threads/call_context.h"
#include "plan/run_plan.h"
#include "runtime/hand_made_plan.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::runtime {
namespace {

std::shared_ptr<const plan::Plan> plan_of(test::GraphBuilder& b, const Shape& input, int threads = 1) {
  plan::WeightStore weights;
  return plan::make_plan(b.graph(), {{DType::float32, input}}, {kernels::best_target(), threads}, weights);
}

void run(Executor& executor, const Tensor& input, Tensor& output, ThreadArena& arena) {
  const void* from = input.raw();
  void* to = output.raw();
  executor.run(&from, &to, arena);
}

void run_without_operands(Executor& executor, ThreadArena& arena) {
  executor.run(nullptr, nullptr, arena);
}

TEST(Executor, GivesTheSameWhateverRanBefore) {
  test::GraphBuilder b;
  auto x = b.op("transpose", {{"axes", "(1, 0)"}}, {b.input("data")});
  x = b.op("softmax", {{"axis", "1"}}, {x});
  b.head(b.op("transpose", {{"axes", "(1, 0)"}}, {x}));
  const Tensor one = test::random_tensor({9, 7}, 1), other = test::random_tensor({9, 7}, 2, -50, 50);
  Tensor first(DType::float32, {9, 7}), between(DType::float32, {9, 7}), again(DType::float32, {9, 7});
  Executor executor(plan_of(b, {9, 7}));
  ThreadArena arena(1);
  run(executor, one, first, arena);
  run(executor, other, between, arena);
  run(executor, one, again, arena);
  EXPECT_EQ(std::memcmp(first.raw(), again.raw(), first.bytes()), 0);
  EXPECT_NE(std::memcmp(first.raw(), between.raw(), first.bytes()), 0);
}

TEST(Executor, KeepsItsPlan) {
  auto plan = test::hand_made_plan({}, [](const ops::RunContext& run) { *run.output<int>(0) = 1; });
  const std::weak_ptr<plan::Plan> watched = plan;
  {
    Executor executor(std::move(plan));
    ThreadArena arena(1);
    run_without_operands(executor, arena);
    EXPECT_EQ(&executor.plan(), watched.lock().get());
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Executor, HasTheWorkspaceAndTheScratchOfEachThread) {
  auto plan = test::hand_made_plan({});
  plan->scratch_bytes = 100;
  plan->thread_scratch_bytes = 192;
  plan->threads = 3;
  EXPECT_EQ(Executor::bytes_for(*plan), plan::workspace_bytes(*plan) + 3 * 192);
}

TEST(Executor, ThreadsHaveScratchMemoryOfTheirOwn) {
  constexpr int kThreads = 3;
  constexpr std::size_t kScratch = 4 * kAlignment;
  std::atomic<int> misplaced{0}, shared{0};
  auto plan = test::hand_made_plan({}, [&](const ops::RunContext& run) {
    parallel_for(500, 1, [&](std::int64_t piece, std::int64_t) {
      std::byte* own = run.my_scratch();
      if (own < run.thread_scratch || own >= run.thread_scratch + kThreads * kScratch ||
          reinterpret_cast<std::uintptr_t>(own) % kAlignment != 0) {
        ++misplaced;
        return;
      }
      std::fill_n(own, kScratch, static_cast<std::byte>(piece));
      std::this_thread::yield();
      if (std::count(own, own + kScratch, static_cast<std::byte>(piece)) !=
          static_cast<std::ptrdiff_t>(kScratch))
        ++shared;
    });
  });
  plan->thread_scratch_bytes = kScratch;
  plan->threads = kThreads;
  Executor executor(plan);
  ThreadArena arena(kThreads);
  for (int i = 0; i < 5; ++i) run_without_operands(executor, arena);
  EXPECT_EQ(misplaced, 0);
  EXPECT_EQ(shared, 0);
}

TEST(Executor, ExecutorsOfOnePlanAreApartWhenTheyRunAtTheSameTime) {
  std::barrier both(2);
  const auto plan = test::hand_made_plan({{DType::uint8, Shape{1}}}, [&](const ops::RunContext& run) {
    std::byte* arena = run.output<std::byte>(1);
    std::fill_n(arena, test::kHandMadeArenaBytes, *run.input<std::byte>(0));
    both.arrive_and_wait();  // now both have written
    *run.output<bool>(0) = std::all_of(arena, arena + test::kHandMadeArenaBytes,
                                       [&](std::byte byte) { return byte == *run.input<std::byte>(0); });
    both.arrive_and_wait();
  });
  ThreadArena arena(1);
  bool intact[2] = {};
  std::vector<std::thread> threads;
  for (const std::uint8_t value : {0, 1}) {
    threads.emplace_back([&, value] {
      Executor executor(plan);
      const void* from = &value;
      void* to = &intact[value];
      executor.run(&from, &to, arena);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(intact[0]);
  EXPECT_TRUE(intact[1]);
}

TEST(Executor, StopsBetweenTheStepsOfACancelledCall) {
  std::atomic<bool> cancelled{false};
  std::atomic<int> steps{0};
  auto plan = test::hand_made_plan({}, [&](const ops::RunContext&) {
    cancelled = true;
    ++steps;
  });
  plan->steps.push_back(plan->steps[0]);
  Executor executor(plan);
  ThreadArena arena(1);
  CallContext context;
  context.cancelled = &cancelled;
  const CallScope scope(context);
  EXPECT_MXINFER_ERROR(run_without_operands(executor, arena), ErrorCode::cancelled, {});
  EXPECT_EQ(steps, 1);
}

TEST(Executor, RunsInsideOfTheArena) {
  for (const int threads : {1, 3}) {
    int seen = 0;
    std::thread::id thread;
    Executor executor(test::hand_made_plan({}, [&](const ops::RunContext&) {
      seen = arena_threads();
      thread = std::this_thread::get_id();
    }));
    ThreadArena arena(threads);
    run_without_operands(executor, arena);
    EXPECT_EQ(seen, threads);
    if (threads == 1) {
      EXPECT_EQ(thread, std::this_thread::get_id());
    }
  }
}

// Blocks whose pages are taken in stretches, of which the last is no whole one.
TEST(Executor, LargeMemoryIsAllThere) {
  constexpr std::size_t kBytes = (std::size_t{3} << 20) + 4097;
  for (const int threads : {1, 2}) {
    std::ptrdiff_t written = 0;
    auto plan = test::hand_made_plan({}, [&](const ops::RunContext& run) {
      std::byte* arena = run.output<std::byte>(0);
      std::fill_n(arena, kBytes, std::byte{7});
      std::fill_n(run.thread_scratch, kBytes, std::byte{8});
      written = std::count(arena, arena + kBytes, std::byte{7});
    });
    plan->arena_bytes = kBytes;
    plan->thread_scratch_bytes = kBytes;
    plan->threads = threads;
    Executor executor(plan);
    ThreadArena arena(threads);
    for (int i = 0; i < 2; ++i) run_without_operands(executor, arena);
    EXPECT_EQ(written, static_cast<std::ptrdiff_t>(kBytes));
  }
}

TEST(Executor, RunsAfterWeightsThatCouldNotBeRead) {
  for (const int threads : {1, 2}) {
    test::GraphBuilder b;
    const auto weight = b.parameter("weight", Tensor(DType::float32, {64, 64}));
    bool fails = true;
    b.graph().nodes[static_cast<std::size_t>(weight.node)].constant =
        std::make_shared<Parameter>(DType::float32, Shape{64, 64}, [&](void* dst) {
          if (fails) fail(ErrorCode::malformed, "the file is cut");
          std::fill_n(static_cast<float*>(dst), 64 * 64, 2.0f);
        });
    b.head(b.op("FullyConnected", {{"num_hidden", "64"}, {"no_bias", "True"}}, {b.input("data"), weight}));
    Executor executor(plan_of(b, {1, 64}, threads));
    Tensor input(DType::float32, {1, 64}), output(DType::float32, {1, 64});
    std::fill_n(input.data<float>(), 64, 0.5f);
    ThreadArena arena(threads);
    EXPECT_MXINFER_ERROR(run(executor, input, output, arena), ErrorCode::malformed, {"the file is cut"});
    fails = false;
    run(executor, input, output, arena);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(output.data<float>()[i], 64.0f);
  }
}

}  // namespace
}  // namespace mxinfer::runtime
