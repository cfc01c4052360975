// The pass that keeps values channels-last: the same numbers, and transposes only where they must be.
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

graph::Value padded_convolution(GraphBuilder& b, graph::Value x, std::int64_t channels, std::int64_t filters,
                                std::map<std::string, std::string> attrs = {}) {
  static int count = 0;
  const std::string name = std::to_string(++count);
  attrs.emplace("kernel", "(3, 3)");
  attrs.emplace("pad", "(1, 1)");
  attrs["num_filter"] = std::to_string(filters);
  const std::int64_t k = attrs["kernel"] == "(1, 1)" ? 1 : 3;
  return b.op("Convolution", attrs,
              {x, b.parameter("w" + name, test::random_tensor({filters, channels, k, k}, 20)),
               b.parameter("b" + name, test::random_tensor({filters}, 21))});
}

// Rewrites a copy and expects the same numbers, and these operators.
void expect_rewritten(GraphBuilder& b, const Tensor& data, const Names& ops, double tolerance = 4e-6) {
  graph::Graph rewritten = b.graph();
  passes::channels_last(rewritten);
  graph::verify(rewritten);
  EXPECT_EQ(test::op_names(rewritten), ops);
  const auto before = test::run_graph(b.graph(), {&data});
  const auto after = test::run_graph(rewritten, {&data});
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(after[i].shape(), before[i].shape());
    EXPECT_LE(test::relative_difference(after[i], before[i]), tolerance) << "output " << i;
  }
}

TEST(ChannelsLast, ImagePlanesAreReadAsTheyAre) {
  GraphBuilder b;
  b.head(padded_convolution(b, padded_convolution(b, b.input("data"), 3, 12), 12, 5));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, kConv, "transpose"});
}

TEST(ChannelsLast, ManyPlanesAreTransposedOnce) {
  GraphBuilder b;
  const auto x = b.input("data");
  b.head(b.op("elemwise_add", {}, {padded_convolution(b, x, 20, 5), padded_convolution(b, x, 20, 5)}));
  expect_rewritten(b, test::random_tensor({2, 20, 9, 8}, 3),
                   {"transpose", kConv, kConv, "elemwise_add", "transpose"});
}

TEST(ChannelsLast, PassesThroughPoolingNormConcatAndSlices) {
  GraphBuilder b;
  auto x = padded_convolution(b, b.input("data"), 3, 12);
  auto pooled = b.op("Pooling", {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"pad", "(1, 1)"}}, {x});
  auto y = b.op(
      "BatchNorm", {{"fix_gamma", "False"}},
      {pooled, b.parameter("gamma", test::random_tensor({12}, 4)),
       b.parameter("beta", test::random_tensor({12}, 5)), b.parameter("mean", test::random_tensor({12}, 6)),
       b.parameter("var", test::random_tensor({12}, 7, 0.5f, 2.0f))});
  auto both = b.op("Concat", {{"num_args", "2"}}, {pooled, y});
  b.head(b.op("slice_axis", {{"axis", "-3"}, {"begin", "2"}, {"end", "15"}}, {both}));
  b.head(b.op("slice_axis", {{"axis", "2"}, {"begin", "1"}, {"end", "3"}}, {both}));
  expect_rewritten(
      b, test::random_tensor({2, 3, 9, 8}, 3),
      {kConv, "Pooling", "BatchNorm", "Concat", "slice_axis", "slice_axis", "transpose", "transpose"});
}

TEST(ChannelsLast, PreluSlopesFollowTheChannels) {
  GraphBuilder b;
  b.head(b.op(
      "LeakyReLU", {{"act_type", "prelu"}},
      {padded_convolution(b, b.input("data"), 3, 12), b.parameter("gamma", test::random_tensor({12}, 4))}));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, "_mxinfer_prelu_nhwc", "transpose"});
}

TEST(ChannelsLast, SqueezeAndExcitationStaysInside) {
  GraphBuilder b;
  auto x = padded_convolution(b, b.input("data"), 3, 12);
  auto mean = b.op("_contrib_AdaptiveAvgPooling2D", {{"output_size", "1"}}, {x});
  auto gate =
      b.op("sigmoid", {}, {padded_convolution(b, mean, 12, 12, {{"kernel", "(1, 1)"}, {"pad", "(0, 0)"}})});
  auto scaled = b.op("broadcast_mul", {}, {x, gate});
  b.head(b.op("broadcast_add", {}, {scaled, b.parameter("offset", test::random_tensor({1, 12, 1, 1}, 9))}));
  expect_rewritten(
      b, test::random_tensor({2, 3, 9, 8}, 3),
      {kConv, "Pooling", kConv, "sigmoid", "broadcast_mul", "transpose", "broadcast_add", "transpose"});
}

TEST(ChannelsLast, AModelsOwnTransposeTakesUpOurs) {
  GraphBuilder b;
  auto x = padded_convolution(b, b.input("data"), 3, 12);
  auto last = b.op("transpose", {{"axes", "(0, 2, 3, 1)"}}, {x});
  b.head(b.op("Flatten", {}, {last}));
  b.head(b.op("transpose", {{"axes", "(3, 0, 1, 2)"}}, {x}));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3), {kConv, "transpose", "Flatten", "transpose"});
}

TEST(ChannelsLast, ReductionsKeepTheModelsOrder) {
  GraphBuilder b;
  auto x = padded_convolution(b, b.input("data"), 3, 12);
  b.head(b.op("mean", {{"axis", "(2, 3)"}}, {x}));
  b.head(b.op("sum", {{"axis", "1"}}, {x}));
  b.head(b.op("max", {{"axis", "3"}}, {x}));
  b.head(b.op("sum", {{"axis", "1"}, {"keepdims", "True"}}, {x}));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3),
                   {kConv, "mean", "sum", "transpose", "max", "sum", "transpose"});
}

TEST(ChannelsLast, UnknownReadersGetTheModelsOrder) {
  GraphBuilder b;
  auto x = padded_convolution(b, b.input("data"), 3, 12);
  b.head(b.op("Flatten", {}, {x}));
  b.head(b.op("depth_to_space", {{"block_size", "2"}}, {x}));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3),
                   {kConv, "transpose", "Flatten", "depth_to_space"});
}

TEST(ChannelsLast, ResidualsAreReadInTheSameOrder) {
  GraphBuilder b;
  auto x = b.input("data");
  b.head(b.op("elemwise_add", {}, {padded_convolution(b, x, 12, 12), x}));
  graph::Graph fused = b.graph();
  pipeline::simplify(fused);
  passes::channels_last(fused);
  EXPECT_EQ(test::op_names(fused), (Names{"transpose", kConv, "transpose"}));
  const Tensor data = test::random_tensor({2, 12, 9, 8}, 3);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(fused, {&data});
  EXPECT_LE(test::relative_difference(after[0], before[0]), 4e-6);
}

TEST(ChannelsLast, ComputedWeightsStayAsTheyAre) {
  GraphBuilder b;
  auto x = b.input("data");
  b.head(b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
              {x, b.op("relu", {}, {b.parameter("w", test::random_tensor({4, 3, 1, 1}, 1))})}));
  expect_rewritten(b, test::random_tensor({2, 3, 9, 8}, 3), {"relu", "Convolution"});
}

}  // namespace
}  // namespace mxinfer
