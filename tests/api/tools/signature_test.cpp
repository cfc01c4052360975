// Signatures in files: what they change when a model is loaded, and what must not contradict the network.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/expect_error.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using Json = nlohmann::json;
using test::load_json;
using test::tensor_of;

std::string with_signature(const std::string& symbol, const Json& signature) {
  Json graph = Json::parse(symbol);
  graph["attrs"]["mxinfer_signature"] = {"str", signature.dump()};
  return graph.dump();
}

Json desc(const std::string& name, const Json& shape, const std::string& dtype = "float32",
          const std::string& layout = "", const std::string& meaning = "") {
  return {{"name", name}, {"shape", shape}, {"dtype", dtype}, {"layout", layout}, {"meaning", meaning}};
}

Json signature_of(const Json& inputs, const Json& outputs) {
  return {{"version", 1}, {"inputs", inputs}, {"outputs", outputs}};
}

std::string means_with(const Json& input, const Json& output) {
  return with_signature(test::channel_means_json(""),
                        signature_of(Json::array({input}), Json::array({output})));
}

std::string two_with(const Json& inputs, const Json& outputs) {
  return with_signature(test::two_inputs_json(), signature_of(inputs, outputs));
}

// One operator over (N, 4), with a label if it trains.
std::string softmax_json(const std::string& op, const std::string& attrs = "{}", bool label = false) {
  return R"json({"nodes": [{"op": "null", "name": "x", "inputs": [], "attrs": {"__shape__": "(0, 4)"}},
    {"op": "null", "name": "label", "inputs": []},
    {"op": ")json" +
         op + R"json(", "name": "s", "attrs": )json" + attrs + R"json(, "inputs": [[0, 0, 0])json" +
         (label ? ", [1, 0, 0]" : "") + R"json(]}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(Signature, OfTheFileDescribesTheModel) {
  Json signature = signature_of(Json::array({desc("data", {-1, 3, 4, 6}, "float32", "NCHW", "image")}),
                                Json::array({desc("means", {-1, 3}, "float32", "NC", "scores")}));
  signature["labels"] = {"red", "green", "blue"};
  const auto model = load_json(with_signature(test::channel_means_json(""), signature));
  const DataDesc& input = model.signature().inputs.at(0);
  EXPECT_EQ(to_string(input), "data float32 (-1, 3, 4, 6) NCHW image");
  EXPECT_EQ(to_string(model.signature().outputs.at(0)), "means float32 (-1, 3) NC scores");
  EXPECT_EQ(model.labels(), (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_TRUE(model.warnings().empty());
  // It is the name of the output, and arrays must fit.
  const Predictor predictor(model);
  const Tensor good(DType::float32, {2, 3, 4, 6}), wide(DType::float32, {2, 3, 4, 7});
  EXPECT_EQ(predictor.predict({{"data", good.view()}}).at("means").shape(), (Shape{2, 3}));
  EXPECT_MXINFER_ERROR(predictor.predict({wide}), ErrorCode::invalid_argument,
                       {"'data'", "(2, 3, 4, 7)", "(-1, 3, 4, 6)"});
}

TEST(Signature, OrdersTheInputs) {
  const auto model = load_json(two_with(Json::array({desc("b", {-1, 3}), desc("a", {-1, 3})}),
                                        Json::array({desc("sum_output", {-1, 3}), desc("twice", {-1, 3})})));
  EXPECT_EQ(model.signature().inputs.at(0).name, "b");
  EXPECT_EQ(model.signature().outputs.at(1).name, "twice");
  const Tensor b = tensor_of<float>({1, 3}, {10, 20, 30});
  const Tensor a = tensor_of<float>({1, 3}, {1, 2, 3});
  const auto outputs = Predictor(model).predict({b, a});
  EXPECT_EQ(outputs[0].data<float>()[2], 33);
  EXPECT_EQ(outputs[1].data<float>()[2], 6);  // a * 2
}

TEST(Signature, OfTheCallerGoesFirst) {
  const std::string text = means_with(desc("data", {-1, 3, 4, 6}, "float32", "NCHW", "image"),
                                      desc("means", {1, 3}, "float32", "", "scores"));
  LoadOptions options;
  options.inputs = {{"data", {-1, 3, 8, 8}}};
  options.labels = {"r", "g", "b"};
  Json signature = Json::parse(Json::parse(text)["attrs"]["mxinfer_signature"][1].get<std::string>());
  signature["outputs"][0]["shape"] = {-1, 3};
  signature["labels"] = {"x", "y", "z"};
  const auto model = load_json(with_signature(text, signature), options);
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, 3, 8, 8) image");
  EXPECT_EQ(to_string(model.signature().outputs.at(0)), "means float32 (-1, 3) scores");
  EXPECT_EQ(model.labels(), options.labels);
  options.inputs[0].name = "nobody";
  EXPECT_MXINFER_ERROR(load_json(text, options), ErrorCode::invalid_argument, {"'nobody'", "'data'"});
}

TEST(Signature, InnerOutputsAreDescribedByTheNetwork) {
  LoadOptions options;
  options.outputs = {"double_output"};
  const auto model = load_json(two_with(Json::array({desc("b", {-1, 3}), desc("a", {-1, 3})}),
                                        Json::array({desc("first", {-1, 3}), desc("second", {-1, 3})})),
                               options);
  ASSERT_EQ(model.signature().inputs.size(), 1u);
  EXPECT_EQ(model.signature().inputs[0].name, "a");
  ASSERT_EQ(model.signature().outputs.size(), 1u);
  EXPECT_EQ(model.signature().outputs[0].name, "double_output");
}

void expect_contradiction(const std::string& text, const std::vector<std::string>& facts) {
  EXPECT_MXINFER_ERROR(load_json(text), ErrorCode::malformed, facts);
}

TEST(Signature, ContradictionsAreNamed) {
  const Json data = desc("data", {-1, 3, 4, 6}), flat = desc("flat_output", {-1, 3});
  expect_contradiction(means_with(desc("image", {-1, 3, 4, 6}), flat),
                       {"input 'image'", "does not have", "'data'", "mxinfer sign --replace"});
  expect_contradiction(means_with(data, desc("flat_output", {-1, 4})),
                       {"'flat_output'", "(-1, 4)", "'data' float32 (1, 3, 4, 6)", "gives float32 (1, 3)"});
  expect_contradiction(means_with(data, desc("flat_output", {1, 3})), {"(1, 3)", "gives float32 (2, 3)"});
  expect_contradiction(means_with(data, desc("flat_output", {-1, 3, 1})), {"(-1, 3, 1)"});
  expect_contradiction(means_with(data, desc("flat_output", {-1, 3}, "int32")),
                       {"int32 (-1, 3)", "gives float32 (1, 3)"});
  // A batch that is fixed is one.
  EXPECT_EQ(load_json(means_with(desc("data", {1, 3, 4, 6}), desc("flat_output", {1, 3})))
                .signature()
                .outputs.at(0)
                .shape,
            (Shape{1, 3}));
  expect_contradiction(means_with(desc("data", {-1, 3}), flat),
                       {"does not accept", "'data' float32 (1, 3)", "node 'pool' (Pooling)"});
}

TEST(Signature, WarnsWhereOpenSizesKeepItFromBeingChecked) {
  const Json a = desc("a", {-1, -1, 3}), b = desc("b", {-1, -1, 4});
  const auto model =
      load_json(two_with(Json::array({a, b}), Json::array({desc("x", {-1, -1, 3}), desc("y", {-1, -1, 3})})));
  ASSERT_EQ(model.warnings().size(), 1u);
  EXPECT_NE(model.warnings()[0].find("could not be checked"), std::string::npos);
}

TEST(Signature, ContradictionsInNamesAndCountsAreNamed) {
  const Json a = desc("a", {-1, 3}), b = desc("b", {-1, 3});
  const Json sum = desc("sum_output", {-1, 3}), twice = desc("double_output", {-1, 3});
  expect_contradiction(two_with(Json::array({a}), Json::array({sum, twice})), {"'b'", "does not state"});
  expect_contradiction(two_with(Json::array({a, b, desc("c", {-1})}), Json::array({sum, twice})),
                       {"'c'", "'a', 'b'"});
  expect_contradiction(two_with(Json::array({a, b}), Json::array({sum})),
                       {"1 output;", "has 2", "'sum_output', 'double_output'"});
  expect_contradiction(two_with(Json::array({a, b}), Json::array({twice, sum})),
                       {"'double_output' as output 0", "'sum_output'"});
  expect_contradiction(two_with(Json::array({a, desc("b", {-1, 4})}), Json::array({sum, twice})),
                       {"does not accept", "'b' float32 (1, 4)", "elemwise_add"});
}

TEST(Signature, ShapesThatAreLeftOutAreFilledIn) {
  Json output = desc("out", Json::array(), "float32", "", "scores");
  output.erase("shape");
  const auto model = load_json(means_with(desc("data", {-1, 3, -1, -1}), output));
  EXPECT_EQ(to_string(model.signature().outputs.at(0)), "out float32 (-1, 3) scores");
  EXPECT_EQ(model.signature().inputs.at(0).shape, (Shape{-1, 3, -1, -1}));
}

TEST(Signature, OfTheDesignDocument) {
  Json graph = Json::parse(test::two_inputs_json());
  graph["inputs"] = {{"a", {-1, 3}}, {"b", {-1, 3}}};
  graph["outputs"] = {{"sum", {-1, 3}}, {"double_output", {-1, 3}}};
  const auto model = load_json(graph.dump());
  EXPECT_TRUE(model.warnings().empty());
  EXPECT_EQ(model.signature().outputs.at(0).name, "sum");
  EXPECT_EQ(model.signature().outputs.at(1).name, "double_output");
  graph["outputs"] = {{"nobody", {-1, 3}}, {"double_output", {-1, 3}}};
  expect_contradiction(graph.dump(), {"'sum_output'", "does not state"});
  graph.erase("outputs");
  EXPECT_EQ(load_json(graph.dump()).signature().outputs.at(0).name, "sum_output");
}

// data, times 2, then the network, times 10.
constexpr const char* kWithTransforms = R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "_mul_scalar", "name": "data_scale", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "identity", "name": "data_batchify", "inputs": [[1, 0, 0]], "attrs":
      {"__mxinfer_connector__": "batchify", "__mxinfer_index__": "0", "__mxinfer_name__": "data"}},
    {"op": "_mul_scalar", "name": "net", "attrs": {"scalar": "10"}, "inputs": [[2, 0, 0]]}],
    "arg_nodes": [0], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";

