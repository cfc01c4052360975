#include "passes/passes.h"

#include <gtest/gtest.h>
#include <mxinfer/error.h>

#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::passes {
namespace {

using test::GraphBuilder;
using Names = std::vector<std::string>;

graph::Value batch_norm(GraphBuilder& b, graph::Value x, std::int64_t channels,
                        const char* fix_gamma = "False") {
  return b.op("BatchNorm", {{"eps", "1e-05"}, {"fix_gamma", fix_gamma}},
              {x, b.parameter("gamma", test::random_tensor({channels}, 11, 0.5f, 2.0f)),
               b.parameter("beta", test::random_tensor({channels}, 12)),
               b.parameter("mean", test::random_tensor({channels}, 13)),
               b.parameter("var", test::random_tensor({channels}, 14, 0.3f, 3.0f))});
}

// Simplifies a copy and expects these operators, and the same numbers, also once it is optimised.
void expect_same(GraphBuilder& b, const Tensor& data, const Names& ops, double tolerance = 2e-6) {
  graph::Graph simplified = b.graph(), optimized = b.graph();
  pipeline::simplify(simplified);
  pipeline::optimise(optimized, {.folds_constants = false});
  EXPECT_EQ(test::op_names(simplified), ops);
  const auto before = test::run_graph(b.graph(), {&data});
  for (const graph::Graph* graph : {&simplified, &optimized}) {
    graph::verify(*graph);
    const auto after = test::run_graph(*graph, {&data});
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_LE(test::relative_difference(after[i], before[i]), tolerance) << "output " << i;
    }
  }
}

TEST(FoldBatchNorm, IntoConvolutions) {
  for (const bool bias : {false, true}) {
    for (const std::int64_t groups : {1, 2}) {
      for (const char* fix_gamma : {"True", "False"}) {
        GraphBuilder b;
        std::vector<graph::Value> inputs = {b.input("data"),
                                            b.parameter("w", test::random_tensor({6, 4 / groups, 3, 3}, 1))};
        if (bias) inputs.push_back(b.parameter("b", test::random_tensor({6}, 2)));
        auto x = b.op("Convolution",
                      {{"kernel", "(3, 3)"},
                       {"num_filter", "6"},
                       {"num_group", std::to_string(groups)},
                       {"no_bias", bias ? "False" : "True"}},
                      inputs);
        b.head(batch_norm(b, x, 6, fix_gamma));
        expect_same(b, test::random_tensor({2, 4, 9, 8}, 3), {"Convolution"});
      }
    }
  }
}

TEST(FoldBatchNorm, IntoGroupedDeconvolutions) {
  GraphBuilder b;
  auto x = b.op("Deconvolution",
                {{"kernel", "(3, 3)"}, {"stride", "(2, 2)"}, {"num_filter", "6"}, {"num_group", "2"}},
                {b.input("data"), b.parameter("w", test::random_tensor({4, 3, 3, 3}, 1))});
  b.head(batch_norm(b, x, 6));
  expect_same(b, test::random_tensor({2, 4, 5, 6}, 3), {"Deconvolution"});
}

// No pass divides by groups that do not fit the weights, or makes memory for them; the plan says what is
// wrong.
TEST(FoldBatchNorm, GroupsThatDoNotFitAreLeftToThePlan) {
  for (const char* op : {"Convolution", "Deconvolution"}) {
    for (const char* groups :
         {"0", "-1", "3", "8", "4611686018427387904", "9223372036854775807", "-9223372036854775808"}) {
      GraphBuilder b;
      const auto data = b.op("_plus_scalar", {{"scalar", "2"}}, {b.input("data")});
      const auto x =
          b.op(op, {{"kernel", "(3, 3)"}, {"num_filter", "4"}, {"num_group", groups}, {"no_bias", "True"}},
               {data, b.parameter("w", test::random_tensor({4, 4, 3, 3}, 1))});
      b.head(batch_norm(b, b.op("_mul_scalar", {{"scalar", "3"}}, {x}), 4));
      graph::Graph optimized = b.graph();
      pipeline::optimise(optimized, {.folds_constants = false});
      const Tensor image = test::random_tensor({1, 4, 5, 5}, 2);
      EXPECT_THROW(test::run_graph(optimized, {&image}), Error) << op << ' ' << groups;
    }
  }
}

