// Which branches of a graph run side by side, and what explain and the memory plan say of them. That results
// keep their bits is tested by tests/threads/branches_test.cpp and storage_test.cpp.
#include "plan/schedule/branches.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/plan.h"
#include "plan/run_plan.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using graph::Value;
using test::GraphBuilder;

Value step(GraphBuilder& b, Value x) {
  return b.op("_mul_scalar", {{"scalar", "1.5"}}, {x});
}

Value chain(GraphBuilder& b, Value x, int length) {
  for (int i = 0; i < length; ++i) x = step(b, x);
  return x;
}

Value joined(GraphBuilder& b, const std::vector<Value>& branches) {
  return b.op("Concat", {{"dim", "1"}, {"num_args", std::to_string(branches.size())}}, branches);
}

/// A step, branches of so many steps each, the step that joins them, and another.
graph::Graph block(const std::vector<int>& lengths) {
  GraphBuilder b;
  const Value data = step(b, b.input("data"));
  std::vector<Value> branches;
  for (const int length : lengths) branches.push_back(chain(b, data, length));
  b.head(step(b, joined(b, branches)));
  return b.graph();
}

/// Every operator takes as long.
std::vector<Region> regions(const graph::Graph& graph, double seconds, int threads,
                            Branches when = Branches::where_it_pays) {
  std::vector<NodeTime> times;
  for (const graph::Node& node : graph.nodes) times.push_back({!node.is_variable(), seconds});
  return find_regions(graph, times, threads, when);
}

TEST(Branches, OfSmallOperatorsRunSideBySide) {
  const graph::Graph graph = block({2, 2, 2, 2});
  for (const int threads : {2, 4}) {
    const auto found = regions(graph, 20e-6, threads);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].first, 2);  // behind the input and the step that all read
    EXPECT_EQ(found[0].last, 9);
    EXPECT_EQ(found[0].branches.size(), 4u);
    ASSERT_EQ(found[0].workers.size(), static_cast<std::size_t>(threads));
    for (const auto& worker : found[0].workers)
      EXPECT_EQ(worker.size(), 4u / static_cast<std::size_t>(threads));
    EXPECT_LT(found[0].seconds, found[0].seconds_in_turn);
  }
}

TEST(Branches, RunInTurnWhereThatIsAsFast) {
  const graph::Graph even = block({2, 2, 2, 2});
  EXPECT_TRUE(regions(even, 20e-6, 1).empty());
  EXPECT_TRUE(regions(even, 20e-6, 2, Branches::never).empty());
  // Operators so large that starting a loop is nothing, and so small that starting the region is much.
  EXPECT_TRUE(regions(even, 100e-3, 2).empty());
  EXPECT_TRUE(regions(even, 1e-6, 2).empty());
  // One branch is nearly everything: half of the threads would wait for it.
  EXPECT_TRUE(regions(block({40, 1}), 100e-6, 2).empty());
  // More threads than branches.
  EXPECT_TRUE(regions(even, 200e-6, 8).empty());
  // No branches.
  EXPECT_TRUE(regions(block({5}), 20e-6, 2).empty());
  EXPECT_TRUE(regions(block({5}), 20e-6, 2, Branches::wherever_there_are).empty());
}

TEST(Branches, AreDealtToThreadsTheLongestFirst) {
  const auto found = regions(block({1, 4, 2, 3}), 50e-6, 2);
  ASSERT_EQ(found.size(), 1u);
  std::vector<std::size_t> lengths;
  for (const auto& branch : found[0].branches) lengths.push_back(branch.size());
  EXPECT_EQ(lengths, (std::vector<std::size_t>{4, 3, 2, 1}));
  EXPECT_EQ(found[0].workers, (std::vector<std::vector<std::size_t>>{{0, 3}, {1, 2}}));
}

TEST(Branches, TwoTowersAreBranches) {
  GraphBuilder b;
  const Value left = chain(b, b.input("left"), 6), right = chain(b, b.input("right"), 6);
  b.head(chain(b, joined(b, {left, right}), 6));
  const auto found = regions(b.graph(), 40e-6, 2);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].branches.size(), 2u);
  EXPECT_EQ(found[0].branches[0].size(), 6u);
}

TEST(Branches, OfBlockAfterBlockAreRegions) {
  GraphBuilder b;
  Value x = b.input("data");
  for (int i = 0; i < 5; ++i) x = joined(b, {chain(b, x, 3), chain(b, x, 3)});
  b.head(x);
  EXPECT_EQ(regions(b.graph(), 40e-6, 2).size(), 5u);
}

