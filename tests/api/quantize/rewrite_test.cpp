// Graphs with 8-bit layers: which values are 8-bit, in which steps, and what the graphs compute.
#include "compose/quantize/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compose/quantize/prepare_graph.h"
#include "compose/quantize/threshold.h"
#include "ops/op_def.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer::api {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using test::GraphBuilder;
using Names = std::vector<std::string>;

const std::string kConv8 = "_mxinfer_convolution_int8";
const std::string kDense8 = "_mxinfer_fully_connected_int8";
const std::string kTo8 = "_mxinfer_quantize", kFrom8 = "_mxinfer_dequantize";

Value conv_layer(GraphBuilder& b, Value data, std::int64_t in, std::int64_t out, const std::string& name,
                 const std::map<std::string, std::string>& more = {}) {
  const std::int64_t groups = more.count("num_group") > 0 ? std::stoll(more.at("num_group")) : 1;
  std::map<std::string, std::string> attrs = {
      {"kernel", "(3, 3)"}, {"pad", "(1, 1)"}, {"num_filter", std::to_string(out)}};
  attrs.insert(more.begin(), more.end());
  const auto seed = static_cast<unsigned>(name.back());
  return b.op("Convolution", attrs,
              {data, b.parameter(name + "_weight", test::random_tensor({out, in / groups, 3, 3}, seed)),
               b.parameter(name + "_bias", test::random_tensor({out}, seed + 1))},
              name);
}

Value dense_layer(GraphBuilder& b, Value data, std::int64_t in, std::int64_t out, const std::string& name) {
  return b.op("FullyConnected", {{"num_hidden", std::to_string(out)}},
              {data, b.parameter(name + "_weight", test::random_tensor({out, in}, 5)),
               b.parameter(name + "_bias", test::random_tensor({out}, 6))},
              name);
}

Value relu_of(GraphBuilder& b, Value x, const std::string& name) {
  return b.op("Activation", {{"act_type", "relu"}}, {x}, name);
}

/// A graph, its layers, and the ranges that its values have for one input.
struct Calibrated {
  Graph graph;
  std::vector<EightBitLayer> layers;
  std::map<Value, ValueRange> ranges;

  Calibrated(Graph made, const Tensor& data) : graph(prepare_for_quantization(std::move(made), {})) {
    layers = find_layers(graph);
    Graph observed = graph;
    observed.heads.clear();
    const std::set<Value> values = values_to_observe(graph, layers);
    observed.heads.assign(values.begin(), values.end());
    const std::vector<Tensor> results = test::run_graph(observed, {&data});
    std::size_t next = 0;
    for (Value value : values) {
      ValueStatistics statistics;
      EXPECT_TRUE(statistics.add(results[next].data<float>(), results[next].elements()));
      ++next;
      ranges[value] = {statistics.is_never_negative(), statistics.largest_magnitude(),
                       statistics.largest_magnitude()};
    }
  }

  Graph with(const std::vector<bool>& enabled) const {
    return with_8bit_layers({graph, layers, enabled, [&](Value value) { return ranges.at(value); }});
  }
  Graph whole() const { return with(std::vector<bool>(layers.size(), true)); }
};

double noise_share(const Tensor& expected, const Tensor& actual) {
  EXPECT_EQ(expected.shape(), actual.shape());
  double signal = 0, noise = 0;
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    const double value = expected.data<float>()[i], difference = actual.data<float>()[i] - value;
    signal += value * value;
    noise += difference * difference;
  }
  return noise / signal;
}

void expect_8bit(GraphBuilder& b, const Tensor& data, const Names& ops, double most_noise = 3e-3) {
  const Calibrated calibrated(b.graph(), data);
  const Graph made = calibrated.whole();
  graph::verify(made);
  EXPECT_EQ(test::op_names(made), ops);
  const auto expected = test::run_graph(b.graph(), {&data}), actual = test::run_graph(made, {&data});
  ASSERT_EQ(expected.size(), actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(noise_share(expected[i], actual[i]), most_noise) << "output " << i;
}

const Node& node_named(const Graph& graph, const std::string& name) {
  const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                  [&](const Node& node) { return node.name == name; });
  EXPECT_NE(found, graph.nodes.end()) << name;
  return *found;
}

const Tensor& eight_pixels() {
  static const Tensor data = test::random_tensor({2, 4, 8, 8}, 1, 0.0f, 1.0f);
  return data;
}

