// MXNet's operators on 8-bit values become this library's, with the same bits.
#include <gtest/gtest.h>

#include <algorithm>

#include "formats/arrays/bind_params.h"
#include "formats/arrays/params.h"
#include "formats/json/symbol_json.h"
#include "ops/registry.h"
#include "passes/passes.h"
#include "sources/source.h"
#include "support/files/golden_npz.h"
#include "support/int8_arrays.h"
#include "support/networks/build_graph.h"
#include "support/networks/golden_graphs.h"
#include "support/same_bits.h"

namespace mxinfer {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;
using test::GraphBuilder;
using Texts = std::map<std::string, std::string>;
using OpNames = std::vector<std::string>;

constexpr const char* kLoweredConv = "_mxinfer_convolution_int8";
constexpr const char* kLoweredRows = "_mxinfer_fully_connected_int8";
constexpr const char* kLoweredPool = "_mxinfer_pooling_int8";

struct RecordedGraph {
  Graph graph;
  std::vector<Tensor> inputs;
  std::vector<const Tensor*> addresses() const {
    std::vector<const Tensor*> all;
    for (const Tensor& input : inputs) all.push_back(&input);
    return all;
  }
};

/// A caller may give an input of 8 bits another dtype, so that nothing is lowered that follows from it: a
/// Cast behind it makes sure of it.
void make_sure_of_bytes(Graph& graph) {
  const std::size_t count = graph.nodes.size();
  std::map<Value, Value> casts;
  for (std::size_t id = 0; id < count; ++id) {
    const Node& input = graph.nodes[id];
    const auto dtype = input.raw_attrs.find("__dtype__");
    const bool is_bytes = input.input_index >= 0 && dtype != input.raw_attrs.end() &&
                          (dtype->second == "3" || dtype->second == "5");
    if (!is_bytes) continue;
    const Value value{static_cast<std::int32_t>(id), 0};
    const char* name = dtype->second == "3" ? "uint8" : "int8";
    Node cast = ops::make_node(input.name + "_cast", "Cast", {{"dtype", name}}, {value});
    casts[value] = {graph::append(graph, std::move(cast)), 0};
  }
  for (std::size_t id = 0; id < count; ++id) {
    for (Value& read : graph.nodes[id].inputs) {
      if (const auto cast = casts.find(read); cast != casts.end()) read = cast->second;
    }
  }
  graph::sort_topologically(graph);
}

/// A recorded graph with its parameters, and ranges folded.
RecordedGraph recorded_graph(const std::string& name) {
  const auto folder = test::quantized_graphs_folder();
  RecordedGraph recorded;
  recorded.graph = formats::parse_symbol(
                       sources::read_text(*sources::open_file((folder / (name + "-symbol.json")).string())))
                       .graph;
  auto params = formats::read_params(*sources::open_file((folder / (name + "-0000.params")).string()));
  formats::bind_params(recorded.graph, formats::as_parameters(std::move(params)));
  test::Golden golden = test::read_golden(folder / (name + ".npz"));
  for (Node& node : recorded.graph.nodes) {
    if (!node.is_variable() || node.constant != nullptr) continue;
    node.input_index = static_cast<std::int32_t>(recorded.inputs.size());
    Tensor& value = golden.inputs.at(node.name);
    if (value.dtype() != DType::float32)
      node.raw_attrs["__dtype__"] = value.dtype() == DType::uint8 ? "3" : "5";
    recorded.inputs.push_back(std::move(value));
  }
  passes::inline_fused(recorded.graph);
  make_sure_of_bytes(recorded.graph);
  passes::fold_ranges(recorded.graph);
  return recorded;
}

/// Expects the same outputs, to the bit, of a graph and of one that was made from it.
void expect_same_outputs(const Graph& before, const Graph& after, const std::vector<const Tensor*>& inputs) {
  graph::verify(after);
  for (const kernels::Target target : test::targets()) {
    for (const int threads : {1, 3}) {
      const test::RunGraphOptions options{.target = target, .threads = threads};
      const auto expected = test::run_graph(before, inputs, options);
      const auto actual = test::run_graph(after, inputs, options);
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t i = 0; i < actual.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "output " << i << ", " << to_string(target));
        test::expect_same_bits(actual[i], expected[i]);
      }
    }
  }
}