TEST(Signature, OfTheNetworkAppliesWithoutTransforms) {
  Json signature = signature_of(Json::array({desc("data", {-1, 3}, "uint8")}),
                                Json::array({desc("net_output", {-1, 3}, "uint8")}));
  LoadOptions bare;
  bare.load_transforms = false;
  const std::string without = with_signature(kWithTransforms, signature);
  EXPECT_EQ(load_json(without).signature().inputs.at(0).dtype, DType::uint8);
  // Neither file nor caller says what the network alone takes: it is guessed.
  EXPECT_EQ(load_json(without, bare).signature().inputs.at(0).dtype, DType::float32);
  signature["network"] = {{"inputs", {desc("data", {-1, 4})}}, {"outputs", {desc("bare", {-1, 4})}}};
  const std::string with = with_signature(kWithTransforms, signature);
  const auto model = load_json(with, bare);
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, 4)");
  EXPECT_EQ(model.signature().outputs.at(0).name, "bare");
  EXPECT_EQ(load_json(with).signature().outputs.at(0).name, "net_output");
  // If there is nothing to leave off, it is the same with both.
  const std::string plain = means_with(desc("data", {-1, 3, 4, 6}), desc("means", {-1, 3}));
  EXPECT_EQ(load_json(plain, bare).signature().outputs.at(0).name, "means");
}

