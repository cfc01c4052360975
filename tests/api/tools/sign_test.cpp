// Signing: what is written is what is loaded, and nothing is written that could not be loaded.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::kDigits;
using test::TempDir;

SignOptions to(const std::string& prefix) {
  SignOptions options;
  options.output_prefix = prefix;
  return options;
}

SignOptions in_place() {
  SignOptions options;
  options.in_place = true;
  return options;
}

Json signature_in(const std::string& symbol_path) {
  const Json symbol = Json::parse(test::read_file(symbol_path));
  return Json::parse(symbol.at("attrs").at("mxinfer_signature").at(1).get<std::string>());
}

TEST(Sign, InfersAndWritesAModelThatComputesTheSame) {
  const TempDir dir;
  SignOptions options = to(dir / "signed");
  options.outputs = {{"output", {}}};
  const auto outputs = Model::load(kDigits).signature().outputs;
  options.outputs[0].name = outputs.at(0).name;
  options.outputs[0].meaning = Meaning::scores;
  const SignedModel made = sign_model(kDigits, options);
  EXPECT_EQ(made.symbol_path, dir / "signed-symbol.json");
  EXPECT_EQ(made.labels.size(), 10u);
  EXPECT_TRUE(fs::exists(made.params_path));

  const auto model = Model::load(dir / "signed");
  EXPECT_TRUE(inspect_model(dir / "signed").signature_from_file);
  EXPECT_FALSE(inspect_model(kDigits).signature_from_file);
  EXPECT_EQ(model.labels(), made.labels);
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, 1, 32, 32)");
  EXPECT_EQ(model.signature().outputs.at(0).meaning, Meaning::scores);
  const Tensor data = test::random_tensor({2, 1, 32, 32}, 5, 0, 255);
  const auto before = Predictor(kDigits).predict({data});
  const auto after = Predictor(model).predict({data});
  const auto a = before[0].span<float>(), b = after[0].span<float>();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TEST(Sign, InPlaceReplacesOneFile) {
  const TempDir dir;
  const std::string symbol = dir.write("means-symbol.json", test::channel_means_json());
  SignOptions options = in_place();
  options.inputs = {{"data", {-1, 3, 4, 6}, DType::float32, "NCHW", Meaning::image}};
  options.outputs = {{"means", {}}};
  options.labels = {"r", "g", "b"};
  sign_model(dir / "means", options);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), fs::directory_iterator()), 1);
  const auto model = Model::load(dir / "means");
  EXPECT_EQ(to_string(model.signature().inputs.at(0)), "data float32 (-1, 3, 4, 6) NCHW image");
  EXPECT_EQ(to_string(model.signature().outputs.at(0)), "means float32 (-1, 3)");
  EXPECT_EQ(model.labels(), options.labels);

  // Signing again keeps what is not given, unknown keys too, and gives the same bytes.
  const std::string first = test::read_file(symbol);
  sign_model(dir / "means", in_place());
  EXPECT_EQ(test::read_file(symbol), first);
  options = in_place();
  options.outputs = {{"means", {}}};
  options.outputs[0].meaning = Meaning::scores;
  sign_model(dir / "means", options);
  EXPECT_EQ(signature_in(symbol)["outputs"][0]["meaning"], "scores");
  EXPECT_EQ(signature_in(symbol)["inputs"][0]["layout"], "NCHW");
}

TEST(Sign, TakesTheFormOfTheDesignDocumentIntoTheAttribute) {
  const TempDir dir;
  Json graph = Json::parse(test::two_inputs_json());
  graph["inputs"] = {{"b", {-1, 3}}, {"a", {-1, 3}}};
  graph["outputs"] = {{"double", {-1, 3}}, {"sum", {-1, 3}}};
  const std::string symbol = dir.write("m-symbol.json", graph.dump());
  sign_model(dir / "m", in_place());
  const Json written = Json::parse(test::read_file(symbol));
  EXPECT_FALSE(written.contains("inputs") || written.contains("outputs"));
  EXPECT_EQ(signature_in(symbol)["inputs"][0]["name"], "a");
  EXPECT_EQ(signature_in(symbol)["outputs"][0]["name"], "sum");
}

TEST(Sign, RenamesTheOutputsOfTheSample) {
  const TempDir dir;
  Json graph = Json::parse(test::channel_means_json());
  graph["attrs"]["mxinfer_sample"] = {
      "str",
      R"({"version": 1, "inputs": [], "outputs": [{"name": "flat_output", "dtype": "uint8", "shape": [1],
              "data": "AA=="}]})"};
  const std::string symbol = dir.write("m-symbol.json", graph.dump());
  SignOptions options = in_place();
  options.outputs = {{"means", {}}};
  sign_model(dir / "m", options);
  const Json sample =
      Json::parse(Json::parse(test::read_file(symbol))["attrs"]["mxinfer_sample"][1].get<std::string>());
  EXPECT_EQ(sample["outputs"][0]["name"], "means");
}

TEST(Sign, ReplacesABrokenSignature) {
  const TempDir dir;
  Json graph = Json::parse(test::channel_means_json());
  graph["attrs"]["mxinfer_signature"] = {"str", "{}"};
  dir.write("m-symbol.json", graph.dump());
  EXPECT_MXINFER_ERROR(sign_model(dir / "m", in_place()), ErrorCode::malformed, {"\"version\" is missing"});
  SignOptions options = in_place();
  options.replace = true;
  sign_model(dir / "m", options);
  EXPECT_EQ(Model::load(dir / "m").signature().inputs.at(0).shape, (Shape{-1, 3, 4, 6}));
}