std::ptrdiff_t count_of(const Graph& graph, const std::string& prefix) {
  const OpNames names = test::op_names(graph);
  return std::count_if(names.begin(), names.end(),
                       [&](const auto& name) { return name.starts_with(prefix); });
}

class LowerQuantized : public testing::TestWithParam<std::string> {};

TEST_P(LowerQuantized, GivesTheSameBits) {
  RecordedGraph recorded = recorded_graph(GetParam());
  Graph lowered = recorded.graph;
  passes::lower_quantized(lowered);
  expect_same_outputs(recorded.graph, lowered, recorded.addresses());
  // Sums of floats are in another order there.
  if (GetParam().starts_with("floats")) return;
  passes::channels_last(lowered);
  expect_same_outputs(recorded.graph, lowered, recorded.addresses());
}

INSTANTIATE_TEST_SUITE_P(Recorded, LowerQuantized,
                         testing::ValuesIn(test::graphs_in(test::quantized_graphs_folder())),
                         [](const auto& name) { return name.param; });

TEST(LowerQuantizedNetwork, ACalibratedOneWhole) {
  RecordedGraph recorded = recorded_graph("network_auto");
  passes::lower_quantized(recorded.graph);
  EXPECT_EQ(test::op_names(recorded.graph),
            (OpNames{"_mxinfer_quantize", kLoweredConv, kLoweredPool, kLoweredConv, kLoweredConv,
                     kLoweredConv, kLoweredConv, kLoweredPool, "_contrib_quantized_concat", kLoweredConv,
                     kLoweredPool, "Flatten", kLoweredRows}));
  for (const Node& node : recorded.graph.nodes) {
    if (node.constant == nullptr || node.constant->shape().rank() != 4) continue;
    EXPECT_EQ(node.constant->dtype(), DType::int8) << node.name;
  }
}

// Its sums have ranges of their own in each run.
TEST(LowerQuantizedNetwork, OfAnUnfusedOneWhatIsCalibrated) {
  RecordedGraph recorded = recorded_graph("network_positive");
  passes::lower_quantized(recorded.graph);
  EXPECT_EQ(count_of(recorded.graph, "_mxinfer_quantize"), 4);
  EXPECT_EQ(count_of(recorded.graph, "_contrib_quantize_v2"), 2);
  EXPECT_EQ(count_of(recorded.graph, "_contrib_quantized_conv"), 6);
}

TEST(LowerQuantizedNetwork, NotOneWithoutRanges) {
  RecordedGraph recorded = recorded_graph("network_uncalibrated");
  const OpNames before = test::op_names(recorded.graph);
  passes::lower_quantized(recorded.graph);
  for (const std::string& name : test::op_names(recorded.graph)) {
    EXPECT_FALSE(name == kLoweredConv || name == "_mxinfer_quantize") << name;
  }
  EXPECT_EQ(test::op_names(recorded.graph).size(), before.size());
}

TEST(LowerQuantizedNetwork, EveryFormOfAFusedConvolution) {
  for (const char* name : {"fused_convolutions", "fused_residuals", "fused_shapes", "fused_activations"}) {
    RecordedGraph recorded = recorded_graph(name);
    const std::ptrdiff_t all = count_of(recorded.graph, "_sg_mkldnn_conv");
    passes::lower_quantized(recorded.graph);
    std::ptrdiff_t calibrated = 0;
    for (const Node& node : recorded.graph.nodes) {
      // Of those that are left, sums in 32 bits and weights that are computed are meant to be.
      if (node.op_name == "_sg_mkldnn_conv" && node.attrs.has("min_calib_range")) ++calibrated;
    }
    EXPECT_GE(count_of(recorded.graph, kLoweredConv), all / 2) << name;
    // A uint8 residual of an int8 output, or computed weights.
    EXPECT_LE(calibrated, 2) << name;
  }
}

