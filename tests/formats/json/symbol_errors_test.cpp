// Symbol files that are wrong: each message must say what is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/fail.h"
#include "formats/expect_has.h"
#include "formats/json/symbol_json.h"
#include "ops/registry.h"

namespace mxinfer::formats {
namespace {

std::string symbol_error(const std::string& text, const SymbolLimits& limits = {}) {
  try {
    parse_symbol(text, limits);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::malformed) << e.what();
    return e.what();
  }
  return "nothing was thrown";
}

// One variable, then this node, which is the output.
std::string with_node(const std::string& node) {
  return R"({"nodes": [{"op": "null", "name": "data", "inputs": []}, )" + node +
         R"(], "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})";
}

// What passes make of a graph holds what they checked before; a file checks nothing.
TEST(SymbolErrors, OperatorsThatPassesMake) {
  std::size_t refused = 0, in_loops = 0;
  for (const ops::OpDef* op : ops::all_ops()) {
    if (!op->made_by_passes) continue;
    ++refused;
    const std::string node = R"({"op": ")" + op->name + R"(", "name": "x", "inputs": [[0, 0, 0]]})";
    EXPECT_HAS(symbol_error(with_node(node)), "node 'x' (" + op->name + ")");
    EXPECT_HAS(symbol_error(with_node(node)), "a file may not contain it");
    const std::string body = R"({"nodes": [{"op": "null", "name": "y", "inputs": []}, )" + node +
                             R"(], "arg_nodes": [0], "heads": [[1, 0, 0]]})";
    const std::string foreach =
        R"json({"op": "_foreach", "name": "loop", "inputs": [[0, 0, 0]], "attrs": {"num_args": "2",
          "num_outputs": "1", "num_out_data": "1", "in_data_locs": "(0,)", "in_state_locs": "()",
          "remain_locs": "()"}, "subgraphs": [)json" +
        body + "]}";
    const std::string loop = symbol_error(with_node(foreach));
    in_loops += loop.find("a file may not contain it") != std::string::npos;
  }
  EXPECT_GE(refused, 12u);
  EXPECT_EQ(in_loops, refused);
  // Those that attaching transforms writes are read.
  for (const char* op :
       {"_mxinfer_resize_short", "_mxinfer_center_crop", "_mxinfer_letterbox", "_mxinfer_pad_image",
        "_mxinfer_convert_color", "_mxinfer_list_to_batch", "_mxinfer_read_image", "_mxinfer_lookup",
        "_mxinfer_fill_nan", "_mxinfer_lower_text", "_mxinfer_basic_tokenize", "_mxinfer_token_ids",
        "_mxinfer_wordpiece", "_mxinfer_sentencepiece", "_mxinfer_frame_text"}) {
    ASSERT_NE(ops::find_op(op), nullptr);
    EXPECT_FALSE(ops::find_op(op)->made_by_passes) << op;
  }
}

struct Case {
  const char* text;
  std::vector<const char*> facts;
};

TEST(SymbolErrors, Documents) {
  const Case cases[] = {
      {"", {"empty"}},
      {"\n{\"nodes\": [,]}", {"not JSON at line 2, column 12"}},
      {"{\"nodes\": []", {"not JSON"}},
      {"{} x", {"not JSON at line 1, column 4"}},
      {"{\"a\": \"\xff\"}", {"not JSON"}},
      {"[]", {"the graph is array []", "expected a JSON object"}},
      {"17", {"the graph is number 17"}},
      {"null", {"the graph is null"}},
      {"{}", {"\"nodes\" is missing"}},
      {R"({"nodes": {}})", {"\"nodes\" is object {}", "expected a list"}},
      {R"({"nodes": []})", {"\"heads\" is missing"}},
      {R"({"nodes": [], "heads": []})", {"no outputs"}},
      {R"({"nodes": [], "heads": [[0, 0, 0]]})", {"heads[0] refers to node 0", "0 nodes"}},
      {R"({"nodes": [], "nodes": []})", {"\"nodes\" appears twice"}},
      {R"({"nodes": [7]})", {"node 0", "it is number 7"}},
      {R"({"nodes": [], "attrs": []})", {"\"attrs\" is array []"}},
      {R"({"nodes": [], "attrs": {"mxnet_version": 10901}})",
       {"mxnet_version is number 10901", "[\"int\", 10901]"}},
      {R"({"nodes": [], "attrs": {"mxnet_version": ["int", "1.9"]}})", {"mxnet_version is string \"1.9\""}},
      {"version https://git-lfs.github.com/spec/v1", {"Git LFS pointer"}},
      {"<!DOCTYPE html>", {"web page"}},
  };
  for (const Case& c : cases) {
    const std::string message = symbol_error(c.text);
    for (const char* fact : c.facts) EXPECT_HAS(message, fact);
  }
  EXPECT_HAS(symbol_error(std::string("\x12\x01\0\0\0\0\0\0rest", 12)), ".params file");
}

