// Columns of a table in front of a network: what they compute, what the whole takes, and what is refused.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"
#include "tensor/npy.h"

namespace mxinfer {
namespace {

namespace t = mxinfer::transforms;
using Json = nlohmann::json;
using test::tensor_of;
using E = ErrorCode;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// data (N, features) -> 2 hidden, relu -> 1.
std::string mlp_json(int features) {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, )json" +
         std::to_string(features) + R"json()"}, "inputs": []},
    {"op": "null", "name": "w1", "inputs": []}, {"op": "null", "name": "b1", "inputs": []},
    {"op": "FullyConnected", "name": "hidden", "attrs": {"num_hidden": "2"}, "inputs": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    {"op": "Activation", "name": "act", "attrs": {"act_type": "relu"}, "inputs": [[3, 0, 0]]},
    {"op": "null", "name": "w2", "inputs": []}, {"op": "null", "name": "b2", "inputs": []},
    {"op": "FullyConnected", "name": "score", "attrs": {"num_hidden": "1"}, "inputs": [[4, 0, 0], [5, 0, 0], [6, 0, 0]]}],
    "arg_nodes": [0, 1, 2, 5, 6], "heads": [[7, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

float weight(int hidden, int feature) {
  return 0.25f * static_cast<float>(feature + 1) * (hidden == 0 ? 1.0f : -0.5f);
}

std::vector<std::byte> mlp_params(int features) {
  std::vector<float> w1;
  for (int h = 0; h < 2; ++h) {
    for (int f = 0; f < features; ++f) w1.push_back(weight(h, f));
  }
  return test::ParamsWriter()
      .add("arg:w1", test::dense_v2(DType::float32, {2, features}, test::floats(w1)))
      .add("arg:b1", test::dense_v2(DType::float32, {2}, test::floats({0.5f, 1.0f})))
      .add("arg:w2", test::dense_v2(DType::float32, {1, 2}, test::floats({2.0f, 3.0f})))
      .add("arg:b2", test::dense_v2(DType::float32, {1}, test::floats({-0.25f})))
      .finish();
}

/// The same network, in plain arithmetic.
float mlp(const std::vector<float>& features) {
  float hidden[2] = {0.5f, 1.0f};
  for (int h = 0; h < 2; ++h) {
    for (std::size_t f = 0; f < features.size(); ++f)
      hidden[h] += weight(h, static_cast<int>(f)) * features[f];
  }
  return 2.0f * std::max(hidden[0], 0.0f) + 3.0f * std::max(hidden[1], 0.0f) - 0.25f;
}

ModelBuilder mlp_builder(int features) {
  const std::string json = mlp_json(features);
  const auto params = mlp_params(features);
  return ModelBuilder::from_memory(Span<const char>(json), ByteSpan(params.data(), params.size()));
}

Model bare_mlp(int features) {
  const std::string json = mlp_json(features);
  const auto params = mlp_params(features);
  return Model::load_memory(Span<const char>(json), ByteSpan(params.data(), params.size()));
}

/// Rows of `width` bytes, zeros behind each text.
Tensor texts(const std::vector<std::string>& rows, std::size_t width) {
  Tensor tensor(DType::uint8, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(width)});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(), tensor.data<std::uint8_t>() + i * width);
  return tensor;
}

/// age, job (3 classes), bag of 2: six features.
std::vector<ColumnTransform> people() {
  return {t::column("age", {t::fill_null(40), t::normalize({38.5f}, {13.5f})}),
          t::text_column("job", {t::lookup({"clerk", "nurse"}, 2), t::one_hot(3)}),
          t::column("bag", {}, DType::float32, 2)};
}

std::vector<float> features_of(float age, int job, float first, float second) {
  const float years = std::isnan(age) ? 40.0f : age;
  std::vector<float> features = {(years - 38.5f) / 13.5f, 0, 0, 0, first, second};
  features[static_cast<std::size_t>(1 + job)] = 1;
  return features;
}

