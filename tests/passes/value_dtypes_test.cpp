// The dtypes that dtypes alone tell, of operators whose result has another dtype than their first input.
#include "passes/value_dtypes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/fail.h"
#include "ops/registry.h"

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

}  // namespace
}  // namespace mxinfer