TEST(SymbolErrors, Nodes) {
  const Case cases[] = {
      {R"({"name": "x", "inputs": []})", {"node 1 'x'", "\"op\" is missing"}},
      {R"({"op": "null", "inputs": []})", {"node 1", "\"name\" is missing"}},
      {R"({"op": "null", "name": "x"})", {"node 1 'x'", "\"inputs\" is missing"}},
      {R"({"op": "", "name": "x", "inputs": []})", {"\"op\" is empty"}},
      {R"({"op": 3, "name": "x", "inputs": []})", {"\"op\" is number 3"}},
      {R"({"op": "null", "name": null, "inputs": []})", {"\"name\" is null"}},
      {R"({"op": "null", "name": "x", "inputs": {}})", {"\"inputs\" is object {}"}},
      {R"({"op": "null", "name": "x", "inputs": [[0, 0, 0]]})", {"variable 'x'", "cannot have inputs"}},
      {R"({"op": "Op", "name": "x", "inputs": [0]})", {"input 0 is number 0", "[node id, output index]"}},
      {R"({"op": "Op", "name": "x", "inputs": [[0]]})", {"input 0 is array [0]"}},
      {R"({"op": "Op", "name": "x", "inputs": [[0, 0, 0, 0]]})", {"input 0 is array"}},
      {R"({"op": "Op", "name": "x", "inputs": [["0", 0]]})", {"a node id is string \"0\""}},
      {R"({"op": "Op", "name": "x", "inputs": [[0.0, 0]]})", {"a node id is number 0.0"}},
      {R"({"op": "Op", "name": "x", "inputs": [[-1, 0]]})", {"a node id is number -1"}},
      {R"({"op": "Op", "name": "x", "inputs": [[4294967296, 0]]})", {"a node id is number 4294967296"}},
      {R"({"op": "Op", "name": "x", "inputs": [[18446744073709551615, 0]]})", {"18446744073709551615"}},
      {R"({"op": "Op", "name": "x", "inputs": [[0, -1]]})", {"an output index is number -1"}},
      {R"({"op": "Op", "name": "x", "inputs": [[0, 2000000000]]})", {"output 2000000000"}},
      {R"({"op": "Op", "name": "x", "inputs": [[0, 1]]})", {"output 1 of variable 'data', which has 1"}},
      {R"({"op": "Op", "name": "x", "inputs": [[1, 0]]})", {"not earlier than this node (1)"}},
      {R"({"op": "Op", "name": "x", "inputs": [[9, 0]]})", {"refers to node 9"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "control_deps": [1]})",
       {"control dependency refers to node 1"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "control_deps": 0})", {"\"control_deps\" is number 0"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "subgraphs": [3]})",
       {"subgraph 0", "the graph is number 3"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "attrs": "a"})", {"\"attrs\" is string \"a\""}},
      {R"({"op": "Op", "name": "x", "inputs": [], "attrs": {"k": 3}})",
       {"node 1 'x'", "attribute k is number 3"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "attrs": {"k": "1", "k": "2"}})", {"\"k\" appears twice"}},
      {R"({"op": "Op", "name": "x", "inputs": [], "attrs": {"k": "1"}, "attr": {"k": "2"}})",
       {"attribute k", "\"1\" under \"attrs\"", "\"2\" under \"attr\""}},
      {R"({"op": "Op", "name": "a\u0007\n", "inputs": [[5, 0]]})", {R"('a\x07\x0a')"}},
      {R"({"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0]]})",
       {"node 'fc' (FullyConnected)", "num_hidden", "required"}},
      {R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "many"}, "inputs": [[0, 0, 0]]})",
       {"num_hidden=\"many\"", "an integer"}},
      {R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "1", "odd": "1"}, "inputs": [[0, 0, 0]]})",
       {"attribute odd"}},
      {R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "1"}, "inputs": [[0, 0, 0]]})",
       {"it has 1 input; expected 3 (data, weight, bias)"}},
      {R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "1", "no_bias": "1"},
           "inputs": [[0, 0, 0], [0, 0, 0], [0, 0, 0]]})",
       {"it has 3 inputs; expected 2 (data, weight)"}},
      {R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "1", "no_bias": "1"},
           "inputs": [[0, 0, 0], [0, 0, 0]]}, {"op": "Op", "name": "y", "inputs": [[1, 1, 0]]})",
       {"node 'y' (Op)", "output 1 of node 'fc' (FullyConnected), which has 1"}},
  };
  for (const Case& c : cases) {
    const std::string message = symbol_error(with_node(c.text));
    for (const char* fact : c.facts) EXPECT_HAS(message, fact);
  }
}

TEST(SymbolErrors, ListsOfNodes) {
  const auto with = [](const std::string& rest) {
    return symbol_error(
        R"({"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": "Op", "name": "x", "inputs": []}],
                       "heads": [[1, 0, 0]], )" +
        rest + "}");
  };
  EXPECT_HAS(with(R"("arg_nodes": [1])"), "node 'x' (Op) is not a variable");
  EXPECT_HAS(with(R"("arg_nodes": [2])"), "\"arg_nodes\" refers to node 2");
  EXPECT_HAS(with(R"("arg_nodes": ["a"])"), "\"arg_nodes\" is string \"a\"");
  EXPECT_HAS(with(R"("arg_nodes": 0)"), "\"arg_nodes\" is number 0");
  EXPECT_HAS(with(R"("node_row_ptr": [0])"), "\"arg_nodes\" is missing");
  EXPECT_HAS(with(R"("arg_nodes": [0], "node_row_ptr": [-1])"), "\"node_row_ptr\" is number -1");
  EXPECT_HAS(with(R"("arg_nodes": [0], "node_row_ptr": {})"), "\"node_row_ptr\" is object {}");
}

