// Element by element operators that become one loop, and those that must not.
#include <gtest/gtest.h>

#include <cstring>

#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "plan/plan.h"
#include "support/expect_error.h"
#include "support/networks/build_graph.h"
#include "support/networks/optimized.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;
using test::kChain;

graph::Graph fused(GraphBuilder& b) {
  graph::Graph graph = b.graph();
  passes::fuse_elementwise(graph);
  graph::verify(graph);
  return graph;
}

std::vector<ops::TensorType> types_of(const std::vector<const Tensor*>& inputs) {
  std::vector<ops::TensorType> types;
  for (const Tensor* input : inputs) types.push_back({input->dtype(), input->shape()});
  return types;
}

std::vector<StepInfo> steps(const graph::Graph& graph, const std::vector<const Tensor*>& inputs) {
  plan::WeightStore weights;
  return plan::make_plan(graph, types_of(inputs), {kernels::best_target(), 1}, weights)->info.steps;
}

bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

// The operators that are left, and the bits of the graph as it was.
void expect_fused(GraphBuilder& b, const std::vector<const Tensor*>& inputs, const Names& ops) {
  const graph::Graph graph = fused(b);
  EXPECT_EQ(test::op_names(graph), ops);
  for (const auto target : test::targets()) {
    const auto before = test::run_graph(b.graph(), inputs, {target});
    const auto after = test::run_graph(graph, inputs, {target, 2});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(same_bits(after[i], before[i])) << "output " << i << " " << kernels::to_string(target);
  }
}

Value sigmoid(GraphBuilder& b, Value x) {
  return b.op("sigmoid", {}, {x});
}
Value tanh_of(GraphBuilder& b, Value x) {
  return b.op("Activation", {{"act_type", "tanh"}}, {x});
}
Value mul(GraphBuilder& b, Value x, Value y) {
  return b.op("elemwise_mul", {}, {x, y});
}

// A cell unrolled by hand: its new state is read twice, its output once.
TEST(FuseElementwise, AnLstmCellIsTwoLoops) {
  GraphBuilder b;
  const Value gates = b.op("SliceChannel", {{"num_outputs", "4"}}, {b.input("gates")});
  const auto gate = [&](std::int32_t i) { return Value{gates.node, i}; };
  const Value kept = mul(b, sigmoid(b, gate(1)), b.input("state"));
  const Value state = b.op("elemwise_add", {}, {kept, mul(b, sigmoid(b, gate(0)), tanh_of(b, gate(2)))});
  const Value open = sigmoid(b, gate(3));
  b.head(mul(b, open, tanh_of(b, state)));
  b.head(state);
  const Tensor data = test::random_tensor({5, 4 * 650}, 1, -3, 3), before = test::random_tensor({5, 650}, 2);
  expect_fused(b, {&data, &before}, {"SliceChannel", kChain, kChain});
  const auto infos = steps(fused(b), {&data, &before});
  EXPECT_EQ(infos[1].kernel.rfind("elementwise_chain_f32 [", 0), 0u) << infos[1].kernel;
  EXPECT_EQ(infos[2].reason, "3 functions, block by block: t0 = sigmoid(x0); t1 = tanh(x1); mul(t0, t1)");
  EXPECT_EQ(infos[2].notes.size(), 3u);
}

TEST(FuseElementwise, GatesOfChannelsInBothLayouts) {
  const Tensor first = test::random_tensor({2, 7, 13, 11}, 1), last = test::random_tensor({2, 13, 11, 7}, 2);
  const Tensor first_gate = test::random_tensor({2, 7, 1, 1}, 3),
               last_gate = test::random_tensor({2, 1, 1, 7}, 4);
  for (const bool is_last : {false, true}) {
    GraphBuilder b;
    const Value x = b.input("data"), s = b.input("gate");
    // The gate's own arithmetic is done once, for its few elements.
    const Value limited =
        b.op("clip", {{"a_min", "0"}, {"a_max", "6"}}, {b.op("_plus_scalar", {{"scalar", "3"}}, {s})});
    const Value gate = b.op("_div_scalar", {{"scalar", "6"}}, {limited});
    const Value sum = b.op("broadcast_add", {}, {b.op("broadcast_mul", {}, {x, gate}), x});
    b.head(b.op("relu", {}, {sum}));
    expect_fused(b, {is_last ? &last : &first, is_last ? &last_gate : &first_gate}, {kChain});
  }
}