Tensor one_float(float value) {
  Tensor tensor(DType::float32, {1});
  tensor.data<float>()[0] = value;
  return tensor;
}

struct Bytes {
  Value value, min, max;
};

Bytes calibrated_bytes(GraphBuilder& b, Value x, float min, float max) {
  const Value made = b.op("_contrib_quantize_v2",
                          {{"min_calib_range", std::to_string(min)},
                           {"max_calib_range", std::to_string(max)},
                           {"out_type", "auto"}},
                          {x});
  return {made, {made.node, 1}, {made.node, 2}};
}

/// What becomes of a graph on an input of that shape; the same bits.
OpNames lowered_names(GraphBuilder& b, const Shape& shape = {2, 3, 5, 4}) {
  const Tensor data = test::random_tensor(shape, 11, -1.0F, 2.0F);
  Graph before = b.graph();
  passes::fold_ranges(before);
  Graph after = before;
  passes::lower_quantized(after);
  expect_same_outputs(before, after, {&data});
  return test::op_names(after);
}

TEST(LowerQuantizedNode, ConcatOfOneStepAlone) {
  for (const bool same : {true, false}) {
    GraphBuilder b;
    const Value data = b.input("data");
    const Bytes x = calibrated_bytes(b, data, -1, 2),
                y = calibrated_bytes(b, data, same ? -2.0F : -1, same ? 1.0F : 1.5F);
    const Value joined = b.op("_contrib_quantized_concat", {{"num_args", "2"}, {"dim", "1"}},
                              {x.value, y.value, x.min, x.max, y.min, y.max});
    b.head(b.op("_contrib_dequantize", {}, {joined, {joined.node, 1}, {joined.node, 2}}));
    EXPECT_EQ(lowered_names(b),
              (OpNames{"_mxinfer_quantize", "_mxinfer_quantize",
                       same ? "Concat" : "_contrib_quantized_concat", "_mxinfer_dequantize"}));
  }
}

TEST(LowerQuantizedNode, RangesWithoutWidthStay) {
  GraphBuilder b;
  const Bytes x = calibrated_bytes(b, b.input("data"), 0, 0);
  b.head(b.op("_contrib_dequantize", {}, {x.value, x.min, x.max}));
  EXPECT_EQ(lowered_names(b), (OpNames{"_contrib_quantize_v2", "_contrib_dequantize"}));
}

TEST(LowerQuantizedNode, ThatHandsItsRangeOutStays) {
  GraphBuilder b;
  const Bytes x = calibrated_bytes(b, b.input("data"), -1, 1);
  b.head(x.value);
  b.head(x.max);
  // The range is a parameter then, and the value is read alone.
  EXPECT_EQ(lowered_names(b), (OpNames{"_mxinfer_quantize"}));
}

TEST(LowerQuantizedNode, ReluBehindARequantizedProduct) {
  GraphBuilder b;
  const Bytes x = calibrated_bytes(b, b.input("data"), -1, 2);
  const Value w = b.parameter("w", test::random_integers<std::int8_t>({6, 3, 3, 3}, 1));
  const Value bias = b.parameter("b", test::random_integers<std::int8_t>({6}, 2));
  const Value low = b.parameter("low", one_float(-0.5F)), high = b.parameter("high", one_float(0.4F));
  const Value sums = b.op("_contrib_quantized_conv", {{"kernel", "(3, 3)"}, {"num_filter", "6"}},
                          {x.value, w, bias, x.min, x.max, low, high, low, high});
  const Value made = b.op("_contrib_requantize", {{"min_calib_range", "-2"}, {"max_calib_range", "1.5"}},
                          {sums, {sums.node, 1}, {sums.node, 2}});
  b.head(b.op("_contrib_quantized_act", {{"act_type", "relu"}}, {made, {made.node, 1}, {made.node, 2}},
              "relu0"));
  EXPECT_EQ(lowered_names(b), (OpNames{"_mxinfer_quantize", kLoweredConv}));
}

