// Networks whose convolutions state that channels come last: the numbers of the channels-first twin, and no
// transpose inside.
#include <gtest/gtest.h>

#include "graph/graph.h"
#include "ops/layout/channels_last.h"
#include "passes/passes.h"
#include "pipeline/pipeline.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;
using AttrTexts = std::map<std::string, std::string>;

Tensor channels_first(const Tensor& last) {
  return ops::as_channels_first(make_parameter(last.clone()))->value()->clone();
}

/// Builds a network twice: as it is stated, channels-last, and its twin.
class Twins {
 public:
  explicit Twins(bool last) : last_(last) {}

  GraphBuilder b;

  /// A value that is stored (M, spatial..., C).
  Value weight(const Shape& shape) {
    const Tensor value = test::random_tensor(shape, ++seed_);
    return parameter(last_ ? value.clone() : channels_first(value));
  }
  Value vector(std::int64_t size, float low = -1) {
    return parameter(test::random_tensor(Shape{size}, ++seed_, low, 1.5f));
  }
  Value convolution(Value x, const char* op, AttrTexts attrs, const Shape& weight_shape) {
    const std::size_t spatial = weight_shape.rank() - 2;
    const char* layouts[2][3] = {{"NCW", "NCHW", "NCDHW"}, {"NWC", "NHWC", "NDHWC"}};
    attrs["layout"] = layouts[last_ ? 1 : 0][spatial - 1];
    std::vector<Value> inputs{x, weight(weight_shape)};
    const auto no_bias = attrs.find("no_bias");
    if (no_bias == attrs.end() || no_bias->second != "True")
      inputs.push_back(vector(std::stoll(attrs.at("num_filter"))));
    return b.op(op, attrs, inputs);
  }
  Value conv3(Value x, std::int64_t from, std::int64_t to) {
    return convolution(x, "Convolution",
                       {{"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", std::to_string(to)}},
                       Shape{to, 3, 3, from});
  }
  Value norm(Value x, std::int64_t channels) {
    return b.op("BatchNorm", {{"axis", last_ ? "-1" : "1"}, {"fix_gamma", "False"}},
                {x, vector(channels), vector(channels), vector(channels), vector(channels, 0.5f)});
  }
  /// Where a dimension of channels-last data is.
  std::string axis(std::int64_t last, std::int64_t first) const {
    return std::to_string(last_ ? last : first);
  }
  const char* pick(const char* last, const char* first) const { return last_ ? last : first; }

 private:
  Value parameter(Tensor value) { return b.parameter("p" + std::to_string(seed_), std::move(value)); }

  bool last_;
  unsigned seed_ = 40;
};

/// Every output of the stated network is that of the twin, transposed if it has the data's rank; as it is and
/// optimised. Returns the optimised operators.
template <typename Build>
Names expect_twins(const Build& build, const Tensor& data, double tolerance = 5e-5) {
  Twins last(true), first(false);
  build(last, last.b.input("data"));
  build(first, first.b.input("data"));
  const Tensor planes = channels_first(data);
  graph::Graph optimised = last.b.graph();
  pipeline::optimise(optimised, {kernels::best_target()});
  const auto expected = test::run_graph(first.b.graph(), {&planes});
  for (const graph::Graph& stated : {last.b.graph(), optimised}) {
    const auto outputs = test::run_graph(stated, {&data});
    EXPECT_EQ(outputs.size(), expected.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const bool is_image = outputs[i].shape().rank() == data.shape().rank();
      const Tensor output = is_image ? channels_first(outputs[i]) : outputs[i].clone();
      EXPECT_LE(test::relative_difference(output, expected[i]), tolerance) << "output " << i;
    }
  }
  return test::op_names(optimised);
}

