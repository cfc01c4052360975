// Strides of pointwise convolutions that move to where what nobody reads is computed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/op_def.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;
using test::relu;

// A 1x1 convolution, or a 3x3 one that keeps the size where it has no stride.
Value strided_convolution(GraphBuilder& b, Value x, std::int64_t kernel,
                          const std::string& stride = "(1, 1)") {
  const auto seed = static_cast<unsigned>(b.graph().nodes.size());
  return b.op(
      "Convolution",
      {{"kernel", kernel == 1 ? "(1, 1)" : "(3, 3)"},
       {"pad", kernel == 1 ? "(0, 0)" : "(1, 1)"},
       {"stride", stride},
       {"num_filter", "4"},
       {"no_bias", "True"}},
      {x, b.parameter("w" + std::to_string(seed), test::random_tensor({4, 4, kernel, kernel}, seed))});
}

// Every operator, with its strides where it has them: "Convolution 2 2".
Names strided_ops(const graph::Graph& graph) {
  Names names;
  for (const graph::Node& node : graph.nodes) {
    if (node.op == nullptr) continue;
    std::string strides;
    if (node.op->name == "Convolution" || node.op->name == "Pooling") {
      for (std::int64_t stride : node.attrs.tuple("stride")) strides += " " + std::to_string(stride);
    }
    names.push_back(node.op->name + strides);
  }
  return names;
}

// Expects the operators once the graph is simplified, and the same numbers, also once it is optimised.
void expect_simplified(GraphBuilder& b, const Names& ops, const Shape& shape = {2, 4, 9, 8}) {
  const Tensor data = test::random_tensor(shape, 3);
  graph::Graph simplified = b.graph(), optimized = b.graph();
  pipeline::simplify(simplified);
  pipeline::optimise(optimized, {.folds_constants = false});
  EXPECT_EQ(strided_ops(simplified), ops);
  const auto before = test::run_graph(b.graph(), {&data});
  for (const graph::Graph* graph : {&simplified, &optimized}) {
    graph::verify(*graph);
    const auto after = test::run_graph(*graph, {&data});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      ASSERT_EQ(after[i].shape(), before[i].shape());
      EXPECT_LE(test::relative_difference(after[i], before[i]), 4e-6) << "output " << i;
    }
  }
}

TEST(PropagateStride, ThroughTheEndOfAResidualStage) {
  GraphBuilder b;
  const auto data = b.input("data");
  const auto body =
      strided_convolution(b, relu(b, strided_convolution(b, relu(b, strided_convolution(b, data, 1)), 3)), 1);
  const auto stage = relu(b, b.op("elemwise_add", {}, {body, data}));
  b.head(strided_convolution(b, stage, 1, "(2, 2)"));
  b.head(strided_convolution(b, stage, 1, "(2, 2)"));
  expect_simplified(b, {"Convolution 1 1", "Convolution 2 2", "Pooling 2 2", "Convolution 1 1",
                        "Convolution 1 1", "Convolution 1 1"});
}

// The largest of one would lose it.
TEST(PropagateStride, TheSubsampledShortcutKeepsNaN) {
  GraphBuilder b;
  const auto data = b.input("data"), shortcut = b.input("shortcut");
  b.head(strided_convolution(b, b.op("elemwise_add", {}, {strided_convolution(b, data, 1), shortcut}), 1,
                             "(2, 2)"));
  graph::Graph simplified = b.graph();
  pipeline::simplify(simplified);
  EXPECT_EQ(strided_ops(simplified), (Names{"Pooling 2 2", "Convolution 2 2", "Convolution 1 1"}));
  const Shape shape{1, 4, 3, 3};
  const Tensor numbers = test::random_tensor(shape, 3);
  Tensor none(DType::float32, shape);
  std::fill_n(none.data<float>(), shape.elements(), std::nanf(""));
  for (const bool optimized : {false, true}) {
    if (optimized) pipeline::optimise(simplified, {.folds_constants = false});
    const Tensor out = std::move(test::run_graph(simplified, {&numbers, &none})[0]);
    for (std::int64_t i = 0; i < out.shape().elements(); ++i)
      EXPECT_TRUE(std::isnan(out.data<float>()[i])) << i;
  }
}

TEST(PropagateStride, IntoAShortcutThatNobodyElseReads) {
  GraphBuilder b;
  const auto data = b.input("data");
  const auto shortcut = strided_convolution(b, data, 1);
  const auto sum = b.op("elemwise_add", {}, {strided_convolution(b, data, 3), shortcut});
  b.head(strided_convolution(b, sum, 1, "(2, 3)"));
  expect_simplified(b, {"Convolution 2 3", "Convolution 2 3", "Convolution 1 1"});
}

TEST(PropagateStride, StridesMultiply) {
  for (const std::int64_t height : {8, 9, 10, 11, 12, 13}) {
    GraphBuilder b;
    b.head(strided_convolution(b, strided_convolution(b, b.input("data"), 3, "(2, 1)"), 1, "(3, 2)"));
    expect_simplified(b, {"Convolution 6 2", "Convolution 1 1"}, {1, 4, height, 7});
  }
}

TEST(PropagateStride, NotWhereSomebodyReadsEverything) {
  {
    GraphBuilder b;
    const auto x = strided_convolution(b, b.input("data"), 3);
    b.head(strided_convolution(b, x, 1, "(2, 2)"));
    b.head(x);
    expect_simplified(b, {"Convolution 1 1", "Convolution 2 2"});
  }
  {
    GraphBuilder b;
    const auto x = strided_convolution(b, b.input("data"), 3);
    b.head(strided_convolution(b, x, 1, "(2, 2)"));
    b.head(b.op("mean", {}, {x}));
    expect_simplified(b, {"Convolution 1 1", "Convolution 2 2", "mean"});
  }
}

TEST(PropagateStride, NotWhereReadersDisagree) {
  for (const char* other : {"(1, 1)", "(2, 1)"}) {
    GraphBuilder b;
    const auto x = strided_convolution(b, b.input("data"), 3);
    b.head(strided_convolution(b, x, 1, "(2, 2)"));
    b.head(strided_convolution(b, x, 1, other));
    const std::string strides{' ', other[1], ' ', other[4]};
    expect_simplified(b, {"Convolution 1 1", "Convolution 2 2", "Convolution" + strides});
  }
}

TEST(PropagateStride, NotFromWiderWindows) {
  GraphBuilder b;
  b.head(strided_convolution(b, strided_convolution(b, b.input("data"), 1), 3, "(2, 2)"));
  expect_simplified(b, {"Convolution 1 1", "Convolution 2 2"});
}

TEST(PropagateStride, NotWhereTheValueIsAResidualToo) {
  GraphBuilder b;
  const auto x = strided_convolution(b, b.input("data"), 3);
  b.head(strided_convolution(b, x, 1, "(2, 2)"));
  b.head(b.op("elemwise_add", {}, {strided_convolution(b, x, 1), x}));
  expect_simplified(b, {"Convolution 1 1", "Convolution 2 2", "Convolution 1 1"});
}

}  // namespace
}  // namespace mxinfer
