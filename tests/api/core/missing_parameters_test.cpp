// Parameters that have no value: the message names arrays of the file that could be meant.
#include <gtest/gtest.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/inspect.h>

#include "support/expect_error.h"
#include "support/files/params_writer.h"

namespace mxinfer::test {
namespace {

using StoredArrays = std::vector<std::pair<std::string, Dims>>;

std::vector<std::byte> params_of(const StoredArrays& arrays) {
  ParamsWriter writer;
  for (const auto& [name, dims] : arrays) {
    std::int64_t count = 1;
    for (const std::int64_t dim : dims) count *= dim;
    writer.add(name,
               dense_v2(DType::float32, dims, floats(std::vector<float>(static_cast<std::size_t>(count)))));
  }
  return writer.finish();
}

Model load_with(const std::string& json, const StoredArrays& arrays) {
  const std::vector<std::byte> bytes = params_of(arrays);
  return Model::load_memory(Span<const char>(json), ByteSpan(bytes.data(), bytes.size()));
}

/// A variable for each parameter of a node that reads "data" first.
std::string one_node(const std::string& op, const std::string& attrs,
                     const std::vector<std::string>& parameters) {
  std::string nodes = R"json({"op": "null", "name": "data", "inputs": []})json", inputs = "[0, 0, 0]";
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    nodes += R"json(, {"op": "null", "name": ")json" + parameters[i] + R"json(", "inputs": []})json";
    inputs += ", [" + std::to_string(i + 1) + ", 0, 0]";
  }
  return R"json({"nodes": [)json" + nodes + R"json(, {"op": ")json" + op +
         R"json(", "name": "node", "attrs": {)json" + attrs + R"json(}, "inputs": [)json" + inputs +
         R"json(]}], "arg_nodes": [0], "heads": [[)json" + std::to_string(parameters.size() + 1) +
         R"json(, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

// An LSTM of 3 cells takes 4 * 3 * (n + 3 + 2) numbers for steps of n elements: 120 for 5.
TEST(MissingParameters, OfAnRnnAreFoundByTheirCount) {
  const std::string json = one_node("RNN", R"json("mode": "lstm", "state_size": "3", "num_layers": "1")json",
                                    {"Nodes", "begin", "begin_cell"});
  const StoredArrays arrays = {{"arg:begin", {1, 1, 3}},
                               {"arg:begin_cell", {1, 1, 3}},
                               {"fixedarray:.Nodes.4:FusedWeights", {120}},
                               {"fixedarray:.Nodes.5:Other", {121}}};
  EXPECT_MXINFER_ERROR(load_with(json, arrays), ErrorCode::malformed,
                       {"'Nodes' (parameters of node 'node' (RNN))",
                        "'fixedarray:.Nodes.4:FusedWeights' float32 (120,) has the size of 'Nodes';",
                        "named 'arg:Nodes'", "docs/reference/model-format.md", "input_names"});
}

TEST(MissingParameters, AreFoundByShapeAndByTheEndOfTheName) {
  const std::string json =
      one_node("FullyConnected", R"json("num_hidden": "2")json", {"fc1_weight", "fc1_bias"});
  const StoredArrays arrays = {{"arg:data2", {7}},        {"dense/a", {2, 5}}, {"dense/fc_weight", {2, 3}},
                               {"dense/fc_bias", {2}},    {"dense/c", {5, 2}}, {"arg:fc1", {1}},
                               {"arg:unused_weight", {3}}};
  EXPECT_MXINFER_ERROR(
      load_with(json,
                [&] {
                  StoredArrays all = arrays;
                  all.emplace_back("arg:data", Dims{1, 3});
                  return all;
                }()),
      ErrorCode::malformed,
      {"2 parameters have no value",
       "'dense/fc_weight' float32 (2, 3) or 'dense/a' float32 (2, 5) has the size of 'fc1_weight'",
       "; 'dense/fc_bias' float32 (2,) has the size of 'fc1_bias';"});
}

TEST(MissingParameters, OfConvolutionsAndNormalizations) {
  const std::string convolution = one_node(
      "Convolution", R"json("num_filter": "4", "kernel": "(3, 1)", "no_bias": "True")json", {"weight"});
  EXPECT_MXINFER_ERROR(
      load_with(convolution, {{"arg:data", {1, 2, 5, 5}}, {"w", {4, 2, 3, 1}}, {"v", {4, 2, 1, 3}}}),
      ErrorCode::malformed, {"'w' float32 (4, 2, 3, 1) has the size of 'weight';"});
  const std::string norm = one_node("BatchNorm", "", {"gamma", "beta", "mean", "var"});
  EXPECT_MXINFER_ERROR(
      load_with(norm, {{"gamma", {3}}, {"beta", {3}}, {"mean", {3}}, {"a", {3}}, {"b", {4}}}),
      ErrorCode::malformed, {"'a' float32 (3,) has the size of 'var';"});
}

TEST(MissingParameters, WithoutAnythingOfTheirSizeSayNoMore) {
  const std::string json =
      one_node("FullyConnected", R"json("num_hidden": "2", "no_bias": "True")json", {"weight"});
  try {
    (void)load_with(json, {{"arg:data", {1, 3}}, {"other", {3, 2}}});
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("unused arrays"), std::string::npos) << e.what();
  }
}

TEST(MissingParameters, AreInReportsToo) {
  const std::string json =
      one_node("FullyConnected", R"json("num_hidden": "2", "no_bias": "True")json", {"weight"});
  const std::vector<std::byte> bytes = params_of({{"arg:data", {1, 3}}, {"W", {2, 3}}});
  const Inspection report = inspect_memory(Span<const char>(json), ByteSpan(bytes.data(), bytes.size()));
  EXPECT_EQ(report.missing_parameters, std::vector<std::string>{"weight"});
  bool found = false;
  for (const std::string& warning : report.warnings)
    found = found || warning.find("'W' float32 (2, 3) has the size of 'weight'") != std::string::npos;
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace mxinfer::test