// Squeeze and excitation behind convolutions, whose values are channels-last.
TEST(FuseElementwise, BehindConvolutions) {
  GraphBuilder b;
  const Value x = test::convolution(b, b.input("data"), 3, 20, 3);
  const Value mean = b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {x});
  const Value squeezed = test::convolution(b, mean, 20, 20, 1);
  const Value gate = b.op("_mul_scalar", {{"scalar", "2"}}, {b.op("softsign", {}, {squeezed})});
  b.head(
      b.op("tanh", {}, {b.op("_plus_scalar", {{"scalar", "0.5"}}, {b.op("broadcast_mul", {}, {x, gate})})}));
  test::expect_optimized(
      b, test::random_tensor({2, 3, 30, 28}, 3),
      {"_mxinfer_convolution_nhwc", "Pooling", "_mxinfer_convolution_nhwc", kChain, "transpose"}, 3e-5);
}

TEST(FuseElementwise, PostOpsStayBehindTheirOperators) {
  GraphBuilder b;
  const Value x = b.input("x"), y = b.input("y");
  const Value sum = b.op("elemwise_add", {}, {mul(b, x, y), x});
  const Value limited = b.op("clip", {{"a_min", "-0.5"}, {"a_max", "0.5"}}, {sum});
  b.head(b.op("exp", {}, {b.op("negative", {}, {limited})}));
  graph::Graph graph = b.graph();
  pipeline::simplify(graph);
  EXPECT_EQ(test::op_names(graph), (Names{"elemwise_mul", "negative", "exp"}));
  passes::fuse_elementwise(graph);
  ASSERT_EQ(test::op_names(graph), Names{kChain});
  const Tensor a = test::random_tensor({3, 5, 700}, 1, -2, 2), c = test::random_tensor({3, 5, 700}, 2, -2, 2);
  const auto before = test::run_graph(b.graph(), {&a, &c}), after = test::run_graph(graph, {&a, &c});
  EXPECT_TRUE(same_bits(after[0], before[0]));
  EXPECT_EQ(steps(graph, {&a, &c})[0].reason,
            "5 functions, block by block: t0 = mul(x0, x1); t1 = add(t0, x0); t2 = clip(t1, -0.5, 0.5); t3 = "
            "negative(t2); exp(t3)");
}

TEST(FuseElementwise, NotWhatOthersRead) {
  const Tensor x = test::random_tensor({3, 4}, 1, 0.5f, 2);
  {
    GraphBuilder b;  // an output of the network
    const Value root = b.op("sqrt", {}, {b.input("data")});
    b.head(root);
    b.head(b.op("exp", {}, {root}));
    expect_fused(b, {&x}, {"sqrt", "exp"});
  }
  {
    GraphBuilder b;  // an operator that is none of elements
    const Value root = b.op("sqrt", {}, {b.input("data")});
    const Value sum = b.op("sum", {{"axis", "1"}, {"keepdims", "True"}}, {root});
    b.head(b.op("broadcast_div", {}, {root, sum}));
    expect_fused(b, {&x}, {"sqrt", "sum", "broadcast_div"});
  }
  {
    GraphBuilder b;  // two groups, none of which is inside of the other
    const Value root = b.op("sqrt", {}, {b.input("data")});
    b.head(b.op("exp", {}, {root}));
    b.head(b.op("log", {}, {root}));
    expect_fused(b, {&x}, {"sqrt", "exp", "log"});
  }
}

TEST(FuseElementwise, OneOperatorStaysWhatItIs) {
  GraphBuilder b;
  b.head(sigmoid(b, b.input("data")));
  const Tensor x = test::random_tensor({3, 4}, 1);
  expect_fused(b, {&x}, {"sigmoid"});
}

TEST(FuseElementwise, ParametersOfOtherDtypesStayOutside) {
  GraphBuilder b;
  Tensor numbers(DType::int32, {3});
  for (int i = 0; i < 3; ++i) numbers.data<std::int32_t>()[i] = i;
  const Value sum = b.op("broadcast_add", {}, {b.input("data"), b.parameter("p", numbers.clone())});
  b.head(b.op("square", {}, {sum}));
  expect_fused(b, {&numbers}, {"broadcast_add", "square"});
}