TEST(Columns, ComputeWhatTheirStepsSay) {
  const Model model = mlp_builder(6).columns("data", people()).build();
  const Tensor age = tensor_of<float>({4}, {20, kNan, 61.5f, 33});
  const Tensor job = texts({"nurse", "clerk", "", "nurses"}, 7);
  const Tensor bag = tensor_of<float>({4, 2}, {1, 2, -3, 4, 0.5f, -6, 7, 8});
  const Tensor score = std::move(Predictor(model).predict({age, job, bag})[0]);
  ASSERT_EQ(score.shape(), (Shape{4, 1}));
  const std::vector<float> expected = {mlp(features_of(20, 1, 1, 2)), mlp(features_of(kNan, 0, -3, 4)),
                                       mlp(features_of(61.5f, 2, 0.5f, -6)), mlp(features_of(33, 2, 7, 8))};
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(score.data<float>()[i], expected[i], 1e-4f * std::abs(expected[i])) << i;
}

TEST(Columns, AreWhatTheWholeTakes) {
  ModelBuilder builder = mlp_builder(6);
  builder.columns("data", people());
  const Signature signature = builder.fused_signature();
  ASSERT_EQ(signature.inputs.size(), 3u);
  EXPECT_EQ(to_string(signature.inputs[0]), "age float32 (-1,) (takes nulls)");
  EXPECT_EQ(to_string(signature.inputs[1]), "job uint8 (-1, -1) text (takes nulls)");
  EXPECT_EQ(to_string(signature.inputs[2]), "bag float32 (-1, 2)");
  EXPECT_EQ(to_string(signature.outputs[0]), "score_output float32 (-1, 1)");
  const std::vector<std::string> lines = builder.describe();
  for (const char* line :
       {"age float32 (-1,) (takes nulls)", "age_fill_null0 = _mxinfer_fill_nan: float32 (-1,)",
        "age_normalize0 = _minus_scalar: float32 (-1,)", "job_lookup0 = _mxinfer_lookup: int32 (-1,)",
        "job_one_hot0 = one_hot: float32 (-1, 3)", "data_concat0 = Concat: float32 (-1, 6)"})
    EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line;
  EXPECT_TRUE(builder.warnings().empty());
}

TEST(Columns, ComeBackFromFiles) {
  const test::TempDir dir;
  ModelBuilder builder = mlp_builder(6);
  builder.columns("data", people()).save(dir / "whole");
  const Predictor loaded(dir / "whole"), built(builder.build());
  EXPECT_EQ(to_string(loaded.model().signature().inputs[1]), "job uint8 (-1, -1) text (takes nulls)");
  EXPECT_TRUE(loaded.model().signature().inputs[0].is_nullable);
  EXPECT_FALSE(loaded.model().signature().inputs[2].is_nullable);
  const Tensor age = tensor_of<float>({2}, {20, kNan}), job = texts({"nurse", "clerk"}, 16);
  const Tensor bag = tensor_of<float>({2, 2}, {1, 2, -3, 4});
  EXPECT_EQ(test::relative_difference(loaded.predict({age, job, bag})[0], built.predict({age, job, bag})[0]),
            0);

  const Json symbol = Json::parse(test::read_file(dir / "whole-symbol.json"));
  const Json text = Json::parse(symbol.at("attrs").at("mxinfer_signature").at(1).get<std::string>());
  EXPECT_EQ(text.at("inputs").at(0).at("nullable"), true);
  EXPECT_FALSE(text.at("inputs").at(2).contains("nullable"));
  EXPECT_EQ(text.at("transforms").at("data").at("columns").at(1),
            Json::parse(R"({"name": "job", "dtype": "string", "steps": [
              {"op": "lookup", "default": 2, "values": ["clerk", "nurse"]},
              {"op": "one_hot", "depth": 3, "off_value": 0, "on_value": 1}]})"));
}