TEST(Signature, BrokenOneSaysWhere) {
  expect_contradiction(means_with(desc("data", {-1, 3}, "float31"), desc("o", {-1, 3})),
                       {"(memory)", "mxinfer_signature", "'data'", "\"dtype\"", "float31"});
  Json newer = signature_of(Json::array(), Json::array());
  newer["version"] = 2;
  EXPECT_MXINFER_ERROR(load_json(with_signature(test::channel_means_json(), newer)), ErrorCode::unsupported,
                       {"up to version 1", "update mxinfer"});
}

std::string image_json(const std::string& op, const std::string& attrs, const std::string& hints = "{}") {
  return R"json({"nodes": [{"op": "null", "name": "data", "inputs": [], "attrs": )json" + hints +
         R"json(}, {"op": ")json" + op + R"json(", "name": "t", "attrs": )json" + attrs +
         R"json(, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(Signature, GuessesImagesInFrontOfTheirOperators) {
  const auto input = [](const std::string& text) {
    return to_string(load_json(text).signature().inputs.at(0));
  };
  EXPECT_EQ(input(image_json("_image_to_tensor", "{}")), "data uint8 (-1, -1, -1, 3) NHWC image");
  EXPECT_EQ(input(image_json("_image_resize", R"json({"size": "(8, 8)"})json")),
            "data uint8 (-1, -1, -1, 3) NHWC image");
  EXPECT_EQ(input(image_json("_image_to_tensor", "{}",
                             R"json({"__dtype__": "0", "__shape__": "(1, 5, 6, 1)"})json")),
            "data float32 (-1, 5, 6, 1) NHWC image");
}

TEST(Signature, GuessesScoresOfASoftmax) {
  const auto meaning = [](const std::string& text) {
    return load_json(text).signature().outputs.at(0).meaning;
  };
  EXPECT_EQ(meaning(softmax_json("softmax")), Meaning::scores);
  EXPECT_EQ(meaning(softmax_json("SoftmaxOutput", "{}", true)), Meaning::scores);
  EXPECT_EQ(meaning(softmax_json("softmax", R"json({"axis": "0"})json")), Meaning::unspecified);
  EXPECT_EQ(meaning(softmax_json("log_softmax")), Meaning::unspecified);
  EXPECT_EQ(load_json(test::channel_means_json()).signature().inputs.at(0).meaning, Meaning::unspecified);
}

}  // namespace
}  // namespace mxinfer
