// The plans of a predictor: one for each set of input shapes, and workspaces that wait for the next call.
#include "runtime/plan_cache.h"

#include <gtest/gtest.h>
#include <mxinfer/log.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/fail.h"
#include "support/build_graph.h"
#include "support/expect_error.h"
#include "support/run_op.h"

namespace mxinfer::runtime {
namespace {

using test::GraphBuilder;

// A cache for the network relu(tanh(x)), whose data is an array of any length.
class PlanCacheTest : public testing::Test {
 protected:
  PlanCacheTest() {
    network_.head(network_.op("relu", {}, {network_.op("tanh", {}, {network_.input("data")})}));
  }

  PlanCache cache(CacheLimits limits) { return {limits, planner_, network_.graph()}; }

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

 private:
  GraphBuilder network_;

 protected:
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
  EXPECT_NE(logged[0].find("for 1 are kept"), std::string::npos) << logged[0];
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
    EXPECT_GE(stats(plans).executor_bytes, 2 * one->bytes());
  }
  EXPECT_EQ(stats(plans).idle_executors, 1u) << "more than the limit are kept";
}

TEST_F(PlanCacheTest, TrimLetsIdleWorkspacesGoAndNoOthers) {
  PlanCache plans = cache({4, 4});
  const auto running = lease(plans, 1000);
  lease(plans, 1000);
  const std::size_t before = stats(plans).executor_bytes;
  const std::size_t freed = plans.trim();
  EXPECT_EQ(freed, running->bytes());
  EXPECT_EQ(stats(plans).executor_bytes, before - freed);
  EXPECT_EQ(stats(plans).idle_executors, 0u);
  EXPECT_EQ(stats(plans).running, 1u);
  lease(plans, 1000);
  EXPECT_EQ(stats(plans).plans_made, 1u) << "plans stay";
}

TEST_F(PlanCacheTest, APlanThatCannotBeMadeLosesNothing) {
  GraphBuilder of_three;
  of_three.head(of_three.op(
      "elemwise_add", {}, {of_three.input("data"), of_three.parameter("bias", test::random_tensor({3}, 2))}));
  PlanCache plans({4, 4}, planner_, of_three.graph());
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