TEST(Columns, KeepTheirOrderWithoutASignature) {
  const test::TempDir dir;
  mlp_builder(6).columns("data", people()).save(dir / "whole");
  Json symbol = Json::parse(test::read_file(dir / "whole-symbol.json"));
  symbol.at("attrs").erase("mxinfer_signature");
  dir.write("whole-symbol.json", symbol.dump());
  const Model model = Model::load(dir / "whole");
  const auto& inputs = model.signature().inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].name, "age");
  EXPECT_EQ(inputs[1].name, "job");
  EXPECT_EQ(inputs[2].name, "bag");
}

TEST(Columns, TheNetworkComesOutAgainBitForBit) {
  const test::TempDir dir;
  mlp_builder(6).columns("data", people()).save(dir / "whole");
  LoadOptions bare;
  bare.load_transforms = false;
  const Predictor cut(dir / "whole", {}, bare), original(bare_mlp(6));
  ASSERT_EQ(cut.model().signature().inputs.size(), 1u);
  EXPECT_EQ(to_string(cut.model().signature().inputs[0]), to_string(original.model().signature().inputs[0]));
  const Tensor input = test::random_tensor({5, 6}, 3);
  EXPECT_EQ(test::relative_difference(cut.predict({input})[0], original.predict({input})[0]), 0);
}

TEST(Columns, OneMayHaveTheNameOfTheNetworksInput) {
  const test::TempDir dir;
  mlp_builder(1).columns("data", {t::column("data", {t::fill_null(3)})}).save(dir / "whole");
  const Predictor whole(dir / "whole");
  EXPECT_NEAR(whole.predict({tensor_of<float>({1}, {kNan})})[0].data<float>()[0], mlp({3}), 1e-5f);
  LoadOptions bare;
  bare.load_transforms = false;
  EXPECT_EQ(to_string(Model::load(dir / "whole", bare).signature().inputs[0]), "data float32 (-1, 1)");
}

TEST(Columns, NormalizeTakesANumberForEach) {
  const Model model =
      mlp_builder(4)
          .columns("data",
                   {t::column("bag", {t::normalize({1, 1, 2, -3}, {2, 4, 4, 0.5f})}, DType::float32, 4)})
          .build();
  const Tensor bag = tensor_of<float>({2, 4}, {1, 2, 3, 4, -5, 6, -7, 8});
  const Tensor score = std::move(Predictor(model).predict({bag})[0]);
  EXPECT_NEAR(score.data<float>()[0], mlp({0, 0.25f, 0.25f, 14}), 1e-5f);
  EXPECT_NEAR(score.data<float>()[1], mlp({-3, 1.25f, -2.25f, 22}), 1e-5f);
}

TEST(Columns, IntegersBecomeWhatTheNetworkTakes) {
  const Model model = mlp_builder(2)
                          .columns("data", {t::column("years", {t::normalize({40}, {10})}, DType::int64),
                                            t::column("flag", {}, DType::boolean)})
                          .build();
  const Tensor years = tensor_of<std::int64_t>({2}, {35, 50});
  Tensor flag(DType::boolean, {2});
  static_cast<std::uint8_t*>(flag.raw())[1] = 1;
  const Tensor score = std::move(Predictor(model).predict({years, flag})[0]);
  EXPECT_NEAR(score.data<float>()[0], mlp({-0.5f, 0}), 1e-5f);
  EXPECT_NEAR(score.data<float>()[1], mlp({1, 1}), 1e-5f);
}

TEST(Columns, TakeStepsUnderTheirOperatorsNames) {
  const Model model =
      mlp_builder(1)
          .columns("data", {t::column("fare", {{"clip", {{"a_min", "1"}, {"a_max", "100"}}}, {"log", {}}})})
          .build();
  const Tensor score = std::move(Predictor(model).predict({tensor_of<float>({2}, {20, -4})})[0]);
  EXPECT_NEAR(score.data<float>()[0], mlp({std::log(20.0f)}), 1e-5f);
  EXPECT_NEAR(score.data<float>()[1], mlp({0}), 1e-5f);
}

