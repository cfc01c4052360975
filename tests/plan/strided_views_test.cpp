// Concatenations and slices that move nothing.
#include "plan/memory/strided_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/fail.h"
#include "plan/plan.h"
#include "plan/schedule/predict_times.h"
#include "plan_for.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::plan {
namespace {

using graph::Value;
using test::GraphBuilder;
using test::plan_for;
using Attributes = std::map<std::string, std::string>;

constexpr const char* kBFloat16Convolution = "_mxinfer_convolution_bf16";

/// The attribute of two equal sizes.
std::string pair_of(int size) {
  return concat('(', size, ", ", size, ')');
}

/// Two branches of convolutions over channels-last data, side by side; `kernels` are their filters' sizes. Of
/// bfloat16 data, if `op` is that convolution.
struct Fire {
  GraphBuilder b;
  std::vector<Value> branches;
  Value joined;

  explicit Fire(const std::vector<int>& kernels, std::int64_t channels = 12,
                const std::string& op = "_mxinfer_convolution_nhwc") {
    Value data = b.input("data");
    if (op == kBFloat16Convolution) data = b.op("Cast", {{"dtype", "bfloat16"}}, {data});
    for (const int k : kernels) {
      const auto seed = static_cast<unsigned>(branches.size());
      branches.push_back(b.op(
          op, {{"kernel", pair_of(k)}, {"pad", pair_of(k / 2)}, {"num_filter", "20"}},
          {data, b.parameter("w" + std::to_string(seed), test::random_tensor({20, channels, k, k}, seed)),
           b.parameter("b" + std::to_string(seed), test::random_tensor({20}, 7 + seed))}));
      b.graph().nodes[static_cast<std::size_t>(branches.back().node)].post_ops.activation =
          graph::Activation::relu;
    }
    joined = b.op("Concat", {{"dim", "3"}, {"num_args", std::to_string(kernels.size())}}, branches);
    b.head(joined);
  }
};

StepInfo step_of(const PlanInfo& info, const std::string& op) {
  return *std::find_if(info.steps.begin(), info.steps.end(),
                       [&](const StepInfo& step) { return step.op == op; });
}
StepInfo step_of(const Plan& plan, const std::string& op) {
  return step_of(plan.info, op);
}

void expect_bits(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  EXPECT_EQ(std::memcmp(a.raw(), b.raw(), a.bytes()), 0);
}

/// The concatenation of what the branches give by themselves.
Tensor side_by_side(const Fire& fire, const Tensor& data, const test::RunGraphOptions& options) {
  graph::Graph apart = Fire(fire).b.graph();
  apart.heads = fire.branches;
  const std::vector<Tensor> parts = test::run_graph(apart, {&data}, options);
  std::vector<const Tensor*> inputs;
  for (const Tensor& part : parts) inputs.push_back(&part);
  const Attributes attrs{{"dim", "3"}, {"num_args", std::to_string(parts.size())}};
  return std::move(test::run_op("Concat", attrs, inputs)[0]);
}

TEST(JoinRows, ConvolutionsWriteIntoTheConcatenation) {
  Fire fire({1, 3, 5});
  for (const std::int64_t batch : {1, 3}) {
    const Tensor data = test::random_tensor({batch, 17, 15, 12}, 3);
    const auto plan = plan_for(fire.b.graph(), data.shape());
    EXPECT_EQ(plan->steps.size(), 3u);
    EXPECT_EQ(step_of(*plan, "Concat").kernel, "alias");
    EXPECT_EQ(step_of(predicted_info(*plan), "Concat").predicted_ms, 0);
    EXPECT_GT(step_of(predicted_info(*plan), "_mxinfer_convolution_nhwc").predicted_ms, 0);
    for (const kernels::Target target : test::targets()) {
      for (const int threads : {1, 3}) {
        expect_bits(test::run_graph(fire.b.graph(), {&data}, {target, threads})[0],
                    side_by_side(fire, data, {target, 1}));
      }
    }
  }
}

TEST(JoinRows, ConvolutionsOfBFloat16WriteIntoTheConcatenation) {
  Fire fire({1, 3, 5}, 16, kBFloat16Convolution);
  const Tensor data = test::random_tensor({2, 17, 15, 16}, 3);
  EXPECT_EQ(step_of(*plan_for(fire.b.graph(), data.shape()), "Concat").kernel, "alias");
  for (const kernels::Target target : test::targets()) {
    for (const int threads : {1, 3}) {
      expect_bits(test::run_graph(fire.b.graph(), {&data}, {target, threads})[0],
                  side_by_side(fire, data, {target, 1}));
    }
  }
}

// The kernels have one row stride for output and residual.
TEST(JoinRows, ConvolutionsOfBFloat16WithAResidualAreCopied) {
  Fire fire({1, 3}, 20, kBFloat16Convolution);
  auto& last = fire.b.graph().nodes[static_cast<std::size_t>(fire.branches[1].node)];
  last.inputs.push_back(last.inputs[0]);
  last.post_ops.residual = true;
  const Tensor data = test::random_tensor({1, 9, 9, 20}, 3);
  EXPECT_NE(step_of(*plan_for(fire.b.graph(), data.shape()), "Concat").kernel, "alias");
  expect_bits(test::run_graph(fire.b.graph(), {&data})[0], side_by_side(fire, data, {}));
}

TEST(JoinRows, WhatTheNetworkGivesIsCopied) {
  Fire fire({1, 3});
  fire.b.head(fire.branches[0]);
  const Tensor data = test::random_tensor({2, 9, 9, 12}, 3);
  const auto plan = plan_for(fire.b.graph(), data.shape());
  EXPECT_NE(step_of(*plan, "Concat").kernel, "alias");
  const Tensor expected = side_by_side(fire, data, {});
  const auto outputs = test::run_graph(fire.b.graph(), {&data});
  expect_bits(outputs[0], expected);

  Fire twice({1});
  twice.b.graph().heads = {
      twice.b.op("Concat", {{"dim", "3"}, {"num_args", "2"}}, {twice.branches[0], twice.branches[0]})};
  const Tensor both = std::move(test::run_graph(twice.b.graph(), {&data})[0]);
  const auto* const rows = static_cast<const std::byte*>(both.raw());
  for (std::int64_t row = 0; row < 2 * 9 * 9; ++row)
    ASSERT_EQ(std::memcmp(rows + row * 160, rows + row * 160 + 80, 80), 0);
}

TEST(JoinRows, ConcatenationsMayBeConcatenated) {
  Fire fire({1, 3});
  const Value data{0, 0};
  fire.b.graph().heads.clear();
  fire.b.head(fire.b.op("Concat", {{"dim", "0"}, {"num_args", "2"}},
                        {fire.joined, fire.b.op("Activation", {{"act_type", "tanh"}}, {fire.joined})}));
  ASSERT_EQ(fire.b.graph().nodes[static_cast<std::size_t>(data.node)].name, "data");
  const Tensor input = test::random_tensor({1, 9, 9, 12}, 3);
  const auto plan = plan_for(fire.b.graph(), input.shape());
  EXPECT_EQ(plan->steps.size(), 3u);  // two convolutions, one activation
  EXPECT_EQ(plan->arena_bytes, 0u);   // all of it in the caller's memory
  const Tensor result = std::move(test::run_graph(fire.b.graph(), {&input})[0]);
  const Tensor expected = side_by_side(fire, input, {});
  EXPECT_EQ(std::memcmp(result.raw(), expected.raw(), expected.bytes()), 0);
  for (std::int64_t i = 0; i < expected.elements(); ++i)
    ASSERT_NEAR(result.data<float>()[expected.elements() + i], std::tanh(expected.data<float>()[i]), 1e-6);
}

/// What each node gives when it runs by itself, in the order of the nodes; one output each.
std::vector<Tensor> one_by_one(const graph::Graph& graph, const Tensor& data) {
  std::vector<Tensor> values;
  for (const graph::Node& node : graph.nodes) {
    if (node.is_variable()) {
      values.push_back(node.constant ? node.constant->value()->clone() : data.clone());
      continue;
    }
    std::vector<const Tensor*> inputs;
    test::RunOpOptions options;
    options.post_ops = node.post_ops;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const auto from = static_cast<std::size_t>(node.inputs[i].node);
      inputs.push_back(&values[from]);
      if (graph.nodes[from].constant) options.parameters.push_back(i);
    }
    values.push_back(std::move(test::run_op(node.op_name, node.raw_attrs, inputs, options)[0]));
  }
  return values;
}

