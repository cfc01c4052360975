// The plans of a predictor: one for each set of input shapes, and workspaces that wait for the next call.
#include "runtime/plan_cache.h"

#include <gtest/gtest.h>
#include <mxinfer/log.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::runtime {
namespace {

using test::GraphBuilder;

// A cache for the network sum(softmax(x)), whose data is an array of any length, and which keeps as many
// values in between.
class PlanCacheTest : public testing::Test {
 protected:
  PlanCacheTest() {
    network_.head(network_.op("sum", {}, {network_.op("softmax", {}, {network_.input("data")})}));
  }

  PlanCache cache(const MemoryLimits& limits) {
    memory_ = std::make_shared<MemoryBudget>(limits);
    return {memory_, planner_, network_.graph()};
  }

  static Tensor data(std::int64_t length) { return test::random_tensor({length}, 1); }

  static PlanCache::Lease lease(PlanCache& cache, std::int64_t length) {
    const Tensor input = data(length);
    const TensorView view = input.view();
    return cache.lease({&view, 1});
  }

  static PredictorStats stats(PlanCache& cache) {
    PredictorStats stats;
    cache.add_to(stats);
    return stats;
  }

  static std::size_t workspace_bytes_of(PlanCache& cache, std::int64_t length) {
    return Executor::bytes_for(lease(cache, length)->plan());
  }

  const graph::Graph& graph() { return network_.graph(); }

 private:
  GraphBuilder network_;