TEST(Columns, AnUnknownTextWithoutADefaultIsNamedWithItsRow) {
  const Model model =
      mlp_builder(2)
          .columns("data", {t::text_column("job", {t::lookup({"clerk", "nurse"}), t::one_hot(2)})})
          .build();
  EXPECT_FALSE(model.signature().inputs[0].is_nullable);
  const Predictor predictor(model);
  const Tensor score = std::move(predictor.predict({texts({"nurse", "clerk"}, 5)})[0]);
  EXPECT_NEAR(score.data<float>()[0], mlp({0, 1}), 1e-5f);
  EXPECT_MXINFER_ERROR(predictor.predict({texts({"clerk", "nurse", "Nurse"}, 5)}), E::invalid_argument,
                       {"job_lookup0", "row 2", "'Nurse'", "2 values", "no default"});
}

TEST(Columns, AMinusOneIsARowOfZeros) {
  const Model model =
      mlp_builder(2)
          .columns("data", {t::text_column("job", {t::lookup({"clerk", "nurse"}, -1), t::one_hot(2)})})
          .build();
  const Tensor score = std::move(Predictor(model).predict({texts({"other"}, 5)})[0]);
  EXPECT_NEAR(score.data<float>()[0], mlp({0, 0}), 1e-5f);
}

TEST(Columns, AnEmptyBatchGivesNoRows) {
  const Model model = mlp_builder(6).columns("data", people()).build();
  const Tensor age(DType::float32, {0}), job(DType::uint8, {0, 16}), bag(DType::float32, {0, 2});
  EXPECT_EQ(Predictor(model).predict({age, job, bag})[0].shape(), (Shape{0, 1}));
}

TEST(Columns, BesideAnInputOfItems) {
  // a + b, of which a is made of columns and b of items.
  const std::string json = test::two_inputs_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  builder.columns("a", {t::column("x"), t::column("y", {}, DType::float32, 2)});
  builder.transforms("b", {t::scale(10)});
  const Model model = builder.build();
  ASSERT_EQ(model.signature().inputs.size(), 3u);
  EXPECT_EQ(model.signature().inputs[0].name, "x");
  EXPECT_EQ(model.signature().inputs[2].name, "b");
  const Tensor x = tensor_of<float>({1}, {1}), y = tensor_of<float>({1, 2}, {2, 3});
  const Tensor b = tensor_of<float>({1, 3}, {4, 5, 6});
  const Tensor sum = std::move(Predictor(model).predict({x, y, b})[0]);
  EXPECT_EQ(sum.data<float>()[0], 41);
  EXPECT_EQ(sum.data<float>()[2], 63);
}

TEST(Columns, CarryASample) {
  const test::TempDir dir;
  save_npy(dir / "age.npy", tensor_of<float>({2}, {20, kNan}));
  save_npy(dir / "job.npy", texts({"nurse", "clerk"}, 16));
  save_npy(dir / "bag.npy", tensor_of<float>({2, 2}, {1, 2, -3, 4}));
  ModelBuilder builder = mlp_builder(6);
  builder.columns("data", people());
  for (const char* name : {"age", "job", "bag"}) builder.sample(name, dir / (std::string(name) + ".npy"));
  builder.save(dir / "whole");
  LoadOptions options;
  options.verify = true;
  EXPECT_EQ(Model::load(dir / "whole", options).signature().inputs.size(), 3u);
}

Model fuse(int features, std::vector<ColumnTransform> columns) {
  return mlp_builder(features).columns("data", std::move(columns)).build();
}

