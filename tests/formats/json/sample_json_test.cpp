#include "formats/json/sample_json.h"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/text/base64.h"
#include "formats/json/symbol_json.h"
#include "support/expect_error.h"
#include "support/networks/tiny_models.h"

namespace mxinfer::formats {
namespace {

Span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string decoded(const std::string& text, std::size_t size) {
  std::string out(size, '?');
  from_base64(text, {reinterpret_cast<std::byte*>(out.data()), out.size()});
  return out;
}

// The vectors of RFC 4648.
TEST(Base64, Standard) {
  const std::string texts[] = {"", "f", "fo", "foo", "foob", "fooba", "foobar"};
  const std::string codes[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(to_base64(bytes_of(texts[i])), codes[i]);
    EXPECT_EQ(decoded(codes[i], texts[i].size()), texts[i]);
  }
  EXPECT_EQ(to_base64(bytes_of("\xff\xfe\xfb")), "//77");
}

TEST(Base64, Refuses) {
  EXPECT_MXINFER_ERROR(decoded("Zm8=", 3), ErrorCode::malformed, {"character 3", "'='"});
  EXPECT_MXINFER_ERROR(decoded("Zm9v", 2), ErrorCode::malformed, {"character 3", "'v'", "expected ="});
  EXPECT_MXINFER_ERROR(decoded("Zm9v", 4), ErrorCode::malformed, {"4 characters", "expected 8"});
  EXPECT_MXINFER_ERROR(decoded("Zm-v", 3), ErrorCode::malformed, {"character 2", "'-'"});
}

graph::Graph graph_with_sample(const std::string& sample) {
  graph::Graph graph = parse_symbol(test::channel_means_json()).graph;
  graph.attrs[kSampleAttribute] = {"str", nlohmann::json(sample).dump()};
  return graph;
}

TEST(SampleJson, WhatIsWrittenIsRead) {
  graph::Graph graph = parse_symbol(test::channel_means_json()).graph;
  EXPECT_FALSE(read_sample(graph));
  const float in[] = {1.5f, -0.0f, 3e-40f, 1e30f, 0.1f, 2};
  const std::int64_t out[] = {-1, std::int64_t{1} << 62};
  write_sample(graph, {{"data", TensorView(in, {2, 3})}},
               {{"a", TensorView(out, {2})}, {"b", TensorView(in, {1})}});
  const auto sample = read_sample(parse_symbol(write_symbol(graph)).graph);
  ASSERT_TRUE(sample);
  ASSERT_EQ(sample->inputs.size(), 1u);
  ASSERT_EQ(sample->outputs.size(), 2u);
  EXPECT_EQ(sample->inputs[0].name, "data");
  EXPECT_EQ(sample->inputs[0].tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(std::memcmp(sample->inputs[0].tensor.raw(), in, sizeof in), 0);
  EXPECT_EQ(sample->outputs[0].tensor.dtype(), DType::int64);
  EXPECT_EQ(std::memcmp(sample->outputs[0].tensor.raw(), out, sizeof out), 0);
}

std::string sample_with_input(const std::string& fields) {
  return R"({"version": 1, "outputs": [], "inputs": [{"name": "data", )" + fields + "}]}";
}

TEST(SampleJson, RefusesAndSaysWhy) {
  const auto refused = [](const std::string& text, const std::vector<std::string>& facts) {
    EXPECT_MXINFER_ERROR(read_sample(graph_with_sample(text)), ErrorCode::malformed, facts);
  };
  refused("nonsense", {"mxinfer_sample", "not JSON"});
  refused(R"({"version": 1, "inputs": []})", {"\"outputs\" is missing"});
  refused(sample_with_input(R"("dtype": "x", "shape": [1], "data": "")"), {"\"inputs\"[0]", "\"dtype\""});
  refused(sample_with_input(R"("dtype": "uint8", "shape": [-1], "data": "")"), {"dimension 0", "number -1"});
  refused(sample_with_input(R"("dtype": "uint8", "shape": [4], "data": "Zm9v")"),
          {"\"data\"", "4 characters", "expected 8"});
  refused(sample_with_input(R"("dtype": "uint8", "shape": [16777216, 16777216, 16777216], "data": "")"),
          {"16777216 bytes together"});
  refused(sample_with_input(R"("dtype": "float32", "shape": [4194305], "data": "")"),
          {"16777216 bytes together"});
  EXPECT_MXINFER_ERROR(read_sample(graph_with_sample(R"({"version": 7})")), ErrorCode::unsupported,
                       {"version 1", "update mxinfer"});
}

TEST(SampleJson, StoresNoMoreThanItsLimit) {
  graph::Graph graph = parse_symbol(test::channel_means_json()).graph;
  const Tensor large(DType::uint8, {kSampleByteLimit});
  const Tensor one(DType::uint8, {1});
  EXPECT_MXINFER_ERROR(write_sample(graph, {{"data", large}}, {{"out", one}}), ErrorCode::invalid_argument,
                       {"16777216 bytes together"});
  write_sample(graph, {{"data", large}}, {});
  EXPECT_EQ(read_sample(graph)->inputs[0].tensor.elements(), kSampleByteLimit);
  EXPECT_MXINFER_ERROR(write_sample(graph, {{"a", one}, {"a", one}}, {}), ErrorCode::invalid_argument,
                       {"two arrays named 'a'"});
}

}  // namespace
}  // namespace mxinfer::formats