TEST(FoldBatchNorm, IntoFullyConnected) {
  GraphBuilder b;
  auto x = b.op("FullyConnected", {{"num_hidden", "5"}},
                {b.input("data"), b.parameter("w", test::random_tensor({5, 12}, 1)),
                 b.parameter("b", test::random_tensor({5}, 2))});
  b.head(batch_norm(b, x, 5));
  expect_same(b, test::random_tensor({3, 12}, 3), {"FullyConnected"});
}

TEST(FoldBatchNorm, NotWhereTheConvolutionIsReadTwice) {
  GraphBuilder b;
  auto x = b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "6"}, {"no_bias", "True"}},
                {b.input("data"), b.parameter("w", test::random_tensor({6, 4, 1, 1}, 1))});
  b.head(batch_norm(b, x, 6));
  b.head(x);
  expect_same(b, test::random_tensor({2, 4, 9, 8}, 3), {"Convolution", "BatchNorm"});
}

TEST(FuseResidualAndActivation, AResidualBlockIsTwoConvolutions) {
  GraphBuilder b;
  auto data = b.input("data");
  const auto conv = [&](graph::Value x, unsigned seed) {
    x = b.op("Convolution",
             {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
             {x, b.parameter("w", test::random_tensor({4, 4, 3, 3}, seed))});
    return batch_norm(b, x, 4);
  };
  const auto relu = [&](graph::Value x) { return b.op("Activation", {{"act_type", "relu"}}, {x}); };
  auto x = conv(relu(conv(data, 1)), 2);
  b.head(relu(b.op("elemwise_add", {}, {data, x})));
  expect_same(b, test::random_tensor({2, 4, 9, 8}, 3), {"Convolution", "Convolution"});
}

TEST(FuseResidual, TheEarlierBranchIsThereWhenTheLaterOneRuns) {
  for (const bool swap : {false, true}) {
    using Addition = std::pair<std::string, std::map<std::string, std::string>>;
    for (const auto& [add, attrs] :
         {Addition{"elemwise_add", {}}, Addition{"ElementWiseSum", {{"num_args", "2"}}}}) {
      GraphBuilder b;
      auto data = b.input("data");
      const auto conv = [&](unsigned seed) {
        return b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
                    {data, b.parameter("w", test::random_tensor({4, 4, 1, 1}, seed))});
      };
      auto first = conv(1), second = conv(2);
      b.head(swap ? b.op(add, attrs, {second, first}) : b.op(add, attrs, {first, second}));
      expect_same(b, test::random_tensor({1, 4, 5, 5}, 3), {"Convolution", "Convolution"});
    }
  }
}

TEST(FuseResidual, NotWithItself) {
  GraphBuilder b;
  auto x = b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}},
                {b.input("data"), b.parameter("w", test::random_tensor({4, 4, 1, 1}, 1))});
  b.head(b.op("elemwise_add", {}, {x, x}));
  expect_same(b, test::random_tensor({1, 4, 5, 5}, 3), {"Convolution", "elemwise_add"});
}

