// The pass that makes products compute in bfloat16: near the same numbers, and casts only where they must be.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using test::GraphBuilder;
using Names = std::vector<std::string>;
using test::kConv;
using test::relu;
constexpr const char* kConv16 = "_mxinfer_convolution_bf16";
constexpr const char* kDense16 = "_mxinfer_fully_connected_bf16";

graph::Value biased_convolution(GraphBuilder& b, const std::string& name, graph::Value x,
                                std::int64_t channels, std::int64_t filters, std::int64_t groups = 1) {
  return b.op("Convolution",
              {{"kernel", "(3, 3)"},
               {"pad", "(1, 1)"},
               {"num_filter", std::to_string(filters)},
               {"num_group", std::to_string(groups)}},
              {x, b.parameter(name + "w", test::random_tensor({filters, channels / groups, 3, 3}, 20)),
               b.parameter(name + "b", test::random_tensor({filters}, 21))});
}

graph::Value dense(GraphBuilder& b, const std::string& name, graph::Value x, std::int64_t depth,
                   std::int64_t hidden) {
  return b.op("FullyConnected", {{"num_hidden", std::to_string(hidden)}},
              {x, b.parameter(name + "w", test::random_tensor({hidden, depth}, 22)),
               b.parameter(name + "b", test::random_tensor({hidden}, 23))});
}

graph::Graph lowered(GraphBuilder& b) {
  graph::Graph graph = b.graph();
  pipeline::optimise(graph, {.precision = kernels::Precision::bfloat16, .folds_constants = false});
  graph::verify(graph);
  return graph;
}

// A factor errs by 2^-9 at most, and errors of random sums grow as their values do: a few of them in a row
// stay below 2%.
void expect_lowered(GraphBuilder& b, const Tensor& data, const Names& ops) {
  const graph::Graph graph = lowered(b);
  EXPECT_EQ(test::op_names(graph), ops);
  const auto before = test::run_graph(b.graph(), {&data});
  for (const kernels::Target target : test::targets()) {
    const auto after = test::run_graph(graph, {&data}, {target, 1});
    const auto threaded = test::run_graph(graph, {&data}, {target, 3});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_LE(test::relative_difference(after[i], before[i]), 0.02) << "output " << i;
      EXPECT_EQ(test::relative_difference(threaded[i], after[i]), 0) << "output " << i;
    }
  }
}

TEST(LowerPrecision, NothingHappensForFloat32) {
  GraphBuilder b;
  b.head(biased_convolution(b, "c", b.input("data"), 20, 5));
  graph::Graph same = b.graph();
  passes::lower_precision(same, {.precision = kernels::Precision::float32});
  EXPECT_EQ(graph::dump(same), graph::dump(b.graph()));
}

TEST(LowerPrecision, ConvolutionsBehindTheImagesPassBfloat16On) {
  GraphBuilder b;
  auto x = relu(b, biased_convolution(b, "a", b.input("data"), 3, 32));
  x = relu(b, biased_convolution(b, "b", x, 32, 24));
  b.head(biased_convolution(b, "c", x, 24, 7));
  expect_lowered(b, test::random_tensor({2, 3, 9, 8}, 3),
                 {"transpose", "Cast", kConv16, kConv16, kConv16, "transpose"});
}

// In float32 it is one operator with its pooling, and reads planes.
TEST(LowerPrecision, TheFirstConvolutionIsOneLikeTheOthers) {
  for (const char* convention : {"valid", "full"}) {
    for (const char* activation : {"relu", "sigmoid"}) {
      GraphBuilder b;
      auto x = b.op("Activation", {{"act_type", activation}},
                    {biased_convolution(b, "a", b.input("data"), 3, 20)});
      x = b.op(
          "Pooling",
          {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}, {"pooling_convention", convention}},
          {x});
      b.head(biased_convolution(b, "b", x, 20, 24));
      graph::Graph wide = b.graph();
      pipeline::optimise(wide, {.folds_constants = false});
      EXPECT_EQ(test::op_names(wide), (Names{"_mxinfer_convolution_pool_nhwc", kConv, "transpose"}));
      expect_lowered(b, test::random_tensor({2, 3, 12, 11}, 3),
                     {"transpose", "Cast", kConv16, "Pooling", kConv16, "transpose"});
    }
  }
}

// Hard-swish is a function that no operator has but the convolution of float32.
TEST(LowerPrecision, TheFirstConvolutionStaysWhereItHasWhatOthersLack) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 3, 32);
  auto gate = b.op("clip", {{"a_min", "0"}, {"a_max", "6"}}, {b.op("_plus_scalar", {{"scalar", "3"}}, {x})});
  x = b.op("elemwise_mul", {}, {x, b.op("_div_scalar", {{"scalar", "6"}}, {gate})});
  b.head(biased_convolution(b, "b", x, 32, 24));
  expect_lowered(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, "Cast", kConv16, "transpose"});
}

TEST(LowerPrecision, ResidualsAndWhatLiesBetweenFollow) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 20, 32);
  auto y = b.op("elemwise_add", {}, {biased_convolution(b, "b", relu(b, x), 32, 32), x});
  auto pool = b.op("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "avg"}}, {y});
  auto most = b.op("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}}, {y});
  auto both = b.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {pool, most});
  b.head(biased_convolution(b, "c", both, 64, 5));
  const graph::Graph graph = lowered(b);
  for (const graph::Node& node : graph.nodes)
    if (node.op != nullptr && node.op_name == "Convolution") {
      EXPECT_FALSE(node.notes.empty());
    }
  expect_lowered(b, test::random_tensor({2, 20, 8, 8}, 3),
                 {"transpose", "Cast", kConv16, "Activation", kConv16, "Pooling", "Pooling", "Concat",
                  kConv16, "transpose"});
}