TEST(Branches, AreFoundInALongGraphInNoTime) {
  // Every operator is read by several, and joins several: none is like any other.
  GraphBuilder b;
  std::vector<Value> values{b.input("data"), b.input("more")};
  for (std::size_t i = 0; i < 4000; ++i)
    values.push_back(b.op("elemwise_add", {}, {values[values.size() - 1], values[values.size() / 2]}));
  b.head(values.back());
  for (const Region& region : regions(b.graph(), 20e-6, 2)) EXPECT_LE(region.last - region.first, 96);
}

/// Convolutions of one filter size each side by side, written into what joins them.
struct ConcatenatedConvolutions {
  GraphBuilder b;

  ConcatenatedConvolutions(std::int64_t channels, std::int64_t filters, int branches) {
    const Value data = b.op("Activation", {{"act_type", "tanh"}}, {b.input("data")});
    std::vector<Value> values;
    for (int i = 0; i < branches; ++i) values.push_back(convolution(data, channels, filters));
    b.head(b.op("Concat", {{"dim", "3"}, {"num_args", std::to_string(branches)}}, values));
  }

  Value convolution(Value data, std::int64_t channels, std::int64_t filters) {
    return b.op("_mxinfer_convolution_nhwc",
                {{"kernel", "(1, 1)"}, {"num_filter", std::to_string(filters)}, {"no_bias", "True"}},
                {data, b.parameter("weight", test::random_tensor({filters, channels, 1, 1}, 1))});
  }
};

constexpr kernels::MachineRates kFourCores{100e9, 100e9, 20e9, 80e9, 4};

std::shared_ptr<const Plan> plan_of_four_cores(const graph::Graph& graph, const Shape& shape, int threads) {
  WeightStore weights;
  PlanOptions options{kernels::best_target(), threads};
  options.rates = &kFourCores;
  return make_plan(graph, {{DType::float32, shape}}, options, weights);
}

TEST(Branches, OfAPlanRunSideBySideWhereThatPays) {
  ConcatenatedConvolutions small(64, 48, 4);
  for (const int threads : {2, 4}) {
    const auto plan = plan_of_four_cores(small.b.graph(), {1, 20, 20, 64}, threads);
    ASSERT_EQ(plan->parallel_regions.size(), 1u);
    EXPECT_EQ(plan->parallel_regions[0].workers.size(), static_cast<std::size_t>(threads));
    EXPECT_EQ(plan->parallel_regions[0].last - plan->parallel_regions[0].first, 4u);
    EXPECT_GE(workspace_bytes(*plan), plan->arena_bytes + plan->scratch_bytes);
    const std::string& reason = plan->info.steps[1].reason;
    EXPECT_NE(reason.find("of 4 side by side"), std::string::npos) << reason;
    EXPECT_NE(reason.find("in turn"), std::string::npos) << reason;
  }
  EXPECT_TRUE(plan_of_four_cores(small.b.graph(), {1, 20, 20, 64}, 1)->parallel_regions.empty());
}

TEST(Branches, OfAPlanRunInTurnWhereTheyAreLarge) {
  ConcatenatedConvolutions large(256, 256, 2);
  EXPECT_TRUE(plan_of_four_cores(large.b.graph(), {1, 128, 128, 256}, 2)->parallel_regions.empty());
}

TEST(Branches, KeepTheirMemoryFromEachOther) {
  // In turn, the second chain can use the memory of the first.
  GraphBuilder b;
  const Value data = b.op("Activation", {{"act_type", "tanh"}}, {b.input("data")});
  std::vector<Value> ends;
  for (int i = 0; i < 2; ++i) {
    Value x = data;
    for (int k = 0; k < 3; ++k) x = b.op("transpose", {{"axes", "(1, 0)"}}, {x});
    ends.push_back(b.op("sum", {{"axis", "1"}}, {x}));
  }
  b.head(b.op("elemwise_add", {}, ends));
  const auto arena_bytes = [&](Branches when) {
    WeightStore weights;
    PlanOptions options{kernels::best_target(), 2};
    options.branches = when;
    return make_plan(b.graph(), {{DType::float32, {64, 64}}}, options, weights)->arena_bytes;
  };
  EXPECT_GE(arena_bytes(Branches::wherever_there_are),
            arena_bytes(Branches::never) + 2 * 64 * 64 * sizeof(float));
}

}  // namespace
}  // namespace mxinfer::plan
