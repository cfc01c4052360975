// Models converted for mixed precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "formats/arrays/npz.h"
#include "passes/passes.h"
#include "support/networks/build_graph.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using test::GraphBuilder;

Tensor halves(const Tensor& tensor) {
  Tensor half(DType::float16, tensor.shape());
  for (std::int64_t i = 0; i < tensor.elements(); ++i) half.data<Half>()[i] = Half(tensor.data<float>()[i]);
  return half;
}

Tensor rounded_to_halves(const Shape& shape, unsigned seed) {
  Tensor tensor = test::random_tensor(shape, seed);
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    float& value = tensor.data<float>()[i];
    value = static_cast<float>(Half(value));
  }
  return tensor;
}

/// A fully connected layer and a sum, with the casts that MXNet's amp.convert_model puts around them, or
/// without.
graph::Graph network(bool amp, const Tensor& weight,
                     const std::map<std::string, std::string>& input_attrs = {}) {
  GraphBuilder b;
  const graph::Value data = b.input("data");
  b.graph().nodes[0].raw_attrs = input_attrs;
  graph::Value x = data;
  graph::Value w = b.parameter("weight", amp ? halves(weight) : weight.clone());
  if (amp) {
    x = b.op("amp_cast", {{"dtype", "float16"}}, {x});
    w = b.op("amp_cast", {{"dtype", "float16"}}, {w});
  }
  graph::Value y = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}}, {x, w});
  if (amp) {
    const graph::Value both = b.op("amp_multicast", {{"num_outputs", "2"}}, {y, data});
    y = b.op("broadcast_add", {}, {both, {both.node, 1}});
    b.head(b.op("amp_cast", {{"dtype", "float32"}}, {y}));
  } else {
    b.head(b.op("broadcast_add", {}, {y, data}));
  }
  return b.graph();
}

bool has_amp(const graph::Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const graph::Node& node) { return node.op_name.starts_with("amp_"); });
}

TEST(AmpCasts, GoAndLeaveTheNumbersOfFloat32) {
  const Tensor weight = rounded_to_halves({4, 4}, 1), data = test::random_tensor({3, 4}, 2);
  graph::Graph with = network(true, weight), without = network(false, weight);
  passes::remove_amp_casts(with);
  passes::remove_identities(with);
  EXPECT_FALSE(has_amp(with));
  const auto a = test::run_graph(with, {&data}), b = test::run_graph(without, {&data});
  EXPECT_EQ(a[0].dtype(), DType::float32);
  EXPECT_EQ(test::relative_difference(a[0], b[0]), 0);
}

TEST(AmpCasts, StayWhereTheInputIsStatedToBeAnotherFloat) {
  graph::Graph graph = network(true, rounded_to_halves({4, 4}, 1), {{"__dtype__", "2"}});
  passes::remove_amp_casts(graph);
  passes::remove_identities(graph);
  EXPECT_TRUE(has_amp(graph));
}

// What a layer of float16 gives, and its own cast: MXNet gives float16.
TEST(AmpCasts, LeaveTheOutputsTheirDtype) {
  const Tensor weight = rounded_to_halves({4, 4}, 1), data = rounded_to_halves({3, 4}, 2);
  GraphBuilder b;
  const graph::Value x = b.op("amp_cast", {{"dtype", "float16"}}, {b.input("data")});
  const graph::Value w = b.op("amp_cast", {{"dtype", "float16"}}, {b.parameter("weight", halves(weight))});
  const graph::Value y = b.op("FullyConnected", {{"num_hidden", "4"}, {"no_bias", "True"}}, {x, w});
  const graph::Value parts = b.op("SliceChannel", {{"num_outputs", "2"}}, {y});
  b.head(x);
  b.head(y);
  b.head({parts.node, 1});
  b.head(b.op("amp_cast", {{"dtype", "float32"}}, {y}));
  b.head(b.op("softmax", {}, {b.op("amp_cast", {{"dtype", "float32"}}, {y})}));
  b.head(b.op("argsort", {}, {y}));
  b.head(b.op("relu", {}, {b.op("BlockGrad", {}, {y})}));
  graph::Graph graph = b.graph();
  passes::remove_amp_casts(graph);
  passes::remove_identities(graph);
  EXPECT_FALSE(has_amp(graph));
  const auto outputs = test::run_graph(graph, {&data});
  const DType expected[] = {DType::float16, DType::float16, DType::float16, DType::float32,
                            DType::float32, DType::float32, DType::float16};
  ASSERT_EQ(outputs.size(), std::size(expected));
  for (std::size_t o = 0; o < outputs.size(); ++o) EXPECT_EQ(outputs[o].dtype(), expected[o]) << o;
  EXPECT_EQ(test::relative_difference(outputs[0], halves(data)), 0);
  // Computed in float32, and rounded once.
  EXPECT_EQ(test::relative_difference(outputs[1], halves(outputs[3])), 0);
}