/// Layers as DenseNet has them: each reads all before it, and adds twelve channels.
struct DenseBlock {
  GraphBuilder b;
  Value all;
  bool is_bfloat16;

  explicit DenseBlock(int layers, bool of_bfloat16 = false) : is_bfloat16(of_bfloat16) {
    Value data = b.input("data");
    if (is_bfloat16) data = b.op("Cast", {{"dtype", "bfloat16"}}, {data});
    all = convolution(data, 8, 1, 0);
    for (int layer = 1; layer <= layers; ++layer) {
      const std::int64_t channels = 12 * layer;
      const std::string name = std::to_string(layer);
      std::vector<Value> inputs{all};
      for (const char* what : {"gamma", "beta", "mean", "var"})
        inputs.push_back(b.parameter(what + name, test::random_tensor({channels}, 3, 0.5f, 2.0f)));
      const Value normal = b.op(is_bfloat16 ? "_mxinfer_batch_norm_bf16" : "BatchNorm",
                                {{"axis", "3"}, {"fix_gamma", "False"}}, inputs);
      b.graph().nodes[static_cast<std::size_t>(normal.node)].post_ops.activation = graph::Activation::relu;
      const Value more = convolution(normal, channels, 3, layer);
      all = b.op("Concat", {{"dim", "3"}, {"num_args", "2"}}, {all, more});
    }
  }

