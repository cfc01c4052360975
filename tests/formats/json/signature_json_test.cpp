#include "formats/json/signature_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "formats/json/symbol_json.h"
#include "support/expect_error.h"
#include "support/networks/tiny_models.h"

namespace mxinfer::formats {
namespace {

using graph::Graph;
using nlohmann::json;

Graph graph_with(const std::string& signature) {
  Graph graph = parse_symbol(test::channel_means_json()).graph;
  graph.attrs[kSignatureAttribute] = {"str", json(signature).dump()};
  return graph;
}

// The symbol with keys beside "nodes".
Graph graph_with_keys(const std::string& keys) {
  const std::string text = test::channel_means_json();
  const ParsedSymbol symbol = parse_symbol(text.substr(0, text.rfind('}')) + ", " + keys + "}");
  EXPECT_TRUE(symbol.warnings.empty());
  return symbol.graph;
}

FileSignature every_field() {
  FileSignature file;
  file.signature.inputs = {
      {"data", {-1, -1, -1, 3}, DType::uint8, "NHWC", Meaning::image},
      {"path", {-1}, DType::uint8, "", Meaning::image_path},
      {"word", {-1, -1}, DType::uint8, "", Meaning::text, false, false, true},
      {"age", {-1}, DType::float32, "", Meaning::unspecified, false, false, true},
  };
  file.signature.outputs = {{"scores", {-1, 5}, DType::float32, "", Meaning::scores},
                            {"ids", {-1, 5}, DType::float32, "", Meaning::ids},
                            {"unknown", {}, DType::float16}};
  file.network = Signature{{{"data", {-1, 3, 224, 224}, DType::float32, "NCHW"}}, {{"fc", {-1, 10}}}};
  file.labels = {"cat", "a \"quoted\" d\xc3\xb6g", "", "tab\t"};
  file.transforms = R"({"data":[{"op":"resize","size":[224,224]}]})";
  file.post = R"([{"k":5,"op":"top_k"}])";
  file.unknown_keys = {{"author", R"({"name":"nobody"})"}};
  return file;
}

void expect_equal(const std::vector<DataDesc>& a, const std::vector<DataDesc>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].shape, b[i].shape) << a[i].name;
    EXPECT_EQ(a[i].dtype, b[i].dtype) << a[i].name;
    EXPECT_EQ(a[i].layout, b[i].layout) << a[i].name;
    EXPECT_EQ(a[i].meaning, b[i].meaning) << a[i].name;
    EXPECT_EQ(a[i].is_nullable, b[i].is_nullable) << a[i].name;
  }
}

void expect_equal(const FileSignature& a, const FileSignature& b) {
  expect_equal(a.signature.inputs, b.signature.inputs);
  expect_equal(a.signature.outputs, b.signature.outputs);
  ASSERT_EQ(a.network.has_value(), b.network.has_value());
  if (a.network) {
    expect_equal(a.network->inputs, b.network->inputs);
    expect_equal(a.network->outputs, b.network->outputs);
  }
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.transforms, b.transforms);
  EXPECT_EQ(a.post, b.post);
  EXPECT_EQ(a.unknown_keys, b.unknown_keys);
}

TEST(SignatureJson, WhatIsWrittenIsRead) {
  Graph graph = parse_symbol(test::channel_means_json()).graph;
  EXPECT_FALSE(read_signature(graph));
  write_signature(graph, every_field());
  // Through the text of the symbol file too.
  const ParsedSymbol again = parse_symbol(write_symbol(graph));
  EXPECT_TRUE(again.warnings.empty());
  const auto file = read_signature(again.graph);
  ASSERT_TRUE(file);
  expect_equal(*file, every_field());
  EXPECT_FALSE(file->inputs_by_name || file->outputs_by_name);
  EXPECT_EQ(signature_text(*file), signature_text(every_field()));
}