TEST(Rewrite, ValuesBetweenLayersStay8Bit) {
  GraphBuilder b;
  Value x = relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0");
  x = b.op("Pooling", {{"kernel", "(2, 2)"}, {"stride", "(2, 2)"}, {"pool_type", "max"}, {"layout", "NCHW"}},
           {x}, "pool");
  x = relu_of(b, conv_layer(b, x, 8, 8, "c1"), "r1");
  b.head(dense_layer(b, b.op("Flatten", {}, {x}), 8 * 16, 5, "fc"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, "_mxinfer_pooling_int8", kConv8, "Flatten", kDense8});
}

TEST(Rewrite, LeavesNoFloatWeights) {
  GraphBuilder b;
  b.head(conv_layer(b, relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0"), 8, 8, "c1"));
  const Graph made = Calibrated(b.graph(), eight_pixels()).whole();
  Names names;
  for (const Node& node : made.nodes) {
    if (node.constant == nullptr) continue;
    names.push_back(node.name + " " + to_string(node.constant->dtype()));
  }
  EXPECT_EQ(names, (Names{"c0_weight_int8 int8", "c0_scale float32", "c0_bias_int32 int32",
                          "c1_weight_int8 int8", "c1_scale float32", "c1_bias_int32 int32"}));
}

TEST(Rewrite, BatchNormsAreFoldedBefore) {
  GraphBuilder b;
  const Value x = conv_layer(b, b.input("data"), 4, 8, "c0");
  const Value norm = b.op(
      "BatchNorm", {{"fix_gamma", "False"}},
      {x, b.parameter("gamma", test::random_tensor({8}, 1, 0.5f, 1.5f)),
       b.parameter("beta", test::random_tensor({8}, 2)), b.parameter("mean", test::random_tensor({8}, 3)),
       b.parameter("var", test::random_tensor({8}, 4, 0.5f, 1.5f))},
      "norm");
  b.head(relu_of(b, norm, "r0"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8});
}

TEST(Rewrite, AdditionsAreTakenInWithTheirActivation) {
  GraphBuilder b;
  const Value x = relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0");
  const Value y = conv_layer(b, relu_of(b, conv_layer(b, x, 8, 8, "c1"), "r1"), 8, 8, "c2");
  const Value sum = relu_of(b, b.op("elemwise_add", {}, {y, x}, "add"), "r2");
  b.head(conv_layer(b, sum, 8, 4, "c3"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8, kConv8, kConv8});
  const Graph made = Calibrated(b.graph(), eight_pixels()).whole();
  const Node& added = node_named(made, "r2");
  EXPECT_TRUE(added.attrs.flag("with_sum"));
  EXPECT_EQ(added.attrs.dtype("dtype"), DType::uint8);
  EXPECT_EQ(node_named(made, "c3").attrs.dtype("dtype"), DType::float32);
}

TEST(Rewrite, OfTwoProductsThatAreAddedTheLaterOneAdds) {
  GraphBuilder b;
  const Value data = b.input("data");
  const Value a = conv_layer(b, data, 4, 8, "c0"), c = conv_layer(b, data, 4, 8, "c1");
  b.head(relu_of(b, b.op("elemwise_add", {}, {a, c}, "add"), "r0"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8});
}

TEST(Rewrite, AFloatResidualIsAddedAsItIs) {
  GraphBuilder b;
  const Value data = b.input("data");
  b.head(b.op("elemwise_add", {}, {conv_layer(b, data, 4, 4, "c0"), data}, "add"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8});
}

TEST(Rewrite, FloatReadersGetFloats) {
  GraphBuilder b;
  const Value x = relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0");
  b.head(conv_layer(b, x, 8, 8, "c1"));
  b.head(b.op("exp", {}, {x}, "e"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8, kFrom8, "exp"});
  const Graph made = Calibrated(b.graph(), eight_pixels()).whole();
  EXPECT_EQ(node_named(made, "r0").op_name, kFrom8);
  EXPECT_EQ(node_named(made, "r0_int8").op_name, kConv8);
}

TEST(Rewrite, InputsOfAConcatHaveOneStep) {
  GraphBuilder b;
  const Value data = b.input("data");
  const Value a = relu_of(b, conv_layer(b, data, 4, 8, "c0"), "r0");
  const Value c = b.op("tanh", {}, {conv_layer(b, data, 4, 8, "c1")}, "t");
  b.head(conv_layer(b, b.op("Concat", {{"num_args", "2"}, {"dim", "1"}}, {a, c}, "cat"), 16, 4, "c2"));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8, "Concat", kConv8}, 2e-2);
  const Graph made = Calibrated(b.graph(), eight_pixels()).whole();
  EXPECT_EQ(node_named(made, "r0").attrs.dtype("dtype"), DType::int8);
  EXPECT_EQ(node_named(made, "t").attrs.dtype("dtype"), DType::int8);
}

