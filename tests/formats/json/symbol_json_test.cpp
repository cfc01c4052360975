#include "formats/json/symbol_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/fail.h"
#include "ops/op_def.h"
#include "ops/registry.h"

namespace mxinfer::formats {
namespace {

using graph::Graph;
using graph::Value;

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> list;
  for (const auto& node : graph.nodes) list.push_back(node.name);
  return list;
}

// What every era says in its own way: fc = FullyConnected(data, fc_weight, fc_bias).
void check_dense_layer(const ParsedSymbol& symbol, int version) {
  const Graph& graph = symbol.graph;
  EXPECT_TRUE(unsupported_ops(symbol.graph).empty());
  EXPECT_EQ(graph.mxnet_version, version);
  EXPECT_EQ(names(graph), (std::vector<std::string>{"data", "fc_weight", "fc_bias", "fc"}));
  ASSERT_EQ(graph.nodes.size(), 4u);
  EXPECT_TRUE(graph.nodes[0].is_variable());
  const auto& fc = graph.nodes[3];
  ASSERT_NE(fc.op, nullptr);
  EXPECT_EQ(fc.op->name, "FullyConnected");
  EXPECT_EQ(fc.attrs.integer("num_hidden"), 10);
  EXPECT_FALSE(fc.attrs.flag("no_bias"));
  EXPECT_EQ(fc.inputs, (std::vector<Value>{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(fc.num_outputs, 1);
  EXPECT_EQ(graph.heads, (std::vector<Value>{{3, 0}}));
}

TEST(SymbolJson, Version08) {
  check_dense_layer(parse_symbol(R"({"nodes": [
    {"op": "null", "param": {}, "name": "data", "inputs": [], "backward_source_id": -1},
    {"op": "null", "param": {}, "name": "fc_weight", "inputs": [], "backward_source_id": -1},
    {"op": "null", "param": {}, "name": "fc_bias", "inputs": [], "backward_source_id": -1},
    {"op": "FullyConnected", "param": {"no_bias": "False", "num_hidden": "10"}, "name": "fc",
     "inputs": [[0, 0], [1, 0], [2, 0]], "backward_source_id": -1}],
    "arg_nodes": [0, 1, 2], "heads": [[3, 0]]})"),
                    800);
}

TEST(SymbolJson, Version09) {
  check_dense_layer(parse_symbol(R"({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "fc_weight", "attr": {"num_hidden": "10", "no_bias": "nonsense"}, "inputs": []},
    {"op": "null", "name": "fc_bias", "attr": {"__lr_mult__": "2"}, "inputs": []},
    {"op": "FullyConnected", "name": "fc", "attr": {"num_hidden": "10"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]}],
    "arg_nodes": [0, 1, 2], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]],
    "attrs": {"mxnet_version": ["int", 905]}})"),
                    905);
}

constexpr const char* kCurrent = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "fc_weight", "attrs": {"__shape__": "(10, 0)"}, "inputs": []},
    {"op": "null", "name": "fc_bias", "inputs": []},
    {"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "10L", "__profiler_scope__": "fc:"},
     "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "control_deps": [1]}],
    "arg_nodes": [0, 1, 2], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]],
    "attrs": {"mxnet_version": ["int", 10901], "names": ["list_str", ["a", "b"]]}})json";

TEST(SymbolJson, Version1) {
  const ParsedSymbol symbol = parse_symbol(kCurrent);
  check_dense_layer(symbol, 10901);
  EXPECT_EQ(symbol.graph.nodes[3].control_deps, std::vector<std::int32_t>{1});
  EXPECT_EQ(symbol.graph.nodes[1].raw_attrs.at("__shape__"), "(10, 0)");
  EXPECT_EQ(symbol.graph.attrs.at("names").second, R"(["a","b"])");
  EXPECT_TRUE(symbol.warnings.empty());
}

TEST(SymbolJson, AttributesOfBothTablesAreMergedAndTheNewerWins) {
  const auto symbol = parse_symbol(R"({"nodes": [
    {"op": "null", "name": "data", "param": {}, "inputs": []}, {"op": "null", "name": "w", "param": {}, "inputs": []},
    {"op": "FullyConnected", "name": "fc", "param": {"num_hidden": "10", "no_bias": "False"},
     "attr": {"no_bias": "True"}, "inputs": [[0, 0], [1, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0]]})");
  EXPECT_TRUE(symbol.graph.nodes[2].attrs.flag("no_bias"));
  EXPECT_EQ(symbol.graph.nodes[2].attrs.integer("num_hidden"), 10);
}