// The last product adds bfloat16 and gives float32, as what reads it stays float32.
TEST(LowerPrecision, AResidualMayBeNarrowerThanTheSum) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 20, 32);
  b.head(
      b.op("negative", {}, {b.op("elemwise_add", {}, {biased_convolution(b, "b", relu(b, x), 32, 32), x})}));
  expect_lowered(b, test::random_tensor({2, 20, 8, 8}, 3),
                 {"transpose", "Cast", kConv16, "Activation", kConv16, "negative", "transpose"});
}

TEST(LowerPrecision, OthersReadFloat32) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 20, 32);
  b.head(b.op("exp", {}, {b.op("_mul_scalar", {{"scalar", "0.1"}}, {x})}));  // nobody wants bfloat16
  b.head(biased_convolution(b, "b", x, 32, 5));
  b.head(b.op("softsign", {}, {x}));
  const auto names = test::op_names(lowered(b));
  EXPECT_EQ(std::count(names.begin(), names.end(), "Cast"), 2);  // the input's, and one for both readers
  EXPECT_EQ(std::count(names.begin(), names.end(), kConv16), 2);
  GraphBuilder c;
  c.head(c.op("softsign", {}, {biased_convolution(c, "a", c.input("data"), 20, 32)}));
  expect_lowered(c, test::random_tensor({1, 20, 6, 6}, 3),
                 {"transpose", "Cast", kConv16, "softsign", "transpose"});
}

/// Its parameters are float32 whatever its data is.
graph::Value normalisation(GraphBuilder& b, const std::string& name, graph::Value x, std::int64_t channels) {
  std::vector<graph::Value> inputs{x};
  for (const char* what : {"gamma", "beta", "mean", "var"})
    inputs.push_back(b.parameter(name + what, test::random_tensor({channels}, 6, 0.5f, 1.5f)));
  return b.op("BatchNorm", {{"fix_gamma", "False"}}, inputs);
}

// As in DenseNet: a layer normalises all that is before it, and adds to it.
TEST(LowerPrecision, NormalisationsBetweenProductsFollow) {
  GraphBuilder b;
  auto all = biased_convolution(b, "a", b.input("data"), 20, 32);
  for (int layer = 0; layer < 2; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    const std::int64_t channels = 32 * (layer + 1);
    const auto more =
        biased_convolution(b, name, relu(b, normalisation(b, name, all, channels)), channels, 32);
    all = b.op("Concat", {{"dim", "1"}, {"num_args", "2"}}, {all, more});
  }
  b.head(biased_convolution(b, "last", relu(b, normalisation(b, "last", all, 96)), 96, 16));
  constexpr const char* kNorm16 = "_mxinfer_batch_norm_bf16";
  expect_lowered(b, test::random_tensor({2, 20, 6, 6}, 3),
                 {"transpose", "Cast", kConv16, kNorm16, kConv16, "Concat", kNorm16, kConv16, "Concat",
                  kNorm16, kConv16, "transpose"});
}

// Nothing rounds what the network gives.
TEST(LowerPrecision, NormalisationsOfOutputsStayFloat32) {
  GraphBuilder b;
  const auto x = relu(b, biased_convolution(b, "a", b.input("data"), 20, 32));
  b.head(normalisation(b, "norm", x, 32));
  expect_lowered(b, test::random_tensor({2, 20, 6, 6}, 3),
                 {"transpose", "Cast", kConv16, "BatchNorm", "transpose"});
}

TEST(LowerPrecision, SmallGroupsStayFloat32) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 20, 32);
  x = biased_convolution(b, "b", x, 32, 32, 32);
  b.head(biased_convolution(b, "c", x, 32, 64, 2));
  expect_lowered(b, test::random_tensor({1, 20, 6, 6}, 3),
                 {"transpose", "Cast", kConv16, kConv, "Cast", kConv16, "transpose"});
}

TEST(LowerPrecision, WhatFloat32KernelsAloneHaveStaysFloat32) {
  GraphBuilder b;
  auto x = biased_convolution(b, "a", b.input("data"), 20, 32);
  x = b.op("LeakyReLU", {{"act_type", "prelu"}},
           {x, b.parameter("slopes", test::random_tensor({32}, 9, 0.0f, 0.5f))});
  b.head(biased_convolution(b, "b", x, 32, 16));
  expect_lowered(b, test::random_tensor({1, 20, 6, 6}, 3),
                 {"transpose", kConv, "Cast", kConv16, "transpose"});
}

TEST(LowerPrecision, FullyConnectedReadsRows) {
  GraphBuilder b;
  auto x = dense(b, "a", b.input("data"), 60, 33);
  b.head(b.op("softmax", {}, {dense(b, "b", relu(b, x), 33, 10)}));
  for (const std::int64_t rows : {1, 5, 40})
    expect_lowered(b, test::random_tensor({rows, 3, 4, 5}, 3), {"Cast", kDense16, kDense16, "softmax"});
}

}  // namespace
}  // namespace mxinfer
