// Models converted for mixed precision.
#include <gtest/gtest.h>

#include <algorithm>

#include "passes/passes.h"
#include "support/build_graph.h"
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
  passes::remove_identities(with);
  EXPECT_FALSE(has_amp(with));
  const auto a = test::run_graph(with, {&data}), b = test::run_graph(without, {&data});
  EXPECT_EQ(a[0].dtype(), DType::float32);
  EXPECT_EQ(test::relative_difference(a[0], b[0]), 0);
}

TEST(AmpCasts, StayWhereTheInputIsStatedToBeAnotherFloat) {
  graph::Graph graph = network(true, rounded_to_halves({4, 4}, 1), {{"__dtype__", "2"}});
  passes::remove_identities(graph);
  EXPECT_TRUE(has_amp(graph));
}

}  // namespace
}  // namespace mxinfer