TEST(SymbolJson, OptionsOfVariablesAreHiddenFromOperators) {
  const auto symbol = parse_symbol(R"({"nodes": [
    {"op": "null", "name": "data", "param": {}, "attr": {"lr_mult": "2"}, "inputs": []},
    {"op": "null", "name": "w", "param": {}, "inputs": []},
    {"op": "FullyConnected", "name": "fc", "param": {"num_hidden": "10", "no_bias": "True"},
     "attr": {"ctx_group": "stage1", "lr_mult": "0.1", "weight_wd_mult": "0.3", "mood": "angry"},
     "inputs": [[0, 0], [1, 0]]}],
    "arg_nodes": [0, 1], "heads": [[2, 0]]})");
  const auto& raw = symbol.graph.nodes[2].raw_attrs;
  EXPECT_EQ(raw.at("__ctx_group__"), "stage1");
  EXPECT_EQ(raw.at("__lr_mult__"), "0.1");
  EXPECT_EQ(raw.at("__mood__"), "angry");  // users could attach anything then
  EXPECT_EQ(raw.count("weight_wd_mult"), 0u);
  EXPECT_EQ(symbol.graph.nodes[1].raw_attrs.at("__wd_mult__"), "0.3");
  EXPECT_EQ(symbol.graph.nodes[0].raw_attrs, (std::map<std::string, std::string>{{"__lr_mult__", "2"}}));
}

TEST(SymbolJson, InputsThatOldFilesLackAreAdded) {
  const auto symbol = parse_symbol(R"({"nodes": [
    {"op": "null", "name": "data", "param": {}, "inputs": []}, {"op": "null", "name": "w", "param": {}, "inputs": []},
    {"op": "FullyConnected", "name": "a", "param": {"num_hidden": "10"}, "inputs": [[0, 0], [1, 0]]},
    {"op": "FullyConnected", "name": "", "param": {"num_hidden": "3"}, "inputs": [[2, 0]]}],
    "arg_nodes": [0, 1], "heads": [[3, 0], [2, 0]]})");
  EXPECT_EQ(names(symbol.graph),
            (std::vector<std::string>{"data", "w", "a_bias", "a", "weight", "bias", ""}));
  EXPECT_EQ(symbol.graph.nodes[3].inputs, (std::vector<Value>{{0, 0}, {1, 0}, {2, 0}}));
  EXPECT_EQ(symbol.graph.nodes[6].inputs, (std::vector<Value>{{3, 0}, {4, 0}, {5, 0}}));
  EXPECT_EQ(symbol.graph.heads, (std::vector<Value>{{6, 0}, {3, 0}}));
}

TEST(SymbolJson, AuxiliaryStatesThatOldFilesLackAreAdded) {
  if (ops::find_op("BatchNorm") == nullptr) GTEST_SKIP() << "BatchNorm is not registered";
  const auto symbol = parse_symbol(R"({"nodes": [
    {"op": "null", "name": "data", "param": {}, "inputs": []},
    {"op": "null", "name": "bn0_gamma", "param": {}, "inputs": []},
    {"op": "null", "name": "bn0_beta", "param": {}, "inputs": []},
    {"op": "BatchNorm", "name": "bn0", "param": {"eps": "0.001"}, "inputs": [[0, 0], [1, 0], [2, 0]]}],
    "arg_nodes": [0, 1, 2], "heads": [[3, 0]]})");
  EXPECT_EQ(names(symbol.graph), (std::vector<std::string>{"data", "bn0_gamma", "bn0_beta", "bn0_moving_mean",
                                                           "bn0_moving_var", "bn0"}));
}

TEST(SymbolJson, AnAxisOfMinusOneWasNoneBefore095) {
  if (ops::find_op("argmax") == nullptr) GTEST_SKIP() << "argmax is not registered";
  const auto has_axis = [](int version) {
    const std::string text = R"({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "argmax", "name": "a", "attr": {"axis": "-1"}, "inputs": [[0, 0, 0]]}],
      "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", )" +
                             std::to_string(version) + "]}}";
    return parse_symbol(text).graph.nodes[1].attrs.has("axis");
  };
  EXPECT_FALSE(has_axis(904));
  EXPECT_TRUE(has_axis(905));
}

