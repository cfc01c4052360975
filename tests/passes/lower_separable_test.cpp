// Fused MobileNet blocks at precision bfloat16: which of them the pass changes, and what they compute then.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "kernels/conv/bf16/conv_bf16.h"
#include "mobilenet_blocks.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"
#include "usual_ops.h"

namespace mxinfer {
namespace {

using test::GraphBuilder;
using test::kSeparable;
using test::kSeparableBf16;
using test::named_convolution;
using test::relu6;
using Attributes = std::map<std::string, std::string>;
using Names = std::vector<std::string>;
constexpr const char* kConvBf16 = "_mxinfer_convolution_bf16";

graph::Value block(GraphBuilder& b, const std::string& name, graph::Value x, std::int64_t channels,
                   std::int64_t expanded, std::int64_t filters) {
  if (expanded > 0) x = relu6(b, named_convolution(b, name + "e", x, channels, expanded, 1));
  const std::int64_t inner = expanded > 0 ? expanded : channels;
  x = relu6(b, named_convolution(b, name + "d", x, inner, inner, 3, inner));
  return named_convolution(b, name + "p", x, inner, filters, 1);
}

graph::Graph lowered(const graph::Graph& given, kernels::Target target) {
  graph::Graph graph = given;
  pipeline::optimise(graph,
                     {.target = target, .precision = kernels::Precision::bfloat16, .folds_constants = false});
  graph::verify(graph);
  return graph;
}

bool is_fast(kernels::Target target) {
  return kernels::bf16_fast_parts(target) != nullptr;
}

/// A network like MobileNetV2: blocks with and without an expansion, and a residual.
graph::Graph mobilenet() {
  GraphBuilder b;
  auto x = relu6(b, named_convolution(b, "first", b.input("data"), 3, 16, 3));
  x = block(b, "a", x, 16, 0, 24);
  x = b.op("elemwise_add", {}, {block(b, "b", x, 24, 144, 24), x});
  b.head(named_convolution(b, "last", x, 24, 20, 1));
  return b.graph();
}

TEST(LowerSeparable, BlocksFollowWhereTheTargetMultipliesBfloat16Fast) {
  for (const kernels::Target target : test::targets()) {
    const Names fast{"transpose", "Cast", kConvBf16, kSeparableBf16, kSeparableBf16, kConvBf16, "transpose"};
    const Names slow{"transpose", "Cast", kConvBf16, kSeparable, kSeparable, "Cast", kConvBf16, "transpose"};
    EXPECT_EQ(test::op_names(lowered(mobilenet(), target)), is_fast(target) ? fast : slow);
  }
}

TEST(LowerSeparable, OutputsAreNearAndTheSameForAnyNumberOfThreads) {
  const graph::Graph exact = mobilenet();
  for (const std::int64_t size : {7, 20}) {
    const Tensor data = test::random_tensor({1, 3, size, size}, 3);
    const Tensor expected = std::move(test::run_graph(exact, {&data})[0]);
    for (const kernels::Target target : test::targets()) {
      const graph::Graph graph = lowered(exact, target);
      const Tensor one = std::move(test::run_graph(graph, {&data}, {target, 1})[0]);
      EXPECT_LE(test::relative_difference(one, expected), 0.03);
      for (const int threads : {2, 3}) {
        const Tensor several = std::move(test::run_graph(graph, {&data}, {target, threads})[0]);
        EXPECT_EQ(test::relative_difference(several, one), 0) << threads << " threads, size " << size;
      }
    }
  }
}

TEST(LowerSeparable, PreluStaysFloat32) {
  GraphBuilder b;
  auto x = named_convolution(b, "d", b.input("data"), 16, 16, 3, 16);
  x = b.op("LeakyReLU", {{"act_type", "prelu"}},
           {x, b.parameter("slopes", test::random_tensor({16}, 9, 0.0f, 0.5f))});
  b.head(named_convolution(b, "p", x, 16, 24, 1));
  for (const kernels::Target target : test::targets())
    EXPECT_EQ(test::op_names(lowered(b.graph(), target)), (Names{"transpose", kSeparable, "transpose"}));
}

/// The operator alone, which any target computes.
graph::Graph operator_graph(const char* op, bool narrow, std::int64_t expanded) {
  GraphBuilder b;
  auto x = b.input("data");
  if (narrow) x = b.op("Cast", {{"dtype", "bfloat16"}}, {x});
  const std::int64_t inner = expanded > 0 ? expanded : 12;
  std::vector<graph::Value> inputs{x};
  const auto add = [&](const std::string& name, const Shape& weight) {
    inputs.push_back(b.parameter(name + "w", test::random_tensor(weight, 5)));
    inputs.push_back(b.parameter(name + "b", test::random_tensor({weight[0]}, 6)));
  };
  if (expanded > 0) add("e", {expanded, 12, 1, 1});
  add("d", {inner, 1, 3, 3});
  add("p", {10, inner, 1, 1});
  Attributes attrs{{"kernel", "(3, 3)"},
                   {"pad", "(1, 1)"},
                   {"num_filter", "10"},
                   {"expand_filters", std::to_string(expanded)}};
  if (narrow) attrs["wide"] = "True";
  b.head(b.op(op, attrs, inputs));
  return b.graph();
}

TEST(LowerSeparable, EveryTargetComputesTheOperator) {
  const Tensor data = test::random_tensor({1, 9, 8, 12}, 3);
  for (const std::int64_t expanded : {0, 40}) {
    const graph::Graph exact = operator_graph(kSeparable, false, expanded);
    const graph::Graph rounded = operator_graph(kSeparableBf16, true, expanded);
    const Tensor expected = std::move(test::run_graph(exact, {&data})[0]);
    for (const kernels::Target target : test::targets()) {
      for (const int threads : {1, 2, 5}) {
        const Tensor result = std::move(test::run_graph(rounded, {&data}, {target, threads})[0]);
        EXPECT_LE(test::relative_difference(result, expected), 0.02);
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer
