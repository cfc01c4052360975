// Activations that networks spell out, and gates of whole channels.
#include <gtest/gtest.h>

#include "support/networks/optimized.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::convolution;
using test::expect_optimized;
using test::GraphBuilder;
using Names = std::vector<std::string>;
using test::kChain;
using test::kConv;

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
    expect_optimized(b, test::random_tensor({2, 3}, 3), {kChain});
  }
  {
    GraphBuilder b;  // six times too much
    const Value x = b.input("data");
    b.head(b.op("elemwise_mul", {}, {x, relu6_of_three_more(b, x)}));
    expect_optimized(b, test::random_tensor({2, 3}, 3), {kChain});
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