  Value convolution(Value data, std::int64_t channels, int kernel, int seed) {
    const std::string size = std::to_string(kernel), pad = std::to_string(kernel / 2);
    return b.op(
        is_bfloat16 ? kBFloat16Convolution : "_mxinfer_convolution_nhwc",
        {{"kernel", "(" + size + ", " + size + ")"},
         {"pad", "(" + pad + ", " + pad + ")"},
         {"num_filter", "12"},
         {"no_bias", "True"}},
        {data, b.parameter("w" + std::to_string(seed), test::random_tensor({12, channels, kernel, kernel},
                                                                           static_cast<unsigned>(seed)))});
  }
};

class DenseLayers : public testing::TestWithParam<bool> {};

TEST_P(DenseLayers, CopyNothingOfWhatIsBeforeThem) {
  for (const std::int64_t batch : {1, 2}) {
    DenseBlock block(4, GetParam());
    block.b.head(block.b.op("Activation", {{"act_type", "tanh"}}, {block.all}));
    const Tensor data = test::random_tensor({batch, 11, 13, 8}, 3);
    const auto plan = plan_for(block.b.graph(), data.shape());
    for (const StepInfo& step : plan->info.steps) {
      if (step.op != "Concat") continue;
      EXPECT_EQ(step.kernel, "alias") << step.node;
    }
    expect_bits(test::run_graph(block.b.graph(), {&data})[0], one_by_one(block.b.graph(), data).back());
  }
}

TEST_P(DenseLayers, WhatCannotReadRowsApartGetsThemTogether) {
  DenseBlock block(2, GetParam());
  const Value inner{block.b.graph().nodes[static_cast<std::size_t>(block.all.node)].inputs[0]};
  const Value also = block.b.op("Activation", {{"act_type", "tanh"}}, {inner});
  block.b.head(block.b.op("Concat", {{"dim", "3"}, {"num_args", "2"}}, {block.all, also}));
  const Tensor data = test::random_tensor({2, 5, 6, 8}, 3);
  expect_bits(test::run_graph(block.b.graph(), {&data})[0], one_by_one(block.b.graph(), data).back());
}