TEST(Columns, WhatDoesNotFitIsRefused) {
  EXPECT_MXINFER_ERROR(fuse(7, people()), E::invalid_argument,
                       {"6 features", "'age' 1", "'job' 3", "'bag' 2", "takes 7"});
  EXPECT_MXINFER_ERROR(fuse(2, {t::column("a"), t::column("a")}), E::invalid_argument,
                       {"two columns", "'a'"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("w1")}), E::invalid_argument, {"'w1'", "another one"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {{"nonsense", {}}})}), E::invalid_argument,
                       {"column 'a'", "step 1 of 1", "nonsense", "fill_null"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::resize(3, 3)})}), E::invalid_argument,
                       {"column 'a'", "for images"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::fill_null(1)}, DType::int32)}), E::invalid_argument,
                       {"column 'a'", "int32", "NaN"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::fill_null(kNan)})}), E::invalid_argument,
                       {"value is NaN"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::fill_null()})}), E::invalid_argument,
                       {"value is missing"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::text_column("a", {t::fill_null(3)})}), E::invalid_argument,
                       {"empty text", "lookup"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::text_column("a", {t::fill_null(), t::lookup({"x"})})}),
                       E::invalid_argument, {"takes nulls", "default"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::text_column("a", {})}), E::invalid_argument,
                       {"lookup turns each text into a number"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::text_column("a", {t::lookup({"x", "y", "x"})})}), E::malformed,
                       {"'x'", "twice"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::lookup({"x"})})}), E::invalid_argument,
                       {"float32", "uint8 (N, bytes)"});
  EXPECT_MXINFER_ERROR(fuse(3, {t::column("a", {t::normalize({1, 2}, {1, 1})}, DType::float32, 3)}),
                       E::invalid_argument, {"mean has 2 numbers", "(-1, 3)"});
  EXPECT_MXINFER_ERROR(fuse(1, {t::column("a", {t::normalize({1}, {0})})}), E::invalid_argument,
                       {"std has a 0"});
  EXPECT_MXINFER_ERROR(fuse(6, {t::column("a", {t::one_hot(3)}, DType::float32, 2)}), E::invalid_argument,
                       {"(N, k)", "(-1, 2, 3)"});
  EXPECT_MXINFER_ERROR(fuse(1, {}), E::invalid_argument, {"no columns"});
  ModelBuilder elsewhere = mlp_builder(1);
  elsewhere.columns("nothing", {t::column("a")});
  EXPECT_MXINFER_ERROR(elsewhere.build(), E::invalid_argument, {"'nothing'", "data"});
}

TEST(Columns, AreForRowsOfFeatures) {
  const std::string json = test::channel_means_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  builder.columns("data", {t::column("a")});
  EXPECT_MXINFER_ERROR(builder.build(), E::invalid_argument, {"(N, features)", "(-1, 3, 4, 6)"});
}

TEST(Columns, StateTheInputsThemselves) {
  ModelBuilder builder = mlp_builder(1);
  builder.columns("data", {t::column("a")}).signature({{{"a", {-1}}}, {}});
  EXPECT_MXINFER_ERROR(builder.build(), E::invalid_argument, {"signature", "columns"});
  TransformLists lists;
  lists.columns["score_output"] = {t::column("a")};
  EXPECT_MXINFER_ERROR(mlp_builder(1).set_post(lists).build(), E::invalid_argument,
                       {"score_output", "in front"});
}

/// The connector of the columns under other attributes.
Model with_connector(const std::function<void(Json&)>& change) {
  const test::TempDir dir;
  mlp_builder(6).columns("data", people()).save(dir / "whole");
  Json symbol = Json::parse(test::read_file(dir / "whole-symbol.json"));
  for (Json& node : symbol.at("nodes")) {
    if (node.at("name") == "data_columns0") change(node);
  }
  dir.write("whole-symbol.json", symbol.dump());
  return Model::load(dir / "whole");
}

TEST(Columns, AConnectorSaysForWhichInputItStands) {
  EXPECT_EQ(with_connector([](Json&) {}).signature().inputs.size(), 3u);
  EXPECT_MXINFER_ERROR(with_connector([](Json& node) { node.at("attrs").erase("__mxinfer_name__"); }),
                       E::malformed, {"'data_columns0'", "__mxinfer_name__"});
  EXPECT_MXINFER_ERROR(with_connector([](Json& node) { node.at("attrs").erase("__mxinfer_index__"); }),
                       E::malformed, {"'data_columns0'", "__mxinfer_index__"});
  EXPECT_MXINFER_ERROR(
      with_connector([](Json& node) { node.at("attrs")["__mxinfer_connector__"] = "batchify"; }),
      E::malformed, {"'data_columns0'", "several inputs"});
}

}  // namespace
}  // namespace mxinfer