graph::Attrs attrs_of(const std::string& op, const std::string& attrs, const std::string& of_graph = "") {
  return parse_symbol(R"({"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": ")" + op +
                      R"(", "name": "op", "attrs": )" + attrs + R"(, "inputs": [)" +
                      (op[0] == '_' ? "" : "[0, 0, 0]") + R"(]}], "arg_nodes": [0], "heads": [[1, 0, 0]],
                      "attrs": {"mxnet_version": ["int", 10901])" +
                      of_graph + "}}")
      .graph.nodes[1]
      .attrs;
}

// MXNet runs them.
TEST(SymbolJson, NoneIsATupleThatWasLeftOut) {
  const auto is_empty = [](const char* op, const char* attribute, const char* attrs) {
    return attrs_of(op, attrs).tuple(attribute).empty();
  };
  EXPECT_TRUE(is_empty("slice", "step", R"json({"begin": "(0,)", "end": "(2,)", "step": "None"})json"));
  EXPECT_TRUE(is_empty("Pooling", "kernel", R"json({"global_pool": "True", "kernel": "None"})json"));
  EXPECT_TRUE(is_empty("Reshape", "target_shape", R"json({"shape": "(-1,)", "target_shape": "None"})json"));
  EXPECT_NO_THROW(attrs_of("Dropout", R"json({"axes": "None"})json"));
}

TEST(SymbolJson, ShapesAreNumpysWhereTheFileSaysSo) {
  const ops::OpDef& zeros = *ops::find_op("_zeros");
  const auto is_open = [&](const char* shape, const char* of_graph) {
    return zeros.leaves_open(attrs_of("_zeros", std::string(R"({"shape": ")") + shape + R"("})", of_graph));
  };
  for (const char* numpy : {"", R"(, "is_np_shape": ["int", 0])"}) {
    for (const char* shape : {"(0, 4)", "()", "(-1, 4)"}) EXPECT_TRUE(is_open(shape, numpy)) << shape;
  }
  const char* numpy = R"(, "is_np_shape": ["int", 1])";
  EXPECT_FALSE(is_open("(0, 4)", numpy));
  EXPECT_FALSE(is_open("()", numpy));
  EXPECT_TRUE(is_open("(-1, 4)", numpy));
}

TEST(SymbolJson, UnknownOperatorsAreCollected) {
  const std::string text = R"({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "WarpDrive", "name": "w1", "attrs": {"lr_mult": "1", "factor": "9"}, "inputs": [[0, 0, 0]]},
      {"op": "WarpDrive", "name": "w2", "inputs": [[1, 3, 0]]},
      {"op": "Another", "name": "x", "inputs": [[2, 0, 0]]}],
      "arg_nodes": [0], "heads": [[3, 1, 0]], "attrs": {"mxnet_version": ["int", 10901]}})";
  const ParsedSymbol symbol = parse_symbol(text);
  const std::vector<UnsupportedOp> unsupported = unsupported_ops(symbol.graph);
  ASSERT_EQ(unsupported.size(), 2u);
  EXPECT_EQ(unsupported[0].op, "Another");
  EXPECT_EQ(unsupported[1].nodes, (std::vector<std::string>{"w1", "w2"}));
  EXPECT_EQ(symbol.graph.nodes[1].num_outputs, 4);
  EXPECT_EQ(symbol.graph.nodes[3].num_outputs, 2);
  EXPECT_EQ(symbol.graph.nodes[1].op, nullptr);
  try {
    require_supported(unsupported);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(e.what()).find("2 operators"), std::string::npos) << e.what();
    EXPECT_NE(
        std::string(e.what()).find("Another ('x') is an operator that is not known here; WarpDrive ('w1', "
                                   "'w2') is"),
        std::string::npos)
        << e.what();
  }
  require_supported(unsupported_ops(parse_symbol(kCurrent).graph));
}

TEST(SymbolJson, LongListsOfNodesAreCut) {
  try {
    require_supported({{"Op", {"a", "b", "c", "d", "e", "f", "g"}}});
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("'e' and 2 more"), std::string::npos) << e.what();
  }
}