 protected:
  std::shared_ptr<MemoryBudget> memory_;
  plan::WeightStore weights_;
  Planner planner_{"the model", {kernels::best_target(), 1}, weights_};
};

TEST_F(PlanCacheTest, MakesOnePlanForEachShape) {
  PlanCache plans = cache({4, 4});
  for (const std::int64_t length : {3, 5, 3, 5, 3}) lease(plans, length);
  EXPECT_EQ(stats(plans).plans_made, 2u);
  const PredictorStats found = stats(plans);
  EXPECT_EQ(found.calls, 5u);
  EXPECT_EQ(found.plan_misses, 2u);
  EXPECT_EQ(found.plans_made, 2u);
  EXPECT_EQ(found.plans, 2u);
}

TEST_F(PlanCacheTest, DropsTheLeastRecentlyUsedPlan) {
  PlanCache plans = cache({2, 4});
  lease(plans, 3);
  lease(plans, 5);
  lease(plans, 3);
  lease(plans, 7);  // for which 5 goes
  EXPECT_EQ(stats(plans).plans, 2u);
  lease(plans, 3);
  EXPECT_EQ(stats(plans).plans_made, 3u);
  lease(plans, 5);
  EXPECT_EQ(stats(plans).plans_made, 4u);
}

TEST_F(PlanCacheTest, KeepsOnePlanAtLeast) {
  PlanCache plans = cache({0, 4});
  lease(plans, 3);
  lease(plans, 3);
  EXPECT_EQ(stats(plans).plans_made, 1u);
  EXPECT_EQ(stats(plans).plans, 1u);
}

TEST_F(PlanCacheTest, NobodyWaitsForALogThatReportsADroppedPlan) {
  PlanCache plans = cache({0, 4});
  std::vector<std::string> logged;
  set_log_callback(
      [&](LogLevel, std::string_view text) {
        if (text.find("was dropped") == std::string_view::npos) return;
        logged.emplace_back(text);
        if (logged.size() == 1) std::thread([&] { lease(plans, 7); }).join();
      },
      LogLevel::debug);
  lease(plans, 3);
  lease(plans, 5);
  set_log_callback({});
  ASSERT_EQ(logged.size(), 2u);
  EXPECT_NE(logged[0].find("at most 1 are kept"), std::string::npos) << logged[0];
}

TEST_F(PlanCacheTest, ALeaseOutlivesItsPlanInTheCache) {
  PlanCache plans = cache({1, 4});
  const Tensor input = data(3);
  std::optional<PlanCache::Lease> held(lease(plans, 3));
  lease(plans, 5);
  ThreadArena threads(1);
  Tensor output(DType::float32, {3});
  const void* inputs[] = {input.raw()};
  void* outputs[] = {output.raw()};
  (*held)->run(inputs, outputs, threads);
  for (int i = 0; i < 3; ++i) EXPECT_GE(output.data<float>()[i], 0.0f);
  EXPECT_EQ(stats(plans).running, 1u);
  held.reset();
  EXPECT_EQ(stats(plans).running, 0u);
  EXPECT_EQ(stats(plans).plans, 1u);
}

TEST_F(PlanCacheTest, AWorkspaceIsUsedAgain) {
  PlanCache plans = cache({4, 4});
  const Executor* first = lease(plans, 3).operator->();
  EXPECT_EQ(stats(plans).idle_executors, 1u);
  EXPECT_EQ(lease(plans, 3).operator->(), first);
}

TEST_F(PlanCacheTest, CallsAtTheSameTimeHaveAWorkspaceEach) {
  PlanCache plans = cache({4, 1});
  {
    const auto one = lease(plans, 3), other = lease(plans, 3);
    EXPECT_NE(one.operator->(), other.operator->());
    EXPECT_EQ(stats(plans).running, 2u);
    EXPECT_EQ(memory_->workspace_bytes(), 2 * Executor::bytes_for(one->plan()));
    EXPECT_EQ(memory_->idle_bytes(), 0u);
  }
  EXPECT_EQ(stats(plans).idle_executors, 1u) << "more than the limit are kept";
}

TEST_F(PlanCacheTest, TrimLetsIdleWorkspacesGoAndNoOthers) {
  PlanCache plans = cache({4, 4});
  const auto running = lease(plans, 1000);
  lease(plans, 1000);
  const std::size_t before = memory_->workspace_bytes();
  const std::size_t freed = plans.trim();
  EXPECT_EQ(freed, Executor::bytes_for(running->plan()));
  EXPECT_EQ(memory_->workspace_bytes(), before - freed);
  EXPECT_EQ(memory_->idle_bytes(), 0u);
  EXPECT_EQ(stats(plans).idle_executors, 0u);
  EXPECT_EQ(stats(plans).running, 1u);
  lease(plans, 1000);
  EXPECT_EQ(stats(plans).plans_made, 1u) << "plans stay";
}

TEST_F(PlanCacheTest, IdleMemoryIsCountedWhateverBecomesOfThePlan) {
  {
    PlanCache plans = cache({1, 4});
    lease(plans, 100);
    EXPECT_EQ(memory_->idle_bytes(), memory_->workspace_bytes());
    EXPECT_GT(memory_->plan_bytes(), 0u);
    lease(plans, 200);  // the plan of 100 goes, with its workspace
    EXPECT_EQ(memory_->workspace_bytes(), workspace_bytes_of(plans, 200));
    {
      const auto held = lease(plans, 200);
      lease(plans, 300);  // that of 200 is in use
    }
    EXPECT_EQ(memory_->workspace_bytes(), workspace_bytes_of(plans, 300));
  }
  EXPECT_EQ(memory_->workspace_bytes(), 0u);
  EXPECT_EQ(memory_->idle_bytes(), 0u);
  EXPECT_EQ(memory_->plan_bytes(), 0u);
}

TEST_F(PlanCacheTest, PlansAndIdleWorkspacesAreBoundedInBytes) {
  constexpr std::int64_t kLarge = 100'000;
  const std::size_t room = [&] {
    PlanCache plans = cache({8, 8});
    lease(plans, kLarge);
    return memory_->workspace_bytes() + memory_->plan_bytes();
  }();
  MemoryLimits limits{8, 8};
  limits.kept_bytes = 2 * room + room / 2;
  PlanCache plans = cache(limits);
  for (const std::int64_t more : {0, 1, 2, 3}) lease(plans, kLarge + more);
  EXPECT_EQ(stats(plans).plans, 2u);
  EXPECT_LE(memory_->plan_bytes() + memory_->idle_bytes(), limits.kept_bytes);
  { const auto a = lease(plans, kLarge), b = lease(plans, kLarge), c = lease(plans, kLarge); }
  EXPECT_EQ(stats(plans).idle_executors, 2u) << "of three that were in use, two are kept";
  EXPECT_LE(memory_->plan_bytes() + memory_->idle_bytes(), limits.kept_bytes);
}

TEST_F(PlanCacheTest, ThePlanUsedLastStaysWithAWorkspaceHoweverLargeItIs) {
  MemoryLimits limits{8, 8};
  limits.kept_bytes = 0;
  PlanCache plans = cache(limits);
  for (int i = 0; i < 3; ++i) lease(plans, 1000);
  EXPECT_EQ(stats(plans).plans_made, 1u);
  EXPECT_EQ(stats(plans).idle_executors, 1u);
}

TEST_F(PlanCacheTest, ACallThatNeedsMoreThanThereMayBeFailsAlone) {
  constexpr std::int64_t kLength = 100'000;
  const std::size_t room = [&] {
    PlanCache plans = cache({8, 8});
    return workspace_bytes_of(plans, kLength);
  }();
  MemoryLimits limits{8, 8};
  limits.bytes = room + room / 2;
  PlanCache plans = cache(limits);
  {
    const auto running = lease(plans, kLength);
    EXPECT_MXINFER_ERROR(lease(plans, kLength), ErrorCode::out_of_memory, {"Options::max_memory_bytes"});
    EXPECT_MXINFER_ERROR(lease(plans, 10 * kLength), ErrorCode::out_of_memory, {"bytes are needed"});
    lease(plans, 10);  // for which there is room
  }
  lease(plans, kLength);
  EXPECT_EQ(stats(plans).plans_made, 3u) << "plans stayed, for they would not have helped";
  EXPECT_EQ(stats(plans).running, 0u);
}

TEST_F(PlanCacheTest, APlanThatIsInUseStaysHoweverTightTheRoom) {
  constexpr std::int64_t kLength = 100'000;
  MemoryLimits limits{8, 8};
  limits.bytes = [&] {
    PlanCache plans = cache({8, 8});
    return 2 * workspace_bytes_of(plans, kLength) + memory_->plan_bytes() / 2;
  }();
  PlanCache plans = cache(limits);
  {
    const auto running = lease(plans, kLength);
    for (int i = 0; i < 3; ++i)
      EXPECT_MXINFER_ERROR(lease(plans, kLength), ErrorCode::out_of_memory, {"Options::max_memory_bytes"});
  }
  lease(plans, kLength);
  EXPECT_EQ(stats(plans).plans_made, 1u);
}

TEST_F(PlanCacheTest, NoneIsEmptiedForWhatAnotherKeeps) {
  MemoryLimits limits{8, 8};
  limits.kept_bytes = 100'000;
  PlanCache large = cache(limits);
  PlanCache small(memory_, planner_, graph());
  lease(large, 1'000'000);
  for (int i = 0; i < 3; ++i) {
    lease(small, 10);
    lease(small, 20);
  }
  EXPECT_EQ(stats(small).plans_made, 2u);
}

TEST_F(PlanCacheTest, WhatIsIdleGoesForACallThatNeedsTheRoom) {
  constexpr std::int64_t kLength = 100'000;
  MemoryLimits limits{8, 8};
  limits.bytes = [&] {
    PlanCache plans = cache({8, 8});
    return workspace_bytes_of(plans, 2 * kLength);
  }();
  limits.bytes += limits.bytes / 8;
  PlanCache plans = cache(limits);
  for (const std::int64_t length : {kLength, 2 * kLength, kLength}) lease(plans, length);
  EXPECT_LE(memory_->workspace_bytes() + memory_->plan_bytes(), limits.bytes);
  EXPECT_EQ(stats(plans).plans, 2u);
}

TEST_F(PlanCacheTest, WhatWasIdleForLongGoesWithTheNextCallOfAnyPredictor) {
  MemoryLimits limits{8, 8};
  limits.idle_time = std::chrono::milliseconds(20);
  PlanCache plans = cache(limits);
  const auto memory = memory_;
  lease(plans, 1000);
  EXPECT_GT(memory->idle_bytes(), 0u);
  PlanCache other = cache({8, 8});
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  lease(other, 10);
  EXPECT_EQ(memory->idle_bytes(), 0u);
  EXPECT_EQ(stats(plans).plans, 1u);
  EXPECT_GT(memory_->idle_bytes(), 0u) << "of a budget without a limit";
}

TEST_F(PlanCacheTest, APlanThatCannotBeMadeLosesNothing) {
  GraphBuilder of_three;
  of_three.head(of_three.op(
      "elemwise_add", {}, {of_three.input("data"), of_three.parameter("bias", test::random_tensor({3}, 2))}));
  PlanCache plans(std::make_shared<MemoryBudget>(MemoryLimits{4, 4}), planner_, of_three.graph());
  lease(plans, 3);
  EXPECT_MXINFER_ERROR(lease(plans, 5), ErrorCode::invalid_argument,
                       {"the model with data float32 (5,)", "elemwise_add"});
  EXPECT_EQ(stats(plans).plans, 1u);
  EXPECT_EQ(stats(plans).running, 0u);
  lease(plans, 3);
  EXPECT_EQ(stats(plans).plans_made, 1u);
}

TEST_F(PlanCacheTest, ThreadsThatWantTheSamePlanMakeItOnce) {
  PlanCache plans = cache({4, 8});
  std::atomic<int> waiting{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      ++waiting;
      while (waiting < 8) std::this_thread::yield();
      for (const std::int64_t length : {3, 5, 7}) lease(plans, length);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stats(plans).plans_made, 3u);
  EXPECT_EQ(stats(plans).calls, 24u);
}

}  // namespace
}  // namespace mxinfer::runtime