// MXNet's parser knows no escapes but \" \\ \n \t \r.
TEST(SignatureJson, SymbolFileKeepsToTheEscapesOfMxnet) {
  Graph graph = parse_symbol(test::channel_means_json()).graph;
  FileSignature file = every_field();
  file.labels.push_back(std::string("\x01\x1f\b\f\n"));
  write_signature(graph, file);
  const std::string text = graph.attrs.at(kSignatureAttribute).second;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '\\') continue;
    ++i;
    EXPECT_TRUE(text[i] == '"' || text[i] == '\\') << text.substr(i - 1, 8);
  }
  EXPECT_EQ(read_signature(graph)->labels.back(), file.labels.back());
}

TEST(SignatureJson, NullableIsWrittenIfItIsTrue) {
  const json inputs = json::parse(signature_text(every_field())).at("inputs");
  EXPECT_FALSE(inputs.at(0).contains("nullable"));
  EXPECT_EQ(inputs.at(2).at("nullable"), true);
  EXPECT_EQ(inputs.at(2).at("meaning"), "text");
}

TEST(SignatureJson, MeaningsHaveNames) {
  for (const char* name :
       {"", "image", "encoded_image", "image_path", "scores", "ids", "boxes", "text", "landmarks"}) {
    ASSERT_TRUE(meaning_named(name).has_value()) << name;
    EXPECT_STREQ(to_string(*meaning_named(name)), name);
  }
  const auto file = parse_signature(
      R"({"version": 1, "inputs": [{"name": "a"}], "outputs": [{"name": "b", "meaning": "landmarks"}]})");
  EXPECT_EQ(file.signature.outputs[0].meaning, Meaning::landmarks);
}

TEST(SignatureJson, DtypesAndLayoutsMayBeSpelledOtherwise) {
  const auto file = parse_signature(
      R"({"version": 1, "inputs": [{"name": "a", "shape": [-1, 3, 4, 4], "dtype": "half", "layout": "nhwc"}],
          "outputs": [{"name": "b", "dtype": "float"}]})");
  EXPECT_EQ(file.signature.inputs[0].dtype, DType::float16);
  EXPECT_EQ(file.signature.inputs[0].layout, "NHWC");
  const std::string written = signature_text(file);
  EXPECT_NE(written.find("\"float16\""), std::string::npos) << written;
  EXPECT_EQ(written.find("half"), std::string::npos) << written;
}

TEST(SignatureJson, FieldsHaveDefaults) {
  const auto file = parse_signature(R"({"version": 1, "inputs": [{"name": "a"}], "outputs": [{"name": "b",
      "shape": [-1, 2], "future": 1}]})");
  expect_equal(file.signature.inputs, {{"a", {}}});
  expect_equal(file.signature.outputs, {{"b", {-1, 2}}});
  EXPECT_FALSE(file.network);
  EXPECT_TRUE(file.labels.empty());
  EXPECT_TRUE(file.transforms.empty());
}

TEST(SignatureJson, DesignDocumentNamesAndShapes) {
  const auto file = read_signature(
      graph_with_keys(R"("inputs": {"data": [1, 3, 0, -1]}, "outputs": {"b": [1, 3], "a": [1, 2]})"));
  ASSERT_TRUE(file);
  expect_equal(file->signature.inputs, {{"data", {1, 3, -1, -1}}});
  expect_equal(file->signature.outputs, {{"a", {1, 2}}, {"b", {1, 3}}});
  EXPECT_TRUE(file->inputs_by_name && file->outputs_by_name);
}

TEST(SignatureJson, DesignDocumentObjects) {
  const auto file = read_signature(graph_with_keys(
      R"("inputs": {"data": {"shape": [-1, 4, 4, 3], "dtype": "uint8", "layout": "NHWC", "meaning": "image"}},
         "outputs": [{"name": "z", "shape": [-1, 3]}, {"name": "a", "shape": [-1, 2], "dtype": "int32"}])"));
  ASSERT_TRUE(file);
  expect_equal(file->signature.inputs, {{"data", {-1, 4, 4, 3}, DType::uint8, "NHWC", Meaning::image}});
  expect_equal(file->signature.outputs, {{"z", {-1, 3}}, {"a", {-1, 2}, DType::int32}});
  EXPECT_TRUE(file->inputs_by_name);
  EXPECT_FALSE(file->outputs_by_name);
}

TEST(SignatureJson, DesignDocumentMayStateOneSide) {
  const auto file = read_signature(graph_with_keys(R"("inputs": {"data": [1, 3, 4, 4]})"));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->states_inputs);
  EXPECT_FALSE(file->states_outputs);
}