TEST(Rewrite, ALayerThatStaysFloatIsAsItWas) {
  GraphBuilder b;
  Value x = relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0");
  x = relu_of(b, conv_layer(b, x, 8, 8, "c1"), "r1");
  b.head(conv_layer(b, x, 8, 8, "c2"));
  const Calibrated calibrated(b.graph(), eight_pixels());
  const Graph made = calibrated.with({true, false, true});
  EXPECT_EQ(test::op_names(made), (Names{kTo8, kConv8, "Convolution", "Activation", kTo8, kConv8}));
  EXPECT_LT(noise_share(test::run_graph(b.graph(), {&eight_pixels()})[0],
                        test::run_graph(made, {&eight_pixels()})[0]),
            3e-3);
}

TEST(Rewrite, ActivationsOfEveryKind) {
  for (const auto& [op, attrs] : std::vector<std::pair<std::string, std::map<std::string, std::string>>>{
           {"Activation", {{"act_type", "sigmoid"}}},
           {"Activation", {{"act_type", "tanh"}}},
           {"LeakyReLU", {{"act_type", "leaky"}, {"slope", "0.1"}}},
           {"LeakyReLU", {{"act_type", "gelu"}}},
           {"clip", {{"a_min", "0"}, {"a_max", "6"}}},
           {"clip", {{"a_min", "-1"}, {"a_max", "1"}}}}) {
    SCOPED_TRACE(op + (attrs.count("act_type") > 0 ? " " + attrs.at("act_type") : ""));
    GraphBuilder b;
    const Value x = b.op(op, attrs, {conv_layer(b, b.input("data"), 4, 8, "c0")}, "act");
    b.head(conv_layer(b, x, 8, 8, "c1"));
    expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8}, 2e-2);
  }
}

TEST(Rewrite, DepthwiseAndDilatedConvolutions) {
  GraphBuilder b;
  const Value x = relu_of(
      b, conv_layer(b, b.input("data"), 4, 4, "c0", {{"num_group", "4"}, {"no_bias", "False"}}), "r0");
  b.head(conv_layer(b, x, 4, 6, "c1", {{"dilate", "(2, 2)"}, {"num_group", "2"}}));
  expect_8bit(b, eight_pixels(), {kTo8, kConv8, kConv8});
}

TEST(Rewrite, AValueThatIsAlwaysZero) {
  GraphBuilder b;
  const Value x = b.op("_mul_scalar", {{"scalar", "0"}}, {b.input("data")}, "zero");
  b.head(conv_layer(b, x, 4, 8, "c0"));
  const Calibrated calibrated(b.graph(), eight_pixels());
  const auto expected = test::run_graph(b.graph(), {&eight_pixels()});
  const auto actual = test::run_graph(calibrated.whole(), {&eight_pixels()});
  EXPECT_LT(noise_share(expected[0], actual[0]), 1e-3);  // the biases
}

TEST(Rewrite, BesideTheFloatLayersForMeasuring) {
  GraphBuilder b;
  const Value x = relu_of(b, conv_layer(b, b.input("data"), 4, 8, "c0"), "r0");
  b.head(conv_layer(b, x, 8, 8, "c1"));
  const Calibrated calibrated(b.graph(), eight_pixels());
  const Graph made = beside_8bit_layers({calibrated.graph, calibrated.layers, {true, true}, [&](Value value) {
                                           return calibrated.ranges.at(value);
                                         }});
  graph::verify(made);
  Graph observed = made;
  observed.heads = {calibrated.layers[0].output, calibrated.layers[1].output, made.heads[1], made.heads[2]};
  const std::vector<Tensor> values = test::run_graph(observed, {&eight_pixels()});
  EXPECT_LT(noise_share(values[0], values[2]), 1e-3);
  EXPECT_LT(noise_share(values[1], values[3]), 1e-3);
  EXPECT_GT(noise_share(values[1], values[3]), 0);
  EXPECT_EQ(ops::output_name(made, made.heads[1]), name_beside(node_named(made, "c0")));
}

TEST(Rewrite, KnowsOperatorsOf8BitValues) {
  GraphBuilder b;
  b.head(conv_layer(b, b.input("data"), 4, 8, "c0"));
  EXPECT_FALSE(has_8bit_operators(b.graph()));
  EXPECT_TRUE(has_8bit_operators(Calibrated(b.graph(), eight_pixels()).whole()));
}

}  // namespace
}  // namespace mxinfer::api
