#include "formats/arrays/bind_params.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "formats/expect_has.h"
#include "formats/json/symbol_json.h"

namespace mxinfer::formats {
namespace {

graph::Graph dense_layer() {
  return parse_symbol(R"({"nodes": [
      {"op": "null", "name": "data", "inputs": []},
      {"op": "null", "name": "fc_weight", "inputs": []},
      {"op": "null", "name": "fc_bias", "inputs": []},
      {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "2"}, "inputs": [[0,0,0],[1,0,0],[2,0,0]]}],
    "arg_nodes": [0, 1, 2], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})")
      .graph;
}

std::vector<NamedParameter> arrays(const std::vector<std::string>& names) {
  std::vector<NamedParameter> list;
  for (const auto& name : names) {
    Tensor tensor(DType::float32, {1});
    tensor.data<float>()[0] = static_cast<float>(list.size() + 1);
    list.push_back({name, make_parameter(std::move(tensor))});
  }
  return list;
}

float bound(const graph::Graph& graph, std::size_t id) {
  return graph.nodes[id].constant ? graph.nodes[id].constant->value()->data<float>()[0] : 0.0f;
}

std::string binding_error(graph::Graph graph, const std::vector<std::string>& names) {
  try {
    bind_params(graph, arrays(names));
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::malformed);
    return e.what();
  }
  return {};
}

TEST(BindParams, ByNameWithOrWithoutPrefix) {
  for (const auto& names : {std::vector<std::string>{"arg:fc_bias", "arg:fc_weight"},
                            std::vector<std::string>{"fc_bias", "fc_weight"}}) {
    auto graph = dense_layer();
    EXPECT_TRUE(bind_params(graph, arrays(names)).empty());
    EXPECT_EQ(bound(graph, 0), 0);
    EXPECT_EQ(bound(graph, 1), 2);
    EXPECT_EQ(bound(graph, 2), 1);
  }
}

TEST(BindParams, TheWrongPrefixIsAWarning) {
  auto graph = dense_layer();
  const auto warnings = bind_params(graph, arrays({"aux:fc_weight", "arg:fc_bias"}));
  EXPECT_EQ(bound(graph, 1), 1);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HAS(warnings[0], "'aux:fc_weight'");
}

TEST(BindParams, WhatNothingUsesIsAWarning) {
  auto graph = dense_layer();
  const auto warnings =
      bind_params(graph, arrays({"arg:fc_weight", "arg:1", "arg:2", "arg:3", "arg:4", "arg:5", "arg:6"}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HAS(warnings[0], "6 arrays");
  EXPECT_HAS(warnings[0], "'arg:5' and 1 more");
}

TEST(BindParams, ArraysWithoutElementsAreNoValues) {
  auto graph = dense_layer();
  auto list = arrays({"arg:fc_weight"});
  list.push_back({"arg:fc_bias", make_parameter(Tensor())});
  const auto warnings = bind_params(graph, std::move(list));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_HAS(warnings[0], "'arg:fc_bias'");
  EXPECT_EQ(graph.nodes[2].constant, nullptr);
}

TEST(BindParams, TwoValuesForOneVariableAreRefused) {
  EXPECT_HAS(binding_error(dense_layer(), {"arg:fc_weight", "aux:fc_weight"}), "two values for 'fc_weight'");
}

TEST(BindParams, VariablesOfOneNameShareTheValue) {
  auto graph = dense_layer();
  graph.nodes[2].name = "fc_weight";
  EXPECT_EQ(bind_params(graph, arrays({"arg:fc_weight"})).size(), 1u);
  EXPECT_EQ(graph.nodes[1].constant, graph.nodes[2].constant);
}

TEST(BindParams, FilesThatAreNotForThisNetworkAreExplained) {
  EXPECT_HAS(binding_error(dense_layer(), {"features.0.weight", "features.0.bias"}), "save_parameters");
  EXPECT_HAS(binding_error(dense_layer(), {"", ""}), "without names");
  EXPECT_HAS(binding_error(dense_layer(), {"arg:conv_weight"}), "none of the 1 arrays");
  auto graph = dense_layer();
  EXPECT_TRUE(bind_params(graph, arrays({})).empty());
}

}  // namespace
}  // namespace mxinfer::formats