TEST(LowerQuantizedNode, RequantizedProducts) {
  for (const bool convolves : {true, false}) {
    for (const char* dtype : {"int8", "uint8"}) {
      GraphBuilder b;
      const Bytes x = calibrated_bytes(b, b.input("data"), convolves ? -1.0F : 0.0F, 2);
      const Value w = b.parameter(
          "w", test::random_integers<std::int8_t>(convolves ? Shape{6, 3, 2, 2} : Shape{6, 60}, 1));
      const Value bias = b.parameter("b", test::random_integers<std::int8_t>({6}, 2));
      const Value low = b.parameter("low", one_float(-0.5F)), high = b.parameter("high", one_float(0.4F));
      const std::vector<Value> inputs{x.value, w, bias, x.min, x.max, low, high, low, high};
      const Value sums =
          convolves ? b.op("_contrib_quantized_conv", {{"kernel", "(2, 2)"}, {"num_filter", "6"}}, inputs)
                    : b.op("_contrib_quantized_fully_connected", {{"num_hidden", "6"}}, inputs);
      const Value made = b.op("_contrib_requantize",
                              {{"min_calib_range", "0"}, {"max_calib_range", "1.5"}, {"out_type", dtype}},
                              {sums, {sums.node, 1}, {sums.node, 2}});
      b.head(b.op("_contrib_dequantize", {}, {made, {made.node, 1}, {made.node, 2}}));
      EXPECT_EQ(lowered_names(b), (OpNames{"_mxinfer_quantize", convolves ? kLoweredConv : kLoweredRows,
                                           "_mxinfer_dequantize"}));
    }
  }
}

TEST(LowerQuantizedNode, SumsThatSomethingElseReadsStay) {
  GraphBuilder b;
  const Bytes x = calibrated_bytes(b, b.input("data"), -1, 2);
  const Value w = b.parameter("w", test::random_integers<std::int8_t>({6, 60}, 1));
  const Value low = b.parameter("low", one_float(-0.5F)), high = b.parameter("high", one_float(0.4F));
  const Value sums = b.op("_contrib_quantized_fully_connected", {{"num_hidden", "6"}, {"no_bias", "True"}},
                          {x.value, w, x.min, x.max, low, high});
  b.head(b.op("_contrib_requantize", {{"min_calib_range", "-2"}, {"max_calib_range", "1.5"}},
              {sums, {sums.node, 1}, {sums.node, 2}}));
  b.head(sums);
  EXPECT_EQ(lowered_names(b),
            (OpNames{"_mxinfer_quantize", "_contrib_quantized_fully_connected", "_contrib_requantize"}));
}

TEST(LowerQuantizedNode, BytesOfTheCallerStay) {
  GraphBuilder b;
  const Value data = b.input("data");
  b.graph().nodes[0].raw_attrs["__dtype__"] = "3";
  const Value low = b.parameter("low", one_float(0)), high = b.parameter("high", one_float(4));
  b.head(b.op("_contrib_dequantize", {}, {data, low, high}));
  Graph after = b.graph();
  passes::lower_quantized(after);
  EXPECT_EQ(test::op_names(after), (OpNames{"_contrib_dequantize"}));
}

/// A weight of a file, which may be read at any time, is made int8 when it is asked for.
TEST(LowerQuantizedNode, WeightsOfAFileAreReadWhenTheyAreAskedFor) {
  RecordedGraph recorded = recorded_graph("network_auto");
  Graph lazy = recorded.graph;
  int reads = 0;
  for (Node& node : lazy.nodes) {
    if (node.constant == nullptr || node.constant->shape().rank() != 4) continue;
    const auto held = node.constant;
    node.constant =
        std::make_shared<const Parameter>(held->dtype(), held->shape(), [held, &reads](void* dst) {
          ++reads;
          held->copy_to(dst);
        });
  }
  passes::lower_quantized(lazy);
  EXPECT_EQ(reads, 0);
  expect_same_outputs(recorded.graph, lazy, recorded.addresses());
  EXPECT_GT(reads, 0);
}

}  // namespace
}  // namespace mxinfer