INSTANTIATE_TEST_SUITE_P(BFloat16, DenseLayers, testing::Bool(),
                         [](const auto& is_bfloat16) { return is_bfloat16.param ? "yes" : "no"; });

TEST(JoinRows, ConvolutionsReadSlicesOfChannels) {
  GraphBuilder b;
  const Value data = b.op("Activation", {{"act_type", "tanh"}}, {b.input("data")});
  const Value slice = b.op("slice_axis", {{"axis", "3"}, {"begin", "3"}, {"end", "10"}}, {data});
  for (int kernel : {1, 3}) {
    b.head(b.op("_mxinfer_convolution_nhwc",
                {{"kernel", pair_of(kernel)}, {"num_filter", "9"}, {"no_bias", "True"}},
                {slice, b.parameter(concat('w', kernel), test::random_tensor({9, 7, kernel, kernel}, 5))}));
  }
  const Tensor input = test::random_tensor({2, 8, 9, 20}, 4);
  const auto plan = plan_for(b.graph(), input.shape());
  EXPECT_EQ(step_of(*plan, "slice_axis").kernel, "alias");
  const auto expected = one_by_one(b.graph(), input);
  const auto outputs = test::run_graph(b.graph(), {&input});
  for (std::size_t i = 0; i < 2; ++i)
    expect_bits(outputs[i], expected[static_cast<std::size_t>(b.graph().heads[i].node)]);
}

TEST(JoinRows, UpsampledMapsGoIntoTheConcatenation) {
  for (const char* scale : {"1", "2"}) {
    Fire fire({1, 3});
    const Value up = fire.b.op("_mxinfer_upsampling_nhwc", {{"scale", scale}}, {fire.branches[0]});
    const Value other = fire.b.op("_mxinfer_upsampling_nhwc", {{"scale", scale}}, {fire.branches[1]});
    fire.b.graph().heads = {
        fire.b.op("Concat", {{"dim", "3"}, {"num_args", "3"}}, {up, other, fire.b.op("tanh", {}, {up})})};
    const Tensor data = test::random_tensor({2, 5, 7, 12}, 3);
    expect_bits(test::run_graph(fire.b.graph(), {&data})[0], one_by_one(fire.b.graph(), data).back());
  }
}

/// As Inception's reductions have it: what is pooled goes beside what is convolved. Then pooled again, for
/// each kind, from inside of a wider concatenation.
TEST(JoinRows, PooledMapsGoIntoTheConcatenationAndComeFromIt) {
  const auto pooled = [](GraphBuilder& b, Value data, const char* kind, const char* stride) {
    return b.op("Pooling",
                {{"kernel", "(3, 2)"},
                 {"stride", stride},
                 {"pad", "(1, 0)"},
                 {"pool_type", kind},
                 {"layout", "NHWC"}},
                {data});
  };
  for (const std::int64_t batch : {1, 2}) {
    Fire fire({1, 3});
    GraphBuilder& b = fire.b;
    std::vector<Value> parts;
    for (const char* kind : {"max", "avg", "sum"})
      parts.push_back(pooled(b, fire.branches[0], kind, "(2, 1)"));
    parts.push_back(pooled(b, fire.branches[1], "max", "(2, 1)"));
    const Value wide = b.op("Concat", {{"dim", "3"}, {"num_args", "4"}}, parts);
    const Value narrow = b.op("slice_axis", {{"axis", "3"}, {"begin", "13"}, {"end", "74"}}, {wide});
    b.graph().heads.clear();
    for (const char* kind : {"max", "avg"}) b.head(pooled(b, narrow, kind, "(1, 1)"));
    const Tensor data = test::random_tensor({batch, 9, 8, 12}, 3);
    const auto plan = plan_for(b.graph(), data.shape());
    EXPECT_EQ(step_of(*plan, "Concat").kernel, "alias");
    EXPECT_EQ(step_of(*plan, "slice_axis").kernel, "alias");
    const auto expected = one_by_one(b.graph(), data);
    for (const kernels::Target target : test::targets()) {
      const auto outputs = test::run_graph(b.graph(), {&data}, {target, 2});
      for (std::size_t i = 0; i < 2; ++i) {
        const Tensor& want = expected[static_cast<std::size_t>(b.graph().heads[i].node)];
        EXPECT_LT(test::relative_difference(outputs[i], want), 1e-6);
      }
    }
    const auto outputs = test::run_graph(b.graph(), {&data});
    expect_bits(outputs[0], expected[static_cast<std::size_t>(b.graph().heads[0].node)]);
  }
}

