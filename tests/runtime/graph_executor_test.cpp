// Graphs of one plan, and those cut where sizes depend on values.
#include "runtime/graph_executor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/refuse_large_memory.h"
#include "support/run_op.h"

namespace mxinfer::runtime {
namespace {

using test::GraphBuilder;
using Types = std::vector<ops::TensorType>;

// Plans of a graph, and what is needed to make and run them.
struct Planned {
  explicit Planned(const graph::Graph& graph, const MemoryLimits& limits = {4, 4})
      : memory(std::make_shared<MemoryBudget>(limits)), plans(graph, memory, planner) {}
  PredictorStats stats() {
    PredictorStats stats;
    plans.add_to(stats);
    return stats;
  }
  std::shared_ptr<MemoryBudget> memory;
  plan::WeightStore weights;
  Planner planner{"the model", {kernels::best_target(), 1}, weights};
  GraphExecutor plans;
  ThreadArena arena{1};
};

std::vector<float> values_of(const Tensor& tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.elements()};
}

// Takes "data" and gives its double and its negative.
graph::Graph whole() {
  GraphBuilder b;
  const auto x = b.input("data");
  b.head(b.op("_mul_scalar", {{"scalar", "2"}}, {x}, "double"));
  b.head(b.op("negative", {}, {x}, "negative"));
  return b.graph();
}

// Takes "data" and "mask" and gives the double of the elements that the mask keeps, and ten times all of
// them.
graph::Graph masked() {
  GraphBuilder b;
  const auto x = b.input("data"), mask = b.input("mask");
  const auto kept = b.op("_contrib_boolean_mask", {}, {x, mask});
  b.head(b.op("_mul_scalar", {{"scalar", "2"}}, {kept}, "double"));
  b.head(b.op("_mul_scalar", {{"scalar", "10"}}, {x}, "tenfold"));
  return b.graph();
}

const Tensor& one_to_four() {
  static const Tensor tensor = test::tensor_of<float>({4}, {1, 2, 3, 4});
  return tensor;
}

std::vector<TensorView> under(const Tensor& mask) {
  return {one_to_four().view(), mask.view()};
}

constexpr auto accept = [](const Types&) {};

TEST(GraphExecutor, AWholeGraphHasOnePlanForEachShape) {
  const graph::Graph graph = whole();
  Planned planned(graph);
  for (const std::int64_t count : {3, 3, 5}) {
    const Tensor data = test::random_tensor({count}, 1);
    const auto outputs = planned.plans.run(std::vector{data.view()}, planned.arena);
    ASSERT_EQ(outputs.size(), 2u);
    ASSERT_EQ(outputs[0].shape(), Shape({count}));
    for (std::int64_t i = 0; i < count; ++i) {
      EXPECT_EQ(outputs[0].data<float>()[i], 2 * data.data<float>()[i]);
      EXPECT_EQ(outputs[1].data<float>()[i], -data.data<float>()[i]);
    }
  }
  EXPECT_EQ(planned.stats().plans_made, 2u);
  EXPECT_EQ(planned.stats().calls, 3u);
  EXPECT_EQ(planned.stats().running, 0u);
}

TEST(GraphExecutor, GivesEveryOutputTheSizesItHas) {
  GraphBuilder b;
  const auto x = b.input("data");
  graph::Value unique = b.op("_npi_unique", {{"axis", "1"}, {"return_inverse", "True"}}, {x});
  b.head(b.op("negative", {}, {unique}));
  unique.index = 1;
  b.head(unique);
  b.head(b.op("_npi_delete", {{"int_ind", "0"}, {"axis", "1"}}, {x}));
  const graph::Graph graph = b.graph();
  Planned planned(graph);
  const Tensor data = test::tensor_of<float>({2, 4}, {2, 1, 2, 1, 5, 6, 5, 6});
  const auto outputs = planned.plans.run(std::vector{data.view()}, planned.arena);
  ASSERT_EQ(outputs.size(), 3u);
  EXPECT_EQ(outputs[0].shape(), (Shape{2, 2}));
  EXPECT_EQ(values_of(outputs[0]), (std::vector<float>{-1, -2, -6, -5}));
  ASSERT_EQ(outputs[1].shape(), Shape{4});
  EXPECT_EQ(outputs[1].data<std::int64_t>()[0], 1);
  EXPECT_EQ(outputs[1].data<std::int64_t>()[3], 0);
  EXPECT_EQ(outputs[2].shape(), (Shape{2, 3}));
  EXPECT_EQ(values_of(outputs[2]), (std::vector<float>{1, 2, 1, 6, 5, 6}));
}

TEST(GraphExecutor, TellsTypesAndStepsWithoutARun) {
  const graph::Graph graph = whole();
  Planned planned(graph);
  const std::vector<TensorView> inputs{{DType::float32, {6, 2}, nullptr}};
  EXPECT_EQ(planned.plans.output_types(inputs),
            (Types{{DType::float32, Shape{6, 2}}, {DType::float32, Shape{6, 2}}}));
  EXPECT_EQ(planned.plans.info(inputs).steps.size(), 2u);
  EXPECT_EQ(planned.stats().calls, 0u);
  EXPECT_EQ(planned.stats().plans_made, 1u);
}

TEST(GraphExecutor, WritesIntoTheCallersMemoryOnceItIsChecked) {
  const graph::Graph graph = whole();
  Planned planned(graph);
  const Tensor data = test::tensor_of<float>({2}, {3, 4});
  Tensor twice = test::tensor_of<float>({2}, {-1, -1}), negative = test::tensor_of<float>({2}, {-1, -1});
  const std::vector<MutableTensorView> to{twice.mutable_view(), negative.mutable_view()};
  const auto refuse = [](const Types&) { throw std::length_error("they do not fit"); };
  EXPECT_THROW(planned.plans.run_into(std::vector{data.view()}, to, planned.arena, refuse),
               std::length_error);
  EXPECT_EQ(values_of(twice), (std::vector<float>{-1, -1}));
  EXPECT_EQ(values_of(negative), (std::vector<float>{-1, -1}));
  EXPECT_EQ(planned.stats().running, 0u);
  EXPECT_EQ(planned.stats().idle_executors, 1u);
  Types seen;
  planned.plans.run_into(std::vector{data.view()}, to, planned.arena,
                         [&](const Types& types) { seen = types; });
  EXPECT_EQ(seen, (Types{{DType::float32, Shape{2}}, {DType::float32, Shape{2}}}));
  EXPECT_EQ(values_of(twice), (std::vector<float>{6, 8}));
  EXPECT_EQ(values_of(negative), (std::vector<float>{-3, -4}));
}

TEST(GraphExecutor, NetworksMayHaveManyInputsAndOutputs) {
  constexpr int kMany = 40;
  GraphBuilder b;
  std::vector<Tensor> data, outputs;
  for (int i = 0; i < kMany; ++i) {
    b.head(b.op("_plus_scalar", {{"scalar", "0.5"}}, {b.input("data" + std::to_string(i))}));
    data.push_back(test::tensor_of<float>({1}, {static_cast<float>(i)}));
    outputs.emplace_back(DType::float32, Shape{1});
  }
  const std::vector<TensorView> inputs(data.begin(), data.end());
  const std::vector<MutableTensorView> to(outputs.begin(), outputs.end());
  Planned planned(b.graph());
  planned.plans.run_into(inputs, to, planned.arena, accept);
  const auto made = planned.plans.run(inputs, planned.arena);
  for (std::size_t i = 0; i < kMany; ++i) {
    EXPECT_EQ(values_of(outputs[i])[0], static_cast<float>(i) + 0.5f);
    EXPECT_EQ(values_of(made[i])[0], static_cast<float>(i) + 0.5f);
  }
}

TEST(GraphExecutor, OutputsThatNoMemoryHoldsAreAnError) {
  GraphBuilder b;
  b.head(b.op("broadcast_to", {{"shape", "(35184372088832,)"}}, {b.input("data")}));  // kMostBytes
  Planned planned(b.graph());
  const Tensor one(DType::float32, {1});
  EXPECT_MXINFER_ERROR(planned.plans.run(std::vector{one.view()}, planned.arena), ErrorCode::out_of_memory,
                       {"the model", "the memory of its outputs"});
  EXPECT_EQ(planned.stats().running, 0u);
}

TEST(GraphExecutor, WhatIsBehindAMaskIsPlannedForTheRowsThatItKeeps) {
  const graph::Graph graph = masked();
  Planned planned(graph);
  struct Case {
    Tensor mask;
    std::vector<float> kept;
    std::uint64_t plans_made;  // so far: one of the first part, one of the second for each number of rows
  };
  std::vector<Case> cases;
  cases.push_back({test::tensor_of<float>({4}, {1, 0, 1, 0}), {2, 6}, 2});
  cases.push_back({test::tensor_of<float>({4}, {0, 0, 0, 1}), {8}, 3});
  cases.push_back({test::tensor_of<float>({4}, {0, 1, 0, 1}), {4, 8}, 3});
  cases.push_back({test::tensor_of<float>({4}, {0, 0, 0, 0}), {}, 4});
  cases.push_back({test::tensor_of<float>({4}, {1, 1, 1, 1}), {2, 4, 6, 8}, 5});
  for (const Case& c : cases) {
    const auto outputs = planned.plans.run(under(c.mask), planned.arena);
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(outputs[0].shape(), Shape({static_cast<std::int64_t>(c.kept.size())}));
    EXPECT_EQ(values_of(outputs[0]), c.kept);
    EXPECT_EQ(values_of(outputs[1]), (std::vector<float>{10, 20, 30, 40}));
    EXPECT_EQ(planned.stats().plans_made, c.plans_made);
  }
  EXPECT_EQ(planned.stats().calls, 2 * cases.size());
  EXPECT_EQ(planned.stats().running, 0u);
}

TEST(GraphExecutor, LimitsAndTrimAreOfEachPart) {
  const graph::Graph graph = masked();
  Planned planned(graph, {1, 1});
  const Tensor one = test::tensor_of<float>({4}, {1, 0, 0, 0}),
               two = test::tensor_of<float>({4}, {1, 1, 0, 0});
  for (const Tensor* mask : {&one, &two, &one}) (void)planned.plans.run(under(*mask), planned.arena);
  const PredictorStats stats = planned.stats();
  EXPECT_EQ(stats.plans, 2u);
  EXPECT_EQ(stats.plans_made, 4u);
  EXPECT_EQ(stats.idle_executors, 2u);
  const std::size_t held = planned.memory->workspace_bytes();
  EXPECT_GT(held, 0u);
  EXPECT_EQ(planned.memory->trim(), held);
  EXPECT_EQ(planned.stats().idle_executors, 0u);
  EXPECT_EQ(planned.stats().plans, 2u);
}

TEST(GraphExecutor, TypesAndStepsOfACutGraphAreThoseOfTheMostRows) {
  const graph::Graph graph = masked();
  Planned planned(graph);
  const std::vector<TensorView> inputs(2, TensorView(DType::float32, {4}, nullptr));
  EXPECT_EQ(planned.plans.output_types(inputs),
            (Types{{DType::float32, Shape{4}}, {DType::float32, Shape{4}}}));
  const PlanInfo info = planned.plans.info(inputs);
  std::vector<std::string> names;
  for (const StepInfo& step : info.steps) names.push_back(step.node);
  EXPECT_EQ(names.size(), 3u);
  for (const char* name : {"double", "tenfold"}) EXPECT_EQ(std::count(names.begin(), names.end(), name), 1);
  EXPECT_EQ(planned.stats().calls, 0u);
}

TEST(GraphExecutor, ACutGraphWritesIntoTheCallersMemoryOnceItIsChecked) {
  const graph::Graph graph = masked();
  Planned planned(graph);
  const Tensor mask = test::tensor_of<float>({4}, {0, 1, 1, 0});
  Tensor twice = test::tensor_of<float>({2}, {-1, -1}), tenfold = test::tensor_of<float>({4}, {0, 0, 0, 0});
  const std::vector<MutableTensorView> to{twice.mutable_view(), tenfold.mutable_view()};
  Types seen;
  const auto refuse = [&](const Types& types) {
    seen = types;
    throw std::length_error("they do not fit");
  };
  EXPECT_THROW(planned.plans.run_into(under(mask), to, planned.arena, refuse), std::length_error);
  EXPECT_EQ(seen, (Types{{DType::float32, Shape{2}}, {DType::float32, Shape{4}}}));
  EXPECT_EQ(values_of(twice), (std::vector<float>{-1, -1}));
  EXPECT_EQ(values_of(tenfold), (std::vector<float>{0, 0, 0, 0}));
  planned.plans.run_into(under(mask), to, planned.arena, accept);
  EXPECT_EQ(values_of(twice), (std::vector<float>{4, 6}));
  EXPECT_EQ(values_of(tenfold), (std::vector<float>{10, 20, 30, 40}));
}

}  // namespace
}  // namespace mxinfer::runtime