// No pass knows dtypes: where they turn out to be others, the operators run as they were.
TEST(FuseElementwise, OtherDtypesRunOneOperatorAfterAnother) {
  for (const DType dtype : {DType::int32, DType::int64, DType::float64, DType::float16, DType::uint8}) {
    GraphBuilder b;
    const Value x = b.input("data");
    b.head(b.op("abs", {}, {b.op("broadcast_sub", {}, {b.op("_mul_scalar", {{"scalar", "3"}}, {x}), x})}));
    const Tensor values = test::random_tensor({2, 3, 1100}, 1, 0, 80);
    const Tensor data =
        std::move(test::run_op("Cast", {{"dtype", std::string(to_string(dtype))}}, {&values})[0]);
    expect_fused(b, {&data}, {kChain});
    const auto infos = steps(fused(b), {&data});
    EXPECT_EQ(infos[0].kernel, "one operator after another");
    EXPECT_EQ(infos.size(), 4u);
  }
}

TEST(FuseElementwise, WhatDoesNotFitIsRefusedAsBefore) {
  GraphBuilder b;
  const Value x = b.input("x"), y = b.input("y");
  b.head(b.op("relu", {}, {b.op("elemwise_add", {}, {b.op("exp", {}, {x}), y}, "sum")}));
  const Tensor a = test::random_tensor({2, 3}, 1), c = test::random_tensor({2, 1}, 1);
  const std::vector<std::string> reason = {"node 'sum' (elemwise_add)",
                                           "lhs has the shape (2, 3) and rhs (2, 1)"};
  EXPECT_MXINFER_ERROR(test::run_graph(b.graph(), {&a, &c}), ErrorCode::invalid_argument, reason);
  EXPECT_MXINFER_ERROR(test::run_graph(fused(b), {&a, &c}), ErrorCode::invalid_argument, reason);
  const Tensor whole(DType::int32, {2, 3});
  EXPECT_MXINFER_ERROR(test::run_graph(fused(b), {&a, &whole}), ErrorCode::invalid_argument,
                       {"expected the same dtype"});
}

// The batch of a state that begins as zeros follows from what it is added to.
TEST(FuseElementwise, OpenSizesAreFoundThroughAGroup) {
  GraphBuilder b;
  const Value state = b.op("_zeros", {{"shape", "(0, 4)"}}, {});
  b.head(tanh_of(
      b, b.op("elemwise_add", {}, {b.op("_plus_scalar", {{"scalar", "1"}}, {state}), b.input("data")})));
  const Tensor data = test::random_tensor({7, 4}, 3);
  expect_fused(b, {&data}, {"_zeros", kChain});
}

TEST(FuseElementwise, LongGroupsAreCut) {
  GraphBuilder b;
  Value x = b.input("data");
  for (int i = 0; i < 50; ++i) x = b.op(i % 2 == 0 ? "sin" : "cos", {}, {x});
  b.head(x);
  const Tensor data = test::random_tensor({3, 1500}, 1);
  expect_fused(b, {&data}, {kChain, kChain});
}

// In a batch, leading operators run sample by sample; groups among them too.
TEST(FuseElementwise, GroupsRunSampleBySample) {
  GraphBuilder b;
  const Value x = b.input("data");
  const Value twice = b.op("_mul_scalar", {{"scalar", "2"}}, {x});
  const Value shifted =
      b.op("broadcast_add", {}, {twice, b.parameter("p", test::random_tensor({1, 3, 1, 1}, 2))});
  b.head(b.op("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "max"}},
              {b.op("tanh", {}, {shifted})}));
  const Tensor data = test::random_tensor({4, 3, 200, 200}, 1);
  expect_fused(b, {&data}, {kChain, "Pooling"});
  const auto infos = steps(fused(b), {&data});
  ASSERT_EQ(infos.size(), 3u);
  EXPECT_EQ(infos[0].op, "_mxinfer_by_sample");
  EXPECT_EQ(infos[1].kernel.rfind("elementwise_chain_f32", 0), 0u) << infos[1].kernel;
}

}  // namespace
}  // namespace mxinfer