TEST(SignatureJson, AttributeReplacesTheFormOfTheDesignDocument) {
  Graph graph = graph_with_keys(R"("inputs": {"data": [1, 3, 4, 4]}, "outputs": {"flat": [1, 3]})");
  FileSignature file = *read_signature(graph);
  file.signature.inputs[0].shape = {-1, 3, 4, 4};
  write_signature(graph, file);
  EXPECT_TRUE(graph.unknown_keys.empty());
  EXPECT_EQ(read_signature(graph)->signature.inputs[0].shape, (Shape{-1, 3, 4, 4}));
}

TEST(SignatureJson, NewerVersionSaysWhichIsKnown) {
  EXPECT_MXINFER_ERROR(read_signature(graph_with(R"({"version": 2, "inputs": "nobody knows"})")),
                       ErrorCode::unsupported,
                       {"mxinfer_signature", "\"version\" is 2", "up to version 1", "update mxinfer"});
}

void expect_refused(const std::string& text, const std::vector<std::string>& facts) {
  EXPECT_MXINFER_ERROR(read_signature(graph_with(text)), ErrorCode::malformed, facts);
}

std::string with_input(const std::string& input) {
  return R"({"version": 1, "outputs": [{"name": "o"}], "inputs": [)" + input + "]}";
}

TEST(SignatureJson, RefusesAndSaysWhy) {
  expect_refused("", {"mxinfer_signature", "not JSON"});
  expect_refused("[]", {"it is array []", "an object"});
  expect_refused("{}", {"\"version\" is missing"});
  expect_refused(R"({"version": "1"})", {"\"version\" is string", "a whole number"});
  expect_refused(R"({"version": 0})", {"\"version\" is number 0", "from 1"});
  expect_refused(R"({"version": 1, "outputs": []})", {"\"inputs\" is missing"});
  expect_refused(R"({"version": 1, "inputs": []})", {"\"outputs\" is missing"});
  expect_refused(R"({"version": 1, "inputs": [], "outputs": []})", {"\"outputs\" is empty"});
  expect_refused(R"({"version": 1, "inputs": {}, "outputs": []})", {"\"inputs\" is object {}", "a list"});
  expect_refused(R"({"version": 1, "version": 1})", {"\"version\" appears twice"});
  expect_refused(with_input("3"), {"\"inputs\"[0]", "number 3", "an object"});
  expect_refused(with_input("{}"), {"\"inputs\"[0]", "\"name\" is missing"});
  expect_refused(with_input(R"({"name": 1})"), {"\"name\" is number 1", "text"});
  expect_refused(with_input(R"({"name": ""})"), {"\"name\" is empty"});
  expect_refused(with_input(R"({"name": "a"}, {"name": "a"})"), {"two entries named 'a'"});
  expect_refused(with_input(R"({"name": "a", "shape": 3})"), {"'a'", "\"shape\" is number 3", "a list"});
  expect_refused(with_input(R"({"name": "a", "shape": [1.5]})"), {"dimension 0", "number 1.5", "-1"});
  expect_refused(with_input(R"({"name": "a", "shape": [1, -2]})"), {"dimension 1", "number -2", "-1"});
  expect_refused(with_input(R"({"name": "a", "shape": [18446744073709551615]})"), {"dimension 0"});
  expect_refused(with_input(R"({"name": "a", "shape": [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]})"), {"17", "16"});
  expect_refused(with_input(R"({"name": "a", "dtype": "float31"})"), {"\"dtype\"", "float31", "float32"});
  expect_refused(with_input(R"({"name": "a", "dtype": 0})"), {"\"dtype\" is number 0"});
  expect_refused(with_input(R"({"name": "a", "layout": "n,c,h,w"})"), {"\"layout\"", "n,c,h,w", "NCHW"});
  expect_refused(with_input(R"({"name": "a", "layout": "NCHW", "shape": [1, 2]})"), {"NCHW", "(1, 2)"});
  expect_refused(with_input(R"({"name": "a", "meaning": "picture"})"), {"picture", "encoded_image"});
  expect_refused(with_input(R"({"name": "a", "meaning": "image", "shape": [-1, 2]})"), {"image", "(-1, 2)"});
  expect_refused(with_input(R"({"name": "a", "nullable": 1})"),
                 {"\"nullable\" is number 1", "true or false"});
  expect_refused(with_input(R"({"name": "a", "meaning": "text", "dtype": "uint8", "shape": [-1]})"),
                 {"text", "(-1,)", "(-1, -1)"});
  expect_refused(with_input(R"({"name": "a", "meaning": "image_path", "shape": [-1]})"),
                 {"image_path", "float32", "uint8"});
  expect_refused(R"({"version": 1, "inputs": [], "outputs": [{"name": "o"}], "labels": "cat"})",
                 {"\"labels\" is string"});
  expect_refused(R"({"version": 1, "inputs": [], "outputs": [{"name": "o"}], "labels": ["cat", 2]})",
                 {"\"labels\"[1] is number 2", "text"});
  expect_refused(R"({"version": 1, "inputs": [], "outputs": [{"name": "o"}], "network": {"inputs": []}})",
                 {"\"network\"", "\"outputs\" is missing"});
  expect_refused(R"({"version": 1, "inputs": [], "outputs": [{"name": "o"}], "post": 1})",
                 {"\"post\" is number 1"});
}