/// Channels first, the rows of a pooled map are lines of its planes: those are copied.
TEST(JoinRows, PooledPlanesAreCopied) {
  GraphBuilder b;
  const Value data = b.input("data");
  const Value pooled = b.op("Pooling", {{"kernel", "(2, 2)"}, {"pool_type", "max"}}, {data});
  b.head(b.op("Concat", {{"dim", "3"}, {"num_args", "2"}}, {pooled, b.op("tanh", {}, {pooled})}));
  const Tensor input = test::random_tensor({1, 3, 5, 6}, 3);
  expect_bits(test::run_graph(b.graph(), {&input})[0], one_by_one(b.graph(), input).back());
}

TEST(JoinRows, SlicesOfWholeRowsAreAliases) {
  GraphBuilder b;
  const Value data = b.op("transpose", {{"axes", "(1, 0)"}}, {b.input("data")});
  const Value cut = b.op("SliceChannel", {{"axis", "0"}, {"num_outputs", "3"}}, {data});
  for (std::int32_t i = 0; i < 3; ++i) b.head(b.op("exp", {}, {Value{cut.node, i}}));
  b.head(b.op("slice_axis", {{"axis", "0"}, {"begin", "4"}, {"end", "6"}}, {data}));
  const auto plan = plan_for(b.graph(), {5, 6});
  EXPECT_EQ(step_of(*plan, "SliceChannel").kernel, "alias");
  EXPECT_EQ(step_of(*plan, "slice_axis").kernel, "alias");
  const Tensor input = test::random_tensor({5, 6}, 4);
  const auto outputs = test::run_graph(b.graph(), {&input});
  for (std::int64_t row = 0; row < 6; ++row) {
    for (std::int64_t c = 0; c < 5; ++c) {
      const float x = input.data<float>()[c * 6 + row];
      const Tensor& piece = outputs[static_cast<std::size_t>(row / 2)];
      EXPECT_NEAR(piece.data<float>()[row % 2 * 5 + c], std::exp(x), 1e-6);
      if (row < 4) continue;
      EXPECT_EQ(outputs[3].data<float>()[(row - 4) * 5 + c], x);
    }
  }
}

// A piece without elements is no view, and the step still has it.
TEST(StridedViews, PiecesWithoutElements) {
  Fire fire({1}, 12);
  GraphBuilder& b = fire.b;
  const Value split = b.op("_split_v2", {{"indices", "(0, 12, 20)"}, {"axis", "3"}}, {fire.joined});
  b.graph().heads.clear();
  for (std::int32_t piece = 0; piece < 2; ++piece) {
    b.head(b.op("Pooling",
                {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "max"}, {"layout", "NHWC"}},
                {{split.node, piece}}));
  }
  b.head({split.node, 2});
  const auto plan = plan_for(b.graph(), {1, 4, 4, 12});
  EXPECT_EQ(plan->outputs[0].shape, (Shape{1, 2, 2, 12}));
  EXPECT_EQ(plan->outputs[1].shape, (Shape{1, 2, 2, 8}));
  EXPECT_EQ(plan->outputs[2].shape.elements(), 0);
}

}  // namespace
}  // namespace mxinfer::plan