TEST(SymbolErrors, OperatorsThatAreMissingAreToldWithOtherErrors) {
  EXPECT_HAS(symbol_error(with_node(R"({"op": "FullyConnected", "name": "fc", "inputs": [[0, 0, 0]]},
                                   {"op": "WarpDrive", "name": "x", "inputs": []})")),
             "also needs operators that this library does not have: WarpDrive");
}

TEST(SymbolErrors, LongExcerptsAreCut) {
  const std::string message =
      symbol_error("[" + std::string(100'000, ' ') + "\"" + std::string(100'000, 'a') + "\"]");
  EXPECT_LT(message.size(), 400u);
}

TEST(SymbolErrors, NestingIsLimited) {
  EXPECT_HAS(symbol_error(std::string(100'000, '[')), "more than 64 levels");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  EXPECT_HAS(symbol_error(objects), "more than 64 levels");
  SymbolLimits limits;
  limits.json_depth = 1000;
  std::string graph =
      R"({"nodes": [{"op": "null", "name": "x", "inputs": []}], "arg_nodes": [0], "heads": [[0, 0, 0]]})";
  for (int i = 0; i < 20; ++i) {
    graph = R"({"nodes": [{"op": "Op", "name": "x", "inputs": [], "subgraphs": [)" + graph +
            R"(]}], "arg_nodes": [], "heads": [[0, 0, 0]]})";
  }
  EXPECT_HAS(symbol_error(graph, limits), "nested more than 16 deep");
}

TEST(SymbolErrors, SizesAreLimited) {
  const std::string graph = with_node(R"({"op": "Op", "name": "x", "inputs": []})");
  SymbolLimits limits;
  limits.nodes = 1;
  EXPECT_HAS(symbol_error(graph, limits), "more than 1 nodes");
  limits = {};
  limits.bytes = 10;
  EXPECT_HAS(symbol_error(graph, limits), "more than the limit of 10");
}

// Few bytes make many outputs.
TEST(SymbolErrors, OutputsOfAllNodesTogetherAreLimited) {
  const std::string split =
      R"json({"op": "SliceChannel", "name": "s", "attrs": {"num_outputs": "65536"}, "inputs": [[0, 0, 0]]})json";
  std::string nodes = split;
  for (int i = 1; i < 31; ++i) nodes += ", " + split;
  EXPECT_HAS(symbol_error(with_node(nodes)), "expected at most 2000000");
  SymbolLimits limits;
  limits.outputs = 65536;
  EXPECT_EQ(symbol_error(with_node(split), limits), "nothing was thrown");
  EXPECT_HAS(symbol_error(with_node(split + ", " + split), limits), "expected at most 65536");
  const std::string unknown = R"json({"op": "Op", "name": "x", "inputs": [[0, 0, 0]]})json";
  const std::string reader = R"json({"op": "relu", "name": "y", "inputs": [[1, 60000, 0]]})json";
  EXPECT_HAS(symbol_error(with_node(unknown + ", " + reader + ", " + split), limits),
             "expected at most 65536");
}

TEST(SymbolErrors, AFileCutAnywhereIsRefused) {
  const std::string graph = with_node(
      R"({"op": "FullyConnected", "name": "fc", "attrs": {"num_hidden": "1", "no_bias": "1"}, "inputs": [[0, 0, 0], [0, 0, 0]]})");
  parse_symbol(graph);
  for (std::size_t size = 0; size < graph.size(); ++size) {
    EXPECT_NE(symbol_error(graph.substr(0, size)), "nothing was thrown") << size;
  }
}

TEST(SymbolErrors, CountsOfPortsAreLimited) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"Concat", "num_args"},
                                                                  {"add_n", "num_args"},
                                                                  {"stack", "num_args"},
                                                                  {"amp_multicast", "num_outputs"},
                                                                  {"SliceChannel", "num_outputs"}};
  for (const auto& [op, attribute] : cases) {
    const std::string message =
        symbol_error(with_node(R"({"op": ")" + op + R"(", "name": "x", "attrs": {")" + attribute +
                               R"(": "2000000000"}, "inputs": [[0, 0, 0]]})"));
    EXPECT_HAS(message, attribute + "=\"2000000000\": expected 0 to 65536");
  }
  EXPECT_HAS(symbol_error(with_node(R"json({"op": "_split_v2", "name": "x", "attrs": {"indices": "()",
                                   "sections": "2000000000"}, "inputs": [[0, 0, 0]]})json")),
             "sections=\"2000000000\"");
}

}  // namespace
}  // namespace mxinfer::formats
