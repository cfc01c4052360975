// The dtypes that dtypes alone tell, of operators whose result has another dtype than their first input; and
// that neither they nor ShapeForms contradict what MXNet recorded of any operator.
#include "passes/value_dtypes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/fail.h"
#include "ops/registry.h"
#include "passes/shape_forms.h"
#include "support/recorded_cases.h"

namespace mxinfer {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

Value computed(Graph& graph, const std::string& dtype) {
  Node variable;
  variable.name = concat("x", graph.nodes.size());
  variable.input_index = 0;
  const Value input{graph::append(graph, std::move(variable)), 0};
  Node cast = ops::make_node(concat("cast", graph.nodes.size()), "Cast", {{"dtype", dtype}}, {input});
  cast.num_outputs = 1;
  return {graph::append(graph, std::move(cast)), 0};
}

std::optional<DType> result_of(const std::string& op, const std::map<std::string, std::string>& attrs,
                               const std::vector<std::string>& inputs) {
  Graph graph;
  std::vector<Value> values;
  for (const std::string& dtype : inputs) values.push_back(computed(graph, dtype));
  Node node = ops::make_node("node", op, attrs, values);
  node.num_outputs = 1;
  const Value head{graph::append(graph, std::move(node)), 0};
  return passes::ValueDTypes(graph).of(head).dtype;
}

TEST(ValueDTypes, OfNumpyOperators) {
  EXPECT_EQ(result_of("_npi_add", {}, {"int32", "float16"}), DType::float16);
  EXPECT_EQ(result_of("_npi_multiply", {}, {"float16", "float32"}), DType::float32);
  EXPECT_EQ(result_of("_npi_true_divide", {}, {"int32", "int32"}), DType::float32);
  EXPECT_EQ(result_of("_npi_where", {}, {"bool", "float16", "float16"}), DType::float16);
  EXPECT_EQ(result_of("_npi_isnan", {}, {"float16"}), std::nullopt);
  EXPECT_EQ(result_of("_npi_add_scalar", {{"is_int", "False"}}, {"int32"}), std::nullopt);
  EXPECT_EQ(result_of("_npi_add_scalar", {{"is_int", "False"}}, {"float16"}), DType::float16);
  EXPECT_EQ(result_of("elemwise_add", {}, {"float16", "float16"}), DType::float16);
}

TEST(ValueDTypes, OfOperatorsOn8BitValues) {
  EXPECT_EQ(result_of("_mxinfer_quantize", {{"scale", "2"}, {"dtype", "uint8"}}, {"float32"}), DType::uint8);
  EXPECT_EQ(result_of("_mxinfer_dequantize", {{"scale", "2"}}, {"int8"}), DType::float32);
  EXPECT_EQ(result_of("_mxinfer_pooling_int8", {{"kernel", "(2, 2)"}}, {"uint8"}), DType::uint8);
  EXPECT_EQ(result_of("_mxinfer_convolution_int8",
                      {{"kernel", "(1, 1)"}, {"num_filter", "2"}, {"no_bias", "True"}, {"dtype", "float32"}},
                      {"int8", "int8", "float32"}),
            DType::float32);
  EXPECT_EQ(result_of("_mxinfer_fully_connected_int8", {{"num_hidden", "2"}, {"no_bias", "True"}},
                      {"uint8", "int8", "float32"}),
            DType::int8);
}

TEST(ValueDTypes, OfMxnetsOperatorsOn8BitValues) {
  const std::map<std::string, std::string> positive{
      {"min_calib_range", "0"}, {"max_calib_range", "2"}, {"out_type", "auto"}};
  EXPECT_EQ(result_of("_contrib_quantize_v2", positive, {"float32"}), DType::uint8);
  EXPECT_EQ(result_of("_contrib_quantize_v2", {}, {"float32"}), DType::int8);
  EXPECT_EQ(result_of("_contrib_requantize", {{"out_type", "uint8"}}, {"int32", "float32", "float32"}),
            DType::uint8);
  EXPECT_EQ(result_of("_contrib_dequantize", {}, {"uint8", "float32", "float32"}), DType::float32);
  EXPECT_EQ(result_of("_contrib_quantized_pooling", {{"kernel", "(2, 2)"}}, {"uint8", "float32", "float32"}),
            DType::uint8);
  EXPECT_EQ(result_of("_contrib_quantized_act", {{"act_type", "relu"}}, {"uint8", "float32", "float32"}),
            DType::int8);
  const std::map<std::string, std::string> two{{"num_args", "2"}};
  const std::vector<std::string> ranges(4, "float32");
  std::vector<std::string> inputs{"uint8", "uint8"};
  inputs.insert(inputs.end(), ranges.begin(), ranges.end());
  EXPECT_EQ(result_of("_contrib_quantized_concat", two, inputs), DType::uint8);
  EXPECT_EQ(result_of("_contrib_quantized_elemwise_add", {}, inputs), DType::int32);
  inputs[1] = "int8";
  EXPECT_EQ(result_of("_contrib_quantized_concat", two, inputs), DType::int8);
}

/// A graph of the operator, whose inputs have the dtypes in `inputs`.
Graph graph_of(const test::RecordedCase& recorded, std::vector<DType>& inputs) {
  Graph graph;
  std::vector<Value> values;
  for (const Tensor* tensor : recorded.inputs) {
    Node variable;
    variable.name = concat("x", values.size());
    variable.input_index = static_cast<std::int32_t>(values.size());
    inputs.push_back(tensor->dtype());
    values.push_back({graph::append(graph, std::move(variable)), 0});
  }
  Node node = ops::make_node("node", recorded.op, recorded.attrs, values);
  node.num_outputs = static_cast<std::int32_t>(recorded.outputs.size());
  graph::append(graph, std::move(node));
  return graph;
}

// Passes know these operators by name: a new one whose result has another dtype fails here until it is
// listed.
TEST(ValueDTypes, AreThoseThatMxnetRecorded) {
  int told = 0;
  test::for_each_recorded([&](const test::RecordedCase& recorded) {
    std::vector<DType> inputs;
    const Graph graph = graph_of(recorded, inputs);
    const passes::ValueDTypes dtypes(graph, inputs);
    const auto id = static_cast<std::int32_t>(graph.nodes.size() - 1);
    for (std::size_t o = 0; o < recorded.outputs.size(); ++o) {
      const auto dtype = dtypes.of({id, static_cast<std::int32_t>(o)}).dtype;
      told += dtype ? 1 : 0;
      EXPECT_TRUE(!dtype || *dtype == recorded.outputs[o]->dtype())
          << recorded.op << ", case " << recorded.name << ", output " << o << ": " << to_string(*dtype)
          << "; add the operator to src/passes/value_dtypes.cpp";
    }
    if (inputs.empty() || !passes::ShapeForms(graph).are_equal({0, 0}, {id, 0})) return;
    EXPECT_EQ(recorded.outputs[0]->dtype(), inputs[0]) << recorded.op << ", case " << recorded.name;
    EXPECT_EQ(recorded.outputs[0]->shape(), recorded.inputs[0]->shape())
        << recorded.op << ", case " << recorded.name;
  });
  EXPECT_GT(told, 1000);
}

}  // namespace
}  // namespace mxinfer