TEST(SymbolJson, SubgraphsAreReadLikeGraphs) {
  const ParsedSymbol symbol = parse_symbol(R"({"nodes": [{"op": "null", "name": "data", "inputs": []},
      {"op": "_loop_of_no_kind", "name": "loop", "inputs": [[0, 0, 0]], "subgraphs": [
        {"nodes": [{"op": "null", "name": "x", "inputs": []}, {"op": "null", "name": "w", "inputs": []},
                   {"op": "FullyConnected", "name": "inner", "attrs": {"num_hidden": "2", "no_bias": "1"},
                    "inputs": [[0, 0, 0], [1, 0, 0]]},
                   {"op": "Unheard", "name": "of", "inputs": [[2, 0, 0]]}],
         "arg_nodes": [0, 1], "node_row_ptr": [0, 1, 2, 3, 4], "heads": [[3, 0, 0]]}]}],
      "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})");
  ASSERT_EQ(symbol.graph.nodes[1].subgraphs.size(), 1u);
  const Graph& inner = *symbol.graph.nodes[1].subgraphs[0];
  EXPECT_EQ(inner.mxnet_version, 10901);
  EXPECT_EQ(inner.nodes[2].attrs.integer("num_hidden"), 2);
  const std::vector<UnsupportedOp> unsupported = unsupported_ops(symbol.graph);
  ASSERT_EQ(unsupported.size(), 2u);
  EXPECT_EQ(unsupported[0].nodes, std::vector<std::string>{"loop/of"});
}

TEST(SymbolJson, NewerVersionsAreReadWithAWarning) {
  const auto of_version = [](const std::string& version) {
    return parse_symbol(
        R"({"nodes": [{"op": "null", "name": "x", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]],
      "attrs": {"mxnet_version": ["int", )" +
        version + "]}}");
  };
  EXPECT_TRUE(of_version("20000").warnings.empty());
  ASSERT_EQ(of_version("30000").warnings.size(), 1u);
}

TEST(SymbolJson, WhatIsWrittenReadsAsTheSameGraph) {
  const std::string source = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": [], "note": {"deep": [1, 2.5, null]}},
    {"op": "null", "name": "fc_weight", "attrs": {"__shape__": "(10, 0)"}, "inputs": []},
    {"op": "FullyConnected", "name": "f\u00fc\u0001\"c", "attrs": {"num_hidden": "10", "no_bias": "True"},
     "inputs": [[0, 0, 0], [1, 0, 0]], "control_deps": [1]},
    {"op": "Unknown", "name": "u", "inputs": [[2, 0, 0]], "subgraphs": [
        {"nodes": [{"op": "null", "name": "x", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]}]}],
    "arg_nodes": [0, 1], "heads": [[3, 1, 0], [2, 0, 0]], "made": [{"name": "data"}],
    "attrs": {"mxnet_version": ["int", 10500], "names": ["list_str", ["a", "b"]]}})json";
  const ParsedSymbol first = parse_symbol(source);
  ASSERT_EQ(first.warnings.size(), 1u);
  EXPECT_NE(first.warnings[0].find("\"made\", \"note\""), std::string::npos) << first.warnings[0];
  const std::string written = write_symbol(first.graph);
  const ParsedSymbol second = parse_symbol(written);
  EXPECT_EQ(graph::dump(first.graph), graph::dump(second.graph));
  EXPECT_EQ(first.graph.heads, second.graph.heads);
  EXPECT_EQ(first.graph.attrs, second.graph.attrs);
  EXPECT_EQ(first.graph.unknown_keys, second.graph.unknown_keys);
  EXPECT_EQ(second.graph.mxnet_version, 10500);
  EXPECT_EQ(second.graph.nodes[0].unknown_keys.at("note"), R"({"deep":[1,2.5,null]})");
  EXPECT_EQ(second.graph.nodes[2].control_deps, std::vector<std::int32_t>{1});
  EXPECT_EQ(second.graph.nodes[3].subgraphs.size(), 1u);
  EXPECT_EQ(written, write_symbol(second.graph));
  EXPECT_EQ(nlohmann::json::parse(written)["node_row_ptr"], nlohmann::json({0, 1, 2, 3, 5}));
}

TEST(SymbolJson, WhatWasUpgradedIsNotWrittenAsOld) {
  const auto old = parse_symbol(R"({"nodes": [{"op": "null", "param": {}, "name": "data", "inputs": []}],
      "arg_nodes": [0], "heads": [[0, 0]]})");
  EXPECT_EQ(parse_symbol(write_symbol(old.graph)).graph.mxnet_version, 10901);
}

}  // namespace
}  // namespace mxinfer::formats