TEST(AmpCasts, LeaveOutputsTheirDtypeBehindMulticast) {
  for (const bool narrow : {false, true}) {
    GraphBuilder b;
    const graph::Value data = b.input("data");
    const graph::Value half = b.op("amp_cast", {{"dtype", "float16"}}, {data});
    const graph::Value both = b.op(
        "amp_multicast", {{"num_outputs", "2"}, {"cast_narrow", narrow ? "True" : "False"}}, {half, data});
    b.head({both.node, 1});
    graph::Graph graph = b.graph();
    passes::remove_amp_casts(graph);
    passes::remove_identities(graph);
    const Tensor x = test::random_tensor({2, 3}, 1);
    EXPECT_EQ(test::run_graph(graph, {&x})[0].dtype(), narrow ? DType::float16 : DType::float32);
  }
}

// Behind a cast to float16, no output is made float16 that is something else in MXNet.
TEST(AmpCasts, KnowWhichOperatorsKeepTheDtype) {
  int casts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MXINFER_SOURCE_DIR "/tests/golden/ops")) {
    std::map<std::string, Tensor> members;
    for (auto& array : formats::load_npz(entry.path().string()))
      members.emplace(array.name, std::move(array.tensor));
    for (const auto& [key, text] : members) {
      if (!std::string_view(key).ends_with(".meta")) continue;
      const std::string name = key.substr(0, key.size() - 5);
      const auto* begin = reinterpret_cast<const char*>(text.data<std::uint8_t>());
      const auto meta = nlohmann::json::parse(begin, begin + text.elements());
      const std::size_t inputs = meta.at("inputs");
      const bool is_half = inputs > 0 && members.at(name + ".in0").dtype() == DType::float16;
      if (!is_half || std::string(meta.at("op")).starts_with("amp_")) continue;
      GraphBuilder b;
      std::vector<graph::Value> values;
      for (std::size_t i = 0; i < inputs; ++i) {
        const Tensor& input = members.at(name + ".in" + std::to_string(i));
        const graph::Value variable =
            b.parameter("in" + std::to_string(i), Tensor(input.dtype(), input.shape()));
        values.push_back(i == 0 ? b.op("amp_cast", {{"dtype", "float16"}}, {variable}) : variable);
      }
      const graph::Value y = b.op(meta.at("op"), meta.at("attrs"), values);
      for (std::size_t o = 0; o < meta.at("outputs"); ++o) b.head({y.node, static_cast<std::int32_t>(o)});
      graph::Graph graph = b.graph();
      passes::remove_amp_casts(graph);
      passes::remove_identities(graph);
      for (std::size_t o = 0; o < graph.heads.size(); ++o) {
        if (graph.nodes[static_cast<std::size_t>(graph.heads[o].node)].notes.empty())
          continue;  // no cast of ours
        ++casts;
        EXPECT_EQ(members.at(name + ".out" + std::to_string(o)).dtype(), DType::float16) << key << ' ' << o;
      }
    }
  }
  EXPECT_GT(casts, 50);
}

}  // namespace
}  // namespace mxinfer
