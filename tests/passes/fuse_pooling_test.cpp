// The pass that makes one operator of a network's first convolution and its max pooling.
#include <gtest/gtest.h>

#include <cstring>

#include "graph/graph.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using test::GraphBuilder;
using Attributes = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
using test::kConv;
using test::relu;
constexpr const char* kBoth = "_mxinfer_convolution_pool_nhwc";

graph::Value first_convolution(GraphBuilder& b, graph::Value x, std::int64_t channels,
                               const Attributes& more = {}) {
  Attributes attrs{{"kernel", "(5, 5)"}, {"stride", "(2, 2)"}, {"pad", "(2, 2)"}, {"num_filter", "20"}};
  attrs.insert(more.begin(), more.end());
  return b.op("Convolution", attrs,
              {x, b.parameter("w", test::random_tensor({20, channels, 5, 5}, 5)),
               b.parameter("b", test::random_tensor({20}, 6))},
              "conv0");
}

graph::Value pooling(GraphBuilder& b, graph::Value x, const Attributes& more = {}) {
  Attributes attrs{{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pool_type", "max"}};
  for (const auto& [name, value] : more) attrs[name] = value;
  return b.op("Pooling", attrs, {x}, "pool0");
}

void expect_fused(GraphBuilder& b, const Names& ops, const Tensor& data) {
  graph::Graph fused = b.graph();
  pipeline::optimise(fused, {.folds_constants = false});
  graph::verify(fused);
  EXPECT_EQ(test::op_names(fused), ops);
  for (kernels::Target target : test::targets()) {
    for (int threads : {1, 3}) {
      const auto before = test::run_graph(b.graph(), {&data}, {target, threads});
      const auto after = test::run_graph(fused, {&data}, {target, threads});
      ASSERT_EQ(before.size(), after.size());
      for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_LE(test::relative_difference(after[i], before[i]), 4e-6) << "output " << i;
    }
  }
}

Tensor images(std::int64_t channels = 3) {
  return test::random_tensor({2, channels, 45, 38}, 3);
}

TEST(FusePooling, AStemIsOneOperator) {
  for (const char* convention : {"valid", "full"}) {
    GraphBuilder b;
    b.head(
        pooling(b, relu(b, first_convolution(b, b.input("data"), 3)), {{"pooling_convention", convention}}));
    expect_fused(b, {kBoth, "transpose"}, images());
  }
}

TEST(FusePooling, BatchNormAndActivationsBetweenAreTakenAlong) {
  GraphBuilder b;
  const auto x = first_convolution(b, b.input("data"), 3);
  const auto normed = b.op(
      "BatchNorm", {{"fix_gamma", "False"}},
      {x, b.parameter("gamma", test::random_tensor({20}, 1)),
       b.parameter("beta", test::random_tensor({20}, 2)), b.parameter("mean", test::random_tensor({20}, 3)),
       b.parameter("var", test::random_tensor({20}, 4, 0.5f, 2.0f))});
  const auto active = b.op("LeakyReLU", {{"act_type", "leaky"}, {"slope", "0.1"}}, {normed});
  b.head(pooling(b, active, {{"kernel", "(2, 3)"}, {"stride", "(2, 1)"}, {"pad", "(0, 1)"}}));
  expect_fused(b, {kBoth, "transpose"}, images());
}

TEST(FusePooling, SlopesAndGatesAreTakenAlong) {
  GraphBuilder b;
  const auto x = first_convolution(b, b.input("data"), 3);
  b.head(pooling(b, b.op("LeakyReLU", {{"act_type", "prelu"}},
                         {x, b.parameter("slopes", test::random_tensor({20}, 9))})));
  expect_fused(b, {kBoth, "transpose"}, images());
  GraphBuilder swish;
  const auto y = first_convolution(swish, swish.input("data"), 3);
  swish.head(pooling(swish, swish.op("elemwise_mul", {}, {y, swish.op("sigmoid", {}, {y})})));
  expect_fused(swish, {kBoth, "transpose"}, images());
}

TEST(FusePooling, NotWhereSomebodyElseReadsTheConvolution) {
  GraphBuilder b;
  const auto x = relu(b, first_convolution(b, b.input("data"), 3));
  b.head(pooling(b, x));
  b.head(x);
  expect_fused(b, {kConv, "Pooling", "transpose", "transpose"}, images());
}

TEST(FusePooling, OtherPoolingsAndManyChannelsStay) {
  for (const Attributes& other : {Attributes{{"pool_type", "avg"}}, Attributes{{"global_pool", "True"}}}) {
    GraphBuilder b;
    b.head(pooling(b, first_convolution(b, b.input("data"), 3), other));
    graph::Graph graph = b.graph();
    pipeline::optimise(graph, {.folds_constants = false});
    EXPECT_EQ(test::op_names(graph)[0], kConv);
  }
  GraphBuilder many;
  many.head(pooling(many, first_convolution(many, many.input("data"), 24)));
  expect_fused(many, {"transpose", kConv, "Pooling", "transpose"}, images(24));
}

TEST(FusePooling, DilatedColumnsStay) {
  GraphBuilder b;
  b.head(pooling(b, first_convolution(b, b.input("data"), 3, {{"dilate", "(1, 2)"}})));
  graph::Graph graph = b.graph();
  pipeline::optimise(graph, {.folds_constants = false});
  const Names names = test::op_names(graph);
  EXPECT_EQ(std::count(names.begin(), names.end(), kBoth), 0);
}

}  // namespace
}  // namespace mxinfer