TEST(Sign, ReplacingKeepsHowSequencesGoIn) {
  const TempDir dir;
  const std::string symbol = dir.write("m-symbol.json", test::two_inputs_json());
  sign_model(dir / "m", in_place());
  const auto with = [&](const Json& sequence, const char* second = "b") {
    Json graph = Json::parse(test::read_file(symbol));
    Json signature = signature_in(symbol);
    signature["sequence"] = sequence;
    signature["inputs"][1]["name"] = second;
    graph["attrs"]["mxinfer_signature"][1] = signature.dump();
    dir.write("m-symbol.json", graph.dump());
  };
  SignOptions options = in_place();
  options.replace = true;
  const Json good = {{"ids", "b"}, {"buckets", {8, 16}}, {"pad_value", 3.0}};
  with(good);
  EXPECT_TRUE(sign_model(dir / "m", options).warnings.empty());
  EXPECT_EQ(signature_in(symbol)["sequence"], good);
  with({{"ids", "b"}, {"pad_side", "up"}});
  sign_model(dir / "m", options);
  EXPECT_FALSE(signature_in(symbol).contains("sequence"));
  // The network has no such input any more.
  with({{"ids", "c"}}, "c");
  const SignedModel other = sign_model(dir / "m", options);
  EXPECT_FALSE(signature_in(symbol).contains("sequence"));
  ASSERT_EQ(other.warnings.size(), 1u);
  EXPECT_NE(other.warnings[0].find("'c'"), std::string::npos);
}

TEST(Sign, DescribesTheNetworkAloneWhereThereAreTransforms) {
  const TempDir dir;
  const std::string symbol = dir.write("m-symbol.json", R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "data_scale", "attrs": {"scalar": "2"}, "inputs": [[0, 0, 0]]},
    {"op": "identity", "name": "data_batchify", "inputs": [[1, 0, 0]], "attrs":
      {"__mxinfer_connector__": "batchify", "__mxinfer_index__": "0", "__mxinfer_name__": "data"}},
    {"op": "_mul_scalar", "name": "net", "attrs": {"scalar": "10"}, "inputs": [[2, 0, 0]]}],
    "arg_nodes": [0], "heads": [[3, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json");
  sign_model(dir / "m", in_place());
  EXPECT_EQ(signature_in(symbol)["network"]["inputs"][0]["name"], "data");
  LoadOptions bare;
  bare.load_transforms = false;
  EXPECT_EQ(Model::load(dir / "m", bare).signature().inputs.at(0).name, "data");
}

TEST(Sign, RefusesWhatDoesNotFit) {
  const TempDir dir;
  const std::string symbol = dir.write("m-symbol.json", test::two_inputs_json());
  const std::string before = test::read_file(symbol);
  const auto with = [&](auto change) {
    SignOptions options = in_place();
    change(options);
    sign_model(dir / "m", options);
  };
  EXPECT_MXINFER_ERROR(sign_model(dir / "m", SignOptions()), ErrorCode::invalid_argument, {"neither"});
  EXPECT_MXINFER_ERROR(with([](auto& o) { o.output_prefix = "x"; }), ErrorCode::invalid_argument, {"both"});
  EXPECT_MXINFER_ERROR(with([](auto& o) {
                         o.inputs = {{"c", {-1, 3}}};
                       }),
                       ErrorCode::invalid_argument, {"'c'", "'a', 'b'"});
  EXPECT_MXINFER_ERROR(with([](auto& o) {
                         o.inputs = {{"a", {-1, 4}}, {"b", {-1, 3}}};
                       }),
                       ErrorCode::invalid_argument, {"does not accept", "elemwise_add"});
  EXPECT_MXINFER_ERROR(with([](auto& o) {
                         o.outputs = {{"third", {}}};
                       }),
                       ErrorCode::invalid_argument, {"'sum_output', 'double_output'"});
  EXPECT_MXINFER_ERROR(with([](auto& o) {
                         o.outputs = {{"same", {}}, {"same", {}}};
                       }),
                       ErrorCode::invalid_argument, {"two entries named 'same'"});
  EXPECT_MXINFER_ERROR(with([](auto& o) {
                         o.outputs = {{"sum_output", {}}};
                         o.outputs[0].meaning = Meaning::scores;
                         o.labels = {"one", "two"};
                       }),
                       ErrorCode::invalid_argument, {"2 labels", "3 classes"});
  EXPECT_MXINFER_ERROR(with([](auto& o) { o.labels = {"\xff"}; }), ErrorCode::invalid_argument, {"UTF-8"});
  EXPECT_MXINFER_ERROR(sign_model(dir / "m", to(dir / "missing/m")), ErrorCode::invalid_argument,
                       {"missing/m-symbol.json", "cannot be created"});
  EXPECT_MXINFER_ERROR(sign_model(dir / "nobody", in_place()), ErrorCode::not_found, {"nobody"});
  EXPECT_EQ(test::read_file(symbol), before);
}

}  // namespace
}  // namespace mxinfer
