// Running a network's first operators sample by sample: which operators it takes, and the same numbers.
#include "passes/bind/split_batch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using Attributes = std::map<std::string, std::string>;
using test::GraphBuilder;
using Names = std::vector<std::string>;

const Names kNone{};

graph::Value convolution(GraphBuilder& b, graph::Value x, std::int64_t channels, std::int64_t filters,
                         const std::string& name) {
  const auto weight = b.parameter(name + "_weight", test::random_tensor({filters, channels, 3, 3}, 7));
  return b.op(
      "Convolution",
      {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", std::to_string(filters)}, {"no_bias", "True"}},
      {x, weight}, name);
}

// Large planes and few weights, then small planes and many weights.
GraphBuilder network() {
  GraphBuilder b;
  auto x = b.input("data");
  x = b.op("relu", {}, {convolution(b, x, 3, 16, "early")});
  x = b.op("Pooling", {{"kernel", "(16, 16)"}, {"stride", "(16, 16)"}, {"pool_type", "max"}}, {x}, "pool");
  x = b.op("relu", {}, {convolution(b, x, 16, 256, "late")}, "late_relu");
  b.head(b.op("mean", {{"axis", "(0, 2, 3)"}}, {x}, "over_the_batch"));
  b.head(x);
  return b;
}

struct Split {
  Names inside, outside;
};

Split split(const graph::Graph& graph, const Shape& shape) {
  const std::vector<ops::TensorType> inputs{{DType::float32, shape}};
  const auto result = split_batch(graph, inputs, shapes::infer_types(graph, inputs));
  if (!result) return {kNone, test::op_names(graph)};
  EXPECT_NO_THROW(graph::verify(*result));
  for (const graph::Node& node : result->nodes) {
    if (node.subgraphs.empty()) continue;
    EXPECT_NO_THROW(graph::verify(*node.subgraphs[0]));
    return {test::op_names(*node.subgraphs[0]), test::op_names(*result)};
  }
  ADD_FAILURE() << "no node has a subgraph";
  return {};
}

TEST(SplitBatch, OperatorsOnLargeValuesWithFewWeightsRunBySample) {
  GraphBuilder b = network();
  const Split found = split(b.graph(), {8, 3, 64, 64});
  EXPECT_EQ(found.inside, (Names{"Convolution", "relu", "Pooling"}));
  EXPECT_EQ(found.outside, (Names{"_mxinfer_by_sample", "Convolution", "relu", "mean"}));
}

// Weights count as they are packed: in bfloat16 half of what they are in the file.
TEST(SplitBatch, WeightsCountInTheTypeOfTheData) {
  for (const bool is_narrow : {false, true}) {
    GraphBuilder b;
    auto x = b.input("data");
    if (is_narrow) x = b.op("Cast", {{"dtype", "bfloat16"}}, {x});
    const char* const op = is_narrow ? "_mxinfer_convolution_bf16" : "_mxinfer_convolution_nhwc";
    const auto layer = [&](std::int64_t channels, std::int64_t filters, const std::string& name) {
      const auto weight = b.parameter(name, test::random_tensor({filters, channels, 3, 3}, 7));
      x = b.op(op,
               {{"kernel", "(3, 3)"},
                {"pad", "(1, 1)"},
                {"num_filter", std::to_string(filters)},
                {"no_bias", "True"}},
               {x, weight}, name);
    };
    layer(16, 64, "early");
    x = b.op("relu", {}, {x});
    layer(64, 256, "late");  // 590 KB of float32, 524 KB of values in and out
    b.head(x);
    // Values of bfloat16 have half the bytes, too.
    const Split found = split(b.graph(), {8, is_narrow ? 29 : 20, 20, 16});
    EXPECT_EQ(found.inside.back(), is_narrow ? op : "relu");
  }
}

TEST(SplitBatch, SmallBatchesAndSmallValuesStayWhole) {
  GraphBuilder b = network();
  EXPECT_EQ(split(b.graph(), {2, 3, 64, 64}).inside, kNone);
  EXPECT_EQ(split(b.graph(), {8, 3, 16, 16}).inside, kNone);
}

TEST(SplitBatch, SamplesOfAFewBytesStayWhole) {
  GraphBuilder b;
  b.head(b.op("tanh", {}, {b.op("exp", {}, {b.input("data")})}));
  EXPECT_EQ(split(b.graph(), {1 << 20}).inside, kNone);
  EXPECT_EQ(split(b.graph(), {1 << 10, 1 << 10}).inside, (Names{"exp", "tanh"}));
}

// Its rows belong to samples, and a subgraph reads a parameter whole.
TEST(SplitBatch, AParameterForEachSampleStaysOutside) {
  for (const char* op : {"elemwise_add", "elemwise_mul", "Concat"}) {
    GraphBuilder b;
    auto y = b.op("relu", {}, {convolution(b, b.input("data"), 3, 16, "conv")});
    const auto offsets = b.parameter("offsets", test::random_tensor({8, 16, 64, 64}, 3));
    const bool joins = std::string(op) == "Concat";
    y = b.op(op, joins ? Attributes{{"dim", "1"}, {"num_args", "2"}} : Attributes{}, {y, offsets});
    for (int i = 0; i < 20; ++i) y = b.op("tanh", {}, {y});  // which would gain much
    b.head(y);
    EXPECT_EQ(split(b.graph(), {8, 3, 64, 64}).inside, (Names{"Convolution", "relu"})) << op;
  }
}

TEST(SplitBatch, AParameterForEachSampleThatIsAddedAsAResidualStaysOutside) {
  GraphBuilder b;
  const auto x = convolution(b, b.input("data"), 3, 16, "conv");
  auto y = convolution(b, x, 16, 16, "next");
  auto& node = b.graph().nodes[static_cast<std::size_t>(y.node)];
  node.post_ops.residual = true;
  const auto offsets = b.parameter("offsets", test::random_tensor({8, 16, 64, 64}, 3));
  b.graph().nodes[static_cast<std::size_t>(y.node)].inputs.push_back(offsets);
  for (int i = 0; i < 20; ++i) y = b.op("tanh", {}, {y});
  b.head(y);
  graph::sort_topologically(b.graph());
  EXPECT_EQ(split(b.graph(), {8, 3, 64, 64}).inside, kNone);
}

TEST(SplitBatch, NormalisationOfSamplesStaysOutside) {
  for (const char* axis : {"0", "-4"}) {
    GraphBuilder b;
    auto y = b.op("relu", {}, {convolution(b, b.input("data"), 3, 16, "conv")});
    std::vector<graph::Value> inputs{y};
    for (const char* name : {"gamma", "beta", "mean", "var"})
      inputs.push_back(b.parameter(name, test::random_tensor({8}, 5)));
    y = b.op("BatchNorm", {{"axis", axis}}, inputs, "norm");
    b.head(b.op("relu", {}, {y}));
    EXPECT_EQ(split(b.graph(), {8, 3, 64, 64}).inside, (Names{"Convolution", "relu"})) << axis;
  }
}

TEST(SplitBatch, WhatMixesSamplesStaysOutside) {
  GraphBuilder b;
  const auto x = b.input("data");
  auto y = b.op("relu", {}, {convolution(b, x, 3, 16, "conv")});
  y = b.op("Concat", {{"dim", "0"}, {"num_args", "2"}}, {y, y});
  y = b.op("transpose", {{"axes", "(1, 0, 2, 3)"}}, {y});
  b.head(b.op("relu", {}, {y}));
  const Split found = split(b.graph(), {8, 3, 64, 64});
  EXPECT_EQ(found.inside, (Names{"Convolution", "relu"}));
  EXPECT_EQ(found.outside, (Names{"_mxinfer_by_sample", "Concat", "transpose", "relu"}));
}

TEST(SplitBatch, InputsOfDifferentBatchesStayWhole) {
  GraphBuilder b;
  const auto x = b.input("data");
  b.head(b.op("relu", {}, {convolution(b, x, 3, 16, "conv")}));
  b.head(b.op("relu", {}, {b.input("other")}));
  const std::vector<ops::TensorType> inputs{{DType::float32, {8, 3, 64, 64}}, {DType::float32, {4, 3}}};
  EXPECT_FALSE(split_batch(b.graph(), inputs, shapes::infer_types(b.graph(), inputs)));
}

// The same bits as of each sample alone, at any number of threads; values inside may be outputs too.
TEST(SplitBatch, GivesEachSamplesOwnNumbers) {
  GraphBuilder b;
  const auto x = b.input("data");
  const auto early = b.op("relu", {}, {convolution(b, x, 3, 16, "early")});
  b.head(b.op("Pooling", {{"kernel", "(4, 4)"}, {"stride", "(4, 4)"}, {"pool_type", "avg"}}, {early}));
  b.head(early);
  const Tensor data = test::random_tensor({9, 3, 64, 64}, 3);
  ASSERT_EQ(split(b.graph(), data.shape()).outside, Names{"_mxinfer_by_sample"});
  for (int threads : {1, 2, 3, 12}) {
    test::RunGraphOptions options;
    options.threads = threads;
    const auto whole = test::run_graph(b.graph(), {&data}, options);
    for (std::int64_t n = 0; n < 9; ++n) {
      Tensor sample = test::random_tensor({1, 3, 64, 64}, 1);
      std::memcpy(sample.raw(), data.data<float>() + n * sample.shape().elements(), sample.bytes());
      const auto alone = test::run_graph(b.graph(), {&sample});
      for (std::size_t o = 0; o < whole.size(); ++o) {
        const float* from = whole[o].data<float>() + n * alone[o].shape().elements();
        EXPECT_EQ(std::memcmp(from, alone[o].raw(), alone[o].bytes()), 0)
            << "sample " << n << ", output " << o << ", " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace mxinfer::passes