TEST(FuseActivation, EveryKindThatAConvolutionTakes) {
  const std::vector<std::pair<std::string, std::map<std::string, std::string>>> activations = {
      {"Activation", {{"act_type", "relu"}}},
      {"Activation", {{"act_type", "sigmoid"}}},
      {"Activation", {{"act_type", "tanh"}}},
      {"Activation", {{"act_type", "softrelu"}}},
      {"Activation", {{"act_type", "softsign"}}},
      {"LeakyReLU", {{"act_type", "leaky"}, {"slope", "0.1"}}},
      {"LeakyReLU", {{"act_type", "elu"}, {"slope", "0.3"}}},
      {"LeakyReLU", {{"act_type", "gelu"}}},
      {"clip", {{"a_min", "-0.2"}, {"a_max", "0.7"}}},
  };
  for (const auto& [op, attrs] : activations) {
    GraphBuilder b;
    auto x = b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "5"}, {"no_bias", "True"}},
                  {b.input("data"), b.parameter("w", test::random_tensor({5, 4, 1, 1}, 1))});
    b.head(b.op(op, attrs, {x}));
    expect_same(b, test::random_tensor({1, 4, 7, 5}, 3), {"Convolution"});
  }
}

// As mobile networks that were written before clip have their relu6.
TEST(FuseActivation, LimitsOfLimitsAreLimits) {
  using Steps = std::vector<std::pair<std::string, std::map<std::string, std::string>>>;
  const std::vector<Steps> chains = {
      {{"_maximum_scalar", {{"scalar", "0"}}}, {"_minimum_scalar", {{"scalar", "0.6"}}}},
      {{"_minimum_scalar", {{"scalar", "0.6"}}}, {"_maximum_scalar", {{"scalar", "-0.2"}}}},
      {{"relu", {}}, {"clip", {{"a_min", "-1"}, {"a_max", "0.5"}}}},
      {{"clip", {{"a_min", "0.1"}, {"a_max", "0.2"}}}, {"relu", {}}},
      {{"relu", {}}, {"Activation", {{"act_type", "relu"}}}},
      {{"_maximum_scalar", {{"scalar", "0.1"}}}}};
  for (const Steps& chain : chains) {
    GraphBuilder b;
    auto x = b.op("Convolution", {{"kernel", "(1, 1)"}, {"num_filter", "5"}, {"no_bias", "True"}},
                  {b.input("data"), b.parameter("w", test::random_tensor({5, 4, 1, 1}, 1))});
    for (const auto& [op, attrs] : chain) x = b.op(op, attrs, {x});
    b.head(x);
    expect_same(b, test::random_tensor({1, 4, 7, 5}, 3), {"Convolution"});
  }
}

TEST(RemoveIdentities, DropoutGoesAway) {
  GraphBuilder b;
  auto x = b.op("Dropout", {{"p", "0.5"}}, {b.input("data")});
  b.head(b.op("Activation", {{"act_type", "relu"}}, {x}));
  expect_same(b, test::random_tensor({3, 4}, 1), {"Activation"});
}

TEST(PruneTrainingInputs, TheLabelOfSoftmaxOutputGoes) {
  GraphBuilder b;
  auto data = b.input("data");
  auto label = b.input("softmax_label");
  b.head(b.op("SoftmaxOutput", {}, {data, label}));
  const auto notes = prune_training_inputs(b.graph());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("softmax_label"), std::string::npos) << notes[0];
  EXPECT_EQ(b.graph().nodes.size(), 2u);
}

// The labels of a loss are an input like any other: a user who has none is told how to do without.
TEST(FindLosses, NamesTheInputsOfALossAlone) {
  GraphBuilder b;
  const auto frames = b.op("_mul_scalar", {{"scalar", "2"}}, {b.input("data")});
  const auto loss = b.op("CTCLoss", {}, {frames, b.input("label")});
  b.head(b.op("softmax", {}, {frames}));
  b.head(loss);
  const Names notes = find_losses(b.graph());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("reads label"), std::string::npos) << notes[0];
}

TEST(FindLosses, IsSilentWhereEveryOutputIsALoss) {
  GraphBuilder b;
  b.head(b.op("CTCLoss", {}, {b.input("data"), b.input("label")}));
  EXPECT_EQ(find_losses(b.graph()), Names{});
}

}  // namespace
}  // namespace mxinfer::passes