TEST(ChannelsFirst, LeavesNoTransposeInsideOfAClassifier) {
  const auto network = [](Twins& t, Value x) {
    x = t.b.op("Activation", {{"act_type", "relu"}}, {t.norm(t.conv3(x, 3, 12), 12)});
    Value y = t.norm(t.conv3(x, 12, 12), 12);
    x = t.b.op("elemwise_add", {}, {y, x});
    x = t.b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "avg"}, {"layout", t.pick("NHWC", "NCHW")}},
               {t.conv3(x, 12, 7)});
    x = t.b.op("Flatten", {}, {x});
    t.b.head(t.b.op("FullyConnected", {{"num_hidden", "5"}, {"no_bias", "True"}},
                    {x, t.b.parameter("fc", test::random_tensor({5, 7}, 3))}));
  };
  const Names ops = expect_twins(network, test::random_tensor({2, 9, 8, 3}, 1));
  constexpr const char* kConv = "_mxinfer_convolution_nhwc";
  // The transpose of the image, and one that is an alias: of one pixel.
  EXPECT_EQ(ops,
            (Names{"transpose", kConv, kConv, kConv, "Pooling", "transpose", "Flatten", "FullyConnected"}));
}

TEST(ChannelsFirst, AlongAxesAndBroadcasts) {
  const auto network = [](Twins& t, Value x) {
    const Value a = t.conv3(x, 3, 8), c = t.conv3(x, 3, 4);
    Value both = t.b.op("Concat", {{"num_args", "2"}, {"dim", t.axis(3, 1)}}, {a, c});
    const Value gate =
        t.b.op("Pooling", {{"global_pool", "True"}, {"pool_type", "max"}, {"layout", t.pick("NHWC", "NCHW")}},
               {both});
    both = t.b.op("broadcast_mul", {}, {both, t.b.op("sigmoid", {}, {gate})});
    both = t.b.op("broadcast_add", {}, {both, t.weight(Shape{1, 1, 1, 12})});
    both = t.b.op(
        "Pad",
        {{"mode", "reflect"}, {"pad_width", t.pick("(0, 0, 1, 2, 3, 1, 0, 0)", "(0, 0, 0, 0, 1, 2, 3, 1)")}},
        {both});
    both = t.b.op("slice_axis", {{"axis", t.axis(-1, 1)}, {"begin", "2"}, {"end", "11"}}, {both});
    both = t.b.op("slice",
                  {{"begin", t.pick("(None, 1, 2)", "(None, None, 1, 2)")},
                   {"end", t.pick("(None, 8, 9)", "(None, None, 8, 9)")}},
                  {both});
    t.b.head(t.b.op("softmax", {{"axis", t.axis(-1, 1)}},
                    {t.b.op("_mul_scalar", {{"scalar", "0.01"}}, {t.conv3(both, 9, 6)})}));
    t.b.head(t.b.op("mean", {{"axis", t.pick("(1, 2)", "(2, 3)")}}, {both}));
    t.b.head(t.b.op("sum", {{"axis", t.pick("(3,)", "(1,)")}}, {both}));
  };
  expect_twins(network, test::random_tensor({2, 9, 8, 3}, 1));
}

// Reduced to (N, H, C): the order of the model and that of channels-first differ.
TEST(ChannelsFirst, SumsThatKeepSomeOfThePlane) {
  GraphBuilder b;
  const Value x = b.op("Convolution",
                       {{"kernel", "(1, 1)"}, {"num_filter", "4"}, {"no_bias", "True"}, {"layout", "NHWC"}},
                       {b.input("data"), b.parameter("w", test::random_tensor({4, 1, 1, 3}, 2))});
  b.head(b.op("sum", {{"axis", "(2,)"}}, {x}));
  graph::Graph optimised = b.graph();
  pipeline::optimise(optimised, {kernels::best_target()});
  const Tensor data = test::random_tensor({2, 5, 6, 3}, 1);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(optimised, {&data});
  EXPECT_EQ(before[0].shape(), (Shape{2, 5, 4}));
  EXPECT_LE(test::relative_difference(after[0], before[0]), 1e-5);
}

TEST(ChannelsFirst, GroupsDilationAndDeconvolution) {
  const auto network = [](Twins& t, Value x) {
    x = t.convolution(x, "Convolution",
                      {{"kernel", "(3, 2)"}, {"dilate", "(2, 1)"}, {"num_filter", "8"}, {"num_group", "2"}},
                      Shape{8, 3, 2, 4});
    x = t.convolution(x, "Convolution",
                      {{"kernel", "(3, 3)"},
                       {"stride", "(2, 1)"},
                       {"pad", "(1, 1)"},
                       {"num_filter", "8"},
                       {"num_group", "8"},
                       {"no_bias", "True"}},
                      Shape{8, 3, 3, 1});
    x = t.norm(t.convolution(x, "Deconvolution",
                             {{"kernel", "(3, 3)"},
                              {"stride", "(2, 2)"},
                              {"adj", "(1, 0)"},
                              {"num_filter", "6"},
                              {"num_group", "2"},
                              {"no_bias", "False"}},
                             Shape{8, 3, 3, 3}),
               6);
    t.b.head(x);
  };
  expect_twins(network, test::random_tensor({2, 11, 9, 8}, 1));
}

