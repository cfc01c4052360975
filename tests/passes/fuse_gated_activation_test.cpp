// Activations that networks spell out, and gates of whole channels.
#include <gtest/gtest.h>

#include "passes/passes.h"
#include "support/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;
constexpr const char* kConv = "_mxinfer_convolution_nhwc";

Value convolution(GraphBuilder& b, Value x, std::int64_t channels, std::int64_t filters, std::int64_t kernel,
                  std::int64_t groups = 1) {
  const std::string k = std::to_string(kernel), p = std::to_string(kernel / 2);
  return b.op("Convolution",
              {{"kernel", "(" + k + ", " + k + ")"},
               {"pad", "(" + p + ", " + p + ")"},
               {"num_filter", std::to_string(filters)},
               {"num_group", std::to_string(groups)}},
              {x, b.parameter("w", test::random_tensor({filters, channels / groups, kernel, kernel}, 5)),
               b.parameter("b", test::random_tensor({filters}, 6))});
}

void expect_optimized(GraphBuilder& b, const Tensor& data, const Names& ops) {
  graph::Graph optimized = b.graph();
  passes::optimize(optimized);
  graph::verify(optimized);
  EXPECT_EQ(test::op_names(optimized), ops);
  for (const auto target : test::targets()) {
    const auto before = test::run_graph(b.graph(), {&data}, {target}),
               after = test::run_graph(optimized, {&data}, {target});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
      EXPECT_LE(test::relative_difference(after[i], before[i]), 1e-5) << kernels::to_string(target);
  }
}

using Activation = Value (*)(GraphBuilder&, Value);

Value relu6_of_three_more(GraphBuilder& b, Value x) {
  return b.op("clip", {{"a_min", "0"}, {"a_max", "6"}}, {b.op("_plus_scalar", {{"scalar", "3"}}, {x})});
}
Value hard_swish(GraphBuilder& b, Value x) {
  return b.op("elemwise_mul", {}, {x, b.op("_div_scalar", {{"scalar", "6"}}, {relu6_of_three_more(b, x)})});
}
Value hard_swish_divided_last(GraphBuilder& b, Value x) {
  return b.op("_mul_scalar", {{"scalar", "0.16666667"}},
              {b.op("elemwise_mul", {}, {relu6_of_three_more(b, x), x})});
}
Value hard_swish_of_the_operator(GraphBuilder& b, Value x) {
  return b.op("broadcast_mul", {},
              {b.op("hard_sigmoid", {{"alpha", "0.16666667"}, {"beta", "0.5"}}, {x}), x});
}
Value swish(GraphBuilder& b, Value x) {
  return b.op("elemwise_mul", {}, {x, b.op("sigmoid", {}, {x})});
}
Value mish(GraphBuilder& b, Value x) {
  return b.op("broadcast_mul", {},
              {x, b.op("tanh", {}, {b.op("Activation", {{"act_type", "softrelu"}}, {x})})});
}
const Activation kActivations[] = {hard_swish, hard_swish_divided_last, hard_swish_of_the_operator, swish,
                                   mish};

TEST(FuseGatedActivation, AConvolutionAppliesThem) {
  for (const Activation activation : kActivations) {
    GraphBuilder b;
    b.head(activation(b, convolution(b, b.input("data"), 3, 20, 3)));
    expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3, -4, 4), {kConv, "transpose"});
  }
}

TEST(FuseGatedActivation, ByThemselvesTheyAreOneFunction) {
  for (const Activation activation : kActivations) {
    GraphBuilder b;
    b.head(activation(b, b.input("data")));
    expect_optimized(b, test::random_tensor({2, 3, 9, 8}, 3, -6, 6), {"_mxinfer_activation"});
  }
}

TEST(FuseGatedActivation, InsideOfABlock) {
  for (const std::int64_t size : {3, 20}) {
    GraphBuilder b;
    const Value x = b.input("data");
    const Value wide = hard_swish(b, convolution(b, x, 10, 60, 1));
    const Value filtered = mish(b, convolution(b, wide, 60, 60, 3, 60));
    b.head(hard_swish(b, convolution(b, filtered, 60, 10, 1)));
    expect_optimized(b, test::random_tensor({2, 10, size, size}, 3),
                     {"transpose", "_mxinfer_separable_nhwc", "transpose"});
  }
}

TEST(FuseGatedActivation, NotOtherProducts) {
  {
    GraphBuilder b;
    const Value x = b.input("data");
    b.head(b.op("elemwise_mul", {}, {b.op("square", {}, {x}), b.op("sigmoid", {}, {x})}));
    expect_optimized(b, test::random_tensor({2, 3}, 3), {"square", "sigmoid", "elemwise_mul"});
  }
  {
    GraphBuilder b;  // six times too much
    const Value x = b.input("data");
    b.head(b.op("elemwise_mul", {}, {x, relu6_of_three_more(b, x)}));
    expect_optimized(b, test::random_tensor({2, 3}, 3), {"_plus_scalar", "elemwise_mul"});
  }
  {
    GraphBuilder b;  // the gate is an output too
    const Value x = b.input("data"), gate = b.op("sigmoid", {}, {x});
    b.head(b.op("elemwise_mul", {}, {x, gate}));
    b.head(gate);
    expect_optimized(b, test::random_tensor({2, 3}, 3), {"sigmoid", "elemwise_mul"});
  }
}

// Squeeze and excitation of a residual unit: the gate, the addition and its activation are one step.
TEST(FuseResidual, BehindAGate) {
  GraphBuilder b;
  const Value x = convolution(b, b.input("data"), 3, 20, 3), y = convolution(b, x, 20, 20, 3);
  const Value mean = b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}}, {y});
  const Value gate = b.op("sigmoid", {}, {convolution(b, mean, 20, 20, 1)});
  const Value sum = b.op("elemwise_add", {}, {x, b.op("broadcast_mul", {}, {y, gate})});
  b.head(b.op("relu", {}, {sum}));
  expect_optimized(b, test::random_tensor({2, 3, 30, 28}, 3),
                   {kConv, kConv, "Pooling", kConv, "broadcast_mul", "transpose"});
}

}  // namespace
}  // namespace mxinfer
