#include "plan/plan.h"

#include <gtest/gtest.h>

#include <cstring>

#include "plan_for.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using test::GraphBuilder;
using test::plan_for;

void expect_equal(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
}

TEST(Plan, AChainOfOperatorsSharesMemory) {
  GraphBuilder b;
  auto x = b.input("data");
  for (int i = 0; i < 6; ++i) x = b.op("transpose", {{"axes", "(0, 2, 1)"}}, {x});
  b.head(x);
  const auto plan = plan_for(b.graph(), {2, 16, 32});
  const std::size_t one = 2 * 16 * 32 * sizeof(float);
  EXPECT_EQ(plan->info.intermediate_bytes, 5 * one);
  EXPECT_EQ(plan->arena_bytes, 2 * one);
  const Tensor data = test::random_tensor({2, 16, 32}, 1);
  expect_equal(test::run_graph(b.graph(), {&data})[0], data);
}

TEST(Plan, HeadsMayBeInputsParametersAliasesAndTwins) {
  GraphBuilder b;
  auto x = b.input("data");
  auto p = b.parameter("p", test::random_tensor({3}, 2));
  auto t = b.op("transpose", {{"axes", "(1, 0)"}}, {x});
  auto flat = b.op("Reshape", {{"shape", "(-1,)"}}, {t});
  for (auto head : {x, p, t, t, flat, b.op("Reshape", {{"shape", "(-1,)"}}, {x})}) b.head(head);
  const Tensor data = test::random_tensor({4, 5}, 3);
  const auto outputs = test::run_graph(b.graph(), {&data});
  ASSERT_EQ(outputs.size(), 6u);
  expect_equal(outputs[0], data);
  expect_equal(outputs[1], test::random_tensor({3}, 2));
  EXPECT_EQ(outputs[2].data<float>()[1], data.data<float>()[5]);
  expect_equal(outputs[3], outputs[2]);
  EXPECT_EQ(outputs[4].shape(), Shape({20}));
  EXPECT_EQ(std::memcmp(outputs[4].raw(), outputs[2].raw(), outputs[2].bytes()), 0);
  EXPECT_EQ(std::memcmp(outputs[5].raw(), data.raw(), data.bytes()), 0);
}

TEST(Plan, InPlaceLeavesInputsAndSharedValuesAlone) {
  GraphBuilder b;
  auto x = b.input("data");
  auto t = b.op("transpose", {{"axes", "(1, 0)"}}, {x});
  auto relu = b.op("Activation", {{"act_type", "relu"}}, {t});    // t is read again below
  auto relu_x = b.op("Activation", {{"act_type", "relu"}}, {x});  // x is the caller's
  auto back = b.op("transpose", {{"axes", "(1, 0)"}}, {t});
  for (auto head : {relu, relu_x, back}) b.head(head);
  Tensor data = test::random_tensor({7, 9}, 4);
  const Tensor before = data.clone();
  const auto outputs = test::run_graph(b.graph(), {&data});
  expect_equal(data, before);
  expect_equal(outputs[2], before);
  for (std::int64_t i = 0; i < data.elements(); ++i) {
    EXPECT_EQ(outputs[1].data<float>()[i], std::max(before.data<float>()[i], 0.0f));
  }
}

TEST(Plan, InPlaceTakesOneOfTwoOperands) {
  GraphBuilder b;
  auto x = b.input("data");
  auto left = b.op("transpose", {{"axes", "(1, 0)"}}, {x});
  auto right = b.op("_mul_scalar", {{"scalar", "3"}}, {left});
  b.head(b.op("transpose", {{"axes", "(1, 0)"}}, {b.op("elemwise_add", {}, {right, left})}));
  const Tensor data = test::random_tensor({7, 9}, 4);
  const auto outputs = test::run_graph(b.graph(), {&data});
  for (std::int64_t i = 0; i < data.elements(); ++i) {
    EXPECT_FLOAT_EQ(outputs[0].data<float>()[i], data.data<float>()[i] * 4);
  }
}

TEST(Plan, InPlaceSavesMemoryWhereItMay) {
  GraphBuilder b;
  auto x = b.op("transpose", {{"axes", "(1, 0)"}}, {b.input("data")});
  for (int i = 0; i < 4; ++i) x = b.op("Activation", {{"act_type", "tanh"}}, {x});
  b.head(b.op("transpose", {{"axes", "(1, 0)"}}, {x}));
  EXPECT_EQ(plan_for(b.graph(), {8, 16})->arena_bytes, 8u * 16u * sizeof(float));
}

TEST(Plan, PackedWeightsAreSharedByPlans) {
  GraphBuilder b;
  auto x = b.input("data");
  auto w = b.parameter("w", test::random_tensor({8, 4, 3, 3}, 5));
  b.head(b.op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "8"}, {"no_bias", "True"}}, {x, w}));
  WeightStore weights;
  const PlanOptions options{kernels::best_target(), 1};
  const auto one = make_plan(b.graph(), {{DType::float32, {1, 4, 16, 16}}}, options, weights);
  const auto two = make_plan(b.graph(), {{DType::float32, {1, 4, 20, 20}}}, options, weights);
  ASSERT_FALSE(one->packed.all().empty());
  EXPECT_EQ(one->packed.all()[0].get(), two->packed.all()[0].get());
}

TEST(Plan, ErrorsNameTheNode) {
  GraphBuilder b;
  auto x = b.input("data");
  auto w = b.parameter("w", test::random_tensor({8, 4, 3, 3}, 5));
  b.head(
      b.op("Convolution", {{"kernel", "(3, 3)"}, {"num_filter", "8"}, {"no_bias", "True"}}, {x, w}, "conv0"));
  EXPECT_MXINFER_ERROR(
      plan_for(b.graph(), {1, 3, 16, 16}), ErrorCode::invalid_argument,
      {"node 'conv0' (Convolution)", "weight", "(8, 4, 3, 3)", "(1, 3, 16, 16)", "expected 4"});
}

TEST(Plan, EmptyBatchesRunNothing) {
  GraphBuilder b;
  b.head(b.op("Activation", {{"act_type", "relu"}}, {b.input("data")}));
  const Tensor data(DType::float32, {0, 3});
  EXPECT_EQ(test::run_graph(b.graph(), {&data})[0].shape(), Shape({0, 3}));
}

}  // namespace
}  // namespace mxinfer::plan