TEST(ChannelsFirst, OneAndThreeDimensions) {
  const auto line = [](Twins& t, Value x) {
    x = t.convolution(x, "Convolution", {{"kernel", "(3,)"}, {"num_filter", "6"}}, Shape{6, 3, 4});
    x = t.b.op("Pooling", {{"kernel", "(2,)"}, {"stride", "(2,)"}, {"layout", t.pick("NWC", "NCW")}}, {x});
    t.b.head(t.convolution(x, "Deconvolution", {{"kernel", "(2,)"}, {"num_filter", "5"}, {"no_bias", "True"}},
                           Shape{6, 2, 5}));
  };
  expect_twins(line, test::random_tensor({2, 12, 4}, 1));
  const auto volume = [](Twins& t, Value x) {
    x = t.norm(
        t.convolution(x, "Convolution", {{"kernel", "(2, 3, 1)"}, {"num_filter", "6"}}, Shape{6, 2, 3, 1, 4}),
        6);
    t.b.head(t.b.op("Pooling",
                    {{"kernel", "(2, 2, 2)"}, {"pool_type", "avg"}, {"layout", t.pick("NDHWC", "NCDHW")}},
                    {x}));
  };
  expect_twins(volume, test::random_tensor({2, 5, 6, 4, 4}, 1));
}

// Operators that have no form in another order read the model's.
TEST(ChannelsFirst, WhatHasNoRuleReadsTheModelsOrder) {
  GraphBuilder b;
  const auto convolution = [&](Value x, std::int64_t from, std::int64_t to) {
    const std::string name = "w" + std::to_string(to);
    return b.op(
        "Convolution",
        {{"kernel", "(3, 3)"}, {"num_filter", std::to_string(to)}, {"no_bias", "True"}, {"layout", "NHWC"}},
        {x, b.parameter(name, test::random_tensor({to, 3, 3, from}, 2))});
  };
  Value x = convolution(b.input("data"), 3, 8);
  x = b.op("LayerNorm", {},
           {x, b.parameter("g", test::random_tensor({8}, 3)), b.parameter("b", test::random_tensor({8}, 4))});
  x = b.op("LeakyReLU", {{"act_type", "prelu"}}, {x, b.parameter("s", test::random_tensor({1}, 5))});
  b.head(convolution(x, 8, 20));
  graph::Graph optimised = b.graph();
  pipeline::optimise(optimised, {kernels::best_target()});
  const Tensor data = test::random_tensor({2, 7, 6, 3}, 1);
  const auto before = test::run_graph(b.graph(), {&data}), after = test::run_graph(optimised, {&data});
  EXPECT_EQ(before[0].shape(), (Shape{2, 3, 2, 20}));
  EXPECT_LE(test::relative_difference(after[0], before[0]), 1e-5);
}

TEST(ChannelsFirst, WeightsMayBeComputed) {
  GraphBuilder b;
  b.head(b.op("Convolution",
              {{"kernel", "(2, 2)"}, {"num_filter", "4"}, {"no_bias", "True"}, {"layout", "NHWC"}},
              {b.input("data"), b.input("weight")}));
  const Tensor data = test::random_tensor({1, 5, 4, 3}, 1), weight = test::random_tensor({4, 2, 2, 3}, 2);
  const Tensor planes = channels_first(data), taps = channels_first(weight);
  const auto expected = test::run_op(
      "Convolution", {{"kernel", "(2, 2)"}, {"num_filter", "4"}, {"no_bias", "True"}}, {&planes, &taps});
  graph::Graph optimised = b.graph();
  pipeline::optimise(optimised, {kernels::best_target()});
  const auto outputs = test::run_graph(optimised, {&data, &weight});
  EXPECT_LE(test::relative_difference(channels_first(outputs[0]), expected[0]), 1e-5);
}

}  // namespace
}  // namespace mxinfer