TEST(SignatureJson, RefusesAnAttributeThatIsNoText) {
  Graph graph = parse_symbol(test::channel_means_json()).graph;
  graph.attrs[kSignatureAttribute] = {"int", "3"};
  EXPECT_MXINFER_ERROR(read_signature(graph), ErrorCode::malformed, {"\"int\"", "number 3", "\"str\""});
}

TEST(SignatureJson, RefusesBrokenKeysOfTheDesignDocument) {
  EXPECT_MXINFER_ERROR(read_signature(graph_with_keys(R"("inputs": 3)")), ErrorCode::malformed,
                       {"\"inputs\" is number 3", "from names to shapes"});
  EXPECT_MXINFER_ERROR(read_signature(graph_with_keys(R"json("inputs": {"data": "(1, 2)"})json")),
                       ErrorCode::malformed, {"'data'", "string", "a shape"});
  EXPECT_MXINFER_ERROR(read_signature(graph_with_keys(R"("outputs": {})")), ErrorCode::malformed, {"empty"});
}

TEST(SignatureJson, WritesNothingThatItWouldNotRead) {
  Graph graph = parse_symbol(test::channel_means_json()).graph;
  const auto write = [&](auto change) {
    FileSignature file = every_field();
    change(file);
    write_signature(graph, file);
  };
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.labels = {"\xff"}; }), ErrorCode::invalid_argument,
                       {"UTF-8"});
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.signature.inputs[0].name = "\xff"; }),
                       ErrorCode::invalid_argument, {"UTF-8"});
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.signature.inputs[1].name = "data"; }),
                       ErrorCode::invalid_argument, {"two entries named 'data'"});
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.signature.inputs[0].layout = "NC"; }),
                       ErrorCode::invalid_argument, {"'data'", "\"NC\""});
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.signature.outputs.clear(); }), ErrorCode::invalid_argument,
                       {"\"outputs\" is empty"});
  EXPECT_MXINFER_ERROR(write([](auto& file) { file.network->outputs[0].shape = {-3}; }),
                       ErrorCode::invalid_argument, {"\"network\"", "(-3,)"});
  EXPECT_EQ(graph.attrs.count(kSignatureAttribute), 0u);
}

}  // namespace
}  // namespace mxinfer::formats
