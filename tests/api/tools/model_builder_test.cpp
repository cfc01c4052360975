// Fusing transforms, a network and what stands behind it.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <nlohmann/json.hpp>

#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using E = ErrorCode;
namespace t = mxinfer::transforms;
using Json = nlohmann::json;
using test::kDigits;
using test::TempDir;

std::string image_path(const std::string& name) {
  return std::string(MXINFER_SOURCE_DIR) + "/examples/images/" + name;
}

/// What digits needs: pixels as float, channels first, 32 x 32.
std::vector<Transform> for_digits() {
  return {t::resize(32, 32), t::cast(DType::float32), t::transpose({0, 3, 1, 2})};
}

Tensor grey_image(const std::string& name) {
  DecodeOptions options;
  options.color = false;
  const Image image = read_image(image_path(name), options);
  Tensor tensor = Tensor::copy_of(image.view());
  tensor.reshape({1, image.height(), image.width(), 1});
  return tensor;
}

/// The network's answer to an image, with the transforms written out here.
Tensor by_hand(const std::string& name) {
  DecodeOptions options;
  options.color = false;
  const Image small = resize_image(read_image(image_path(name), options), 32, 32);
  Tensor input(DType::float32, {1, 1, 32, 32});
  for (std::size_t i = 0; i < small.pixels().size(); ++i) input.data<float>()[i] = small.pixels()[i];
  return std::move(Predictor(kDigits).predict({input})[0]);
}

ModelBuilder means(const std::string& shape = "(0, 3, 4, 6)") {
  const std::string json = test::channel_means_json(shape);
  return ModelBuilder::from_memory(Span<const char>(json), {});
}

Json symbol_of(const std::string& prefix) {
  return Json::parse(test::read_file(prefix + "-symbol.json"));
}

const Json& node(const Json& symbol, const std::string& name) {
  for (const Json& each : symbol.at("nodes")) {
    if (each.at("name") == name) return each;
  }
  throw std::runtime_error("no node " + name);
}

TEST(ModelBuilder, FusesWhatIsThenOnePairOfFiles) {
  const TempDir dir;
  ModelBuilder builder(kDigits);
  builder.transforms(for_digits());
  builder.save(dir / "whole");

  const Tensor input = grey_image("seven.jpg");
  const Tensor expected = by_hand("seven.jpg");
  const Predictor loaded(dir / "whole"), built(builder.build());
  EXPECT_LE(test::relative_difference(loaded.predict({input})[0], expected), 1e-5);
  EXPECT_EQ(test::relative_difference(loaded.predict({input})[0], built.predict({input})[0]), 0);
}

TEST(ModelBuilder, WritesConnectors) {
  const TempDir dir;
  ModelBuilder(kDigits).transforms(for_digits()).post({t::top_k(3)}).save(dir / "whole");
  const Json symbol = symbol_of(dir / "whole");
  const Json& batchify = node(symbol, "data_batchify0");
  EXPECT_EQ(batchify.at("op"), "identity");
  EXPECT_EQ(batchify.at("attrs").at("__mxinfer_connector__"), "batchify");
  EXPECT_EQ(batchify.at("attrs").at("__mxinfer_index__"), "0");
  EXPECT_EQ(batchify.at("attrs").at("__mxinfer_name__"), "data");
  const Json& no_op = node(symbol, "probabilities_no_op0");
  EXPECT_EQ(no_op.at("attrs").at("__mxinfer_connector__"), "no_op");
  EXPECT_EQ(no_op.at("attrs").at("__mxinfer_index__"), "0");
  EXPECT_EQ(node(symbol, "data_resize0").at("op"), "_image_resize");
  EXPECT_EQ(node(symbol, "data_resize0").at("attrs").at("size"), "(32, 32)");
  EXPECT_EQ(node(symbol, "probabilities_top_k0").at("op"), "topk");
  EXPECT_EQ(symbol.at("heads").size(), 2u);
  // The network's nodes are there as they were.
  const Json network = symbol_of(kDigits + "/digits");
  for (const Json& original : network.at("nodes")) {
    EXPECT_EQ(node(symbol, original.at("name")).at("op"), original.at("op"));
  }
}

TEST(ModelBuilder, SaysWhatTheWholeTakesAndGives) {
  const TempDir dir;
  ModelBuilder(kDigits).transforms(for_digits()).post({t::top_k(3)}).save(dir / "whole");
  const Json symbol = symbol_of(dir / "whole");
  const Json signature = Json::parse(symbol.at("attrs").at("mxinfer_signature").at(1).get<std::string>());
  EXPECT_EQ(signature.at("inputs"),
            Json::parse(R"([{"name": "data", "shape": [-1, -1, -1, 1], "dtype": "uint8",
                                                     "layout": "NHWC", "meaning": "image"}])"));
  EXPECT_EQ(signature.at("outputs").at(0).at("meaning"), "scores");
  EXPECT_EQ(signature.at("outputs").at(0).at("shape"), Json({-1, 3}));
  EXPECT_EQ(signature.at("outputs").at(1).at("meaning"), "ids");
  EXPECT_EQ(signature.at("outputs").at(1).at("dtype"), "int32");
  EXPECT_EQ(signature.at("network").at("inputs").at(0).at("shape"), Json({-1, 1, 32, 32}));
  EXPECT_EQ(signature.at("labels").size(), 10u);
  EXPECT_EQ(signature.at("labels").at(7), "seven");
  EXPECT_EQ(signature.at("transforms").at("data").at(0).at("op"), "resize");
  EXPECT_EQ(signature.at("post").at("probabilities_output").at(0).at("k"), 3);
}

TEST(ModelBuilder, TheNetworkComesOutAgainBitForBit) {
  const TempDir dir;
  ModelBuilder(kDigits).transforms(for_digits()).post({t::top_k(3)}).save(dir / "whole");
  LoadOptions bare;
  bare.load_transforms = false;
  const Predictor cut(dir / "whole", {}, bare), original(kDigits);
  ASSERT_EQ(cut.model().signature().inputs.size(), 1u);
  EXPECT_EQ(to_string(cut.model().signature().inputs[0]), to_string(original.model().signature().inputs[0]));
  const Tensor input = test::random_tensor({3, 1, 32, 32}, 5, 0, 255);
  const auto a = cut.predict({input}), b = original.predict({input});
  ASSERT_EQ(a.size(), 1u);
  EXPECT_EQ(test::relative_difference(a[0], b[0]), 0);
}

TEST(ModelBuilder, TopKGivesScoresAndIds) {
  ModelBuilder builder(kDigits);
  const auto model = builder.transforms(for_digits()).post({t::top_k(2)}).build();
  const auto outputs = Predictor(model).predict({grey_image("seven.jpg")});
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].shape(), Shape({1, 2}));
  EXPECT_EQ(outputs[1].data<std::int32_t>()[0], 7);
  EXPECT_GE(outputs[0].data<float>()[0], outputs[0].data<float>()[1]);
}

TEST(ModelBuilder, ColourFollowsFromTheNetwork) {
  const auto colour = means().transforms({t::resize(6, 4), t::to_tensor()}).build();
  EXPECT_EQ(to_string(colour.signature().inputs[0]), "data uint8 (-1, -1, -1, 3) NHWC image");
  const Tensor white = [] {
    Tensor tensor(DType::uint8, {2, 9, 7, 3});
    std::fill_n(tensor.data<std::uint8_t>(), tensor.elements(), std::uint8_t{255});
    return tensor;
  }();
  const auto outputs = Predictor(colour).predict({white});
  EXPECT_EQ(outputs[0].shape(), Shape({2, 3}));
  for (int i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(outputs[0].data<float>()[i], 1);
}

TEST(ModelBuilder, ACentreCropOfAKnownSizeIsACropThatMxnetKnows) {
  const TempDir dir;
  means().transforms({t::resize(10, 8), t::center_crop(6, 4), t::to_tensor()}).save(dir / "whole");
  const Json crop = node(symbol_of(dir / "whole"), "data_center_crop0");
  EXPECT_EQ(crop.at("op"), "_image_crop");
  EXPECT_EQ(crop.at("attrs"), Json::parse(R"({"x": "2", "y": "2", "width": "6", "height": "4"})"));
}

TEST(ModelBuilder, ALargeCropIsTriedOnLargeImages) {
  const auto lines =
      means("(0, 3, 0, 0)").transforms({t::crop(900, 10, 600, 500), t::to_tensor()}).describe();
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1], "data_crop0 = _image_crop: uint8 (-1, 500, 600, 3)");
}

TEST(ModelBuilder, InputsHaveListsOfTheirOwn) {
  const std::string json = test::two_inputs_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  builder.transforms("a", {t::scale(2)}).transforms("b", {});
  const auto model = builder.build();
  const Tensor a = test::tensor_of<float>({1, 3}, {1, 2, 3}),
               b = test::tensor_of<float>({1, 3}, {10, 20, 30});
  const auto outputs = Predictor(model).predict({a, b});
  EXPECT_EQ(outputs[0].data<float>()[2], 36);
  EXPECT_EQ(outputs[1].data<float>()[2], 12);
}

TEST(ModelBuilder, OneOutputOfTwoIsPostProcessed) {
  const std::string json = test::two_inputs_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  const auto model = builder.post("double_output", {t::softmax(), t::top_k(1)}).build();
  const Signature& signature = model.signature();
  ASSERT_EQ(signature.outputs.size(), 3u);
  EXPECT_EQ(signature.outputs[1].shape, Shape({-1, 1}));
  const Tensor a = test::tensor_of<float>({1, 3}, {1, 3, 2});
  const auto outputs = Predictor(model).predict({a, a});
  EXPECT_EQ(outputs[0].data<float>()[1], 6);
  EXPECT_EQ(outputs[2].data<std::int32_t>()[0], 1);
}

TEST(ModelBuilder, AnyOperatorWithOneInputIsAStep) {
  const std::string json = test::two_inputs_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  const auto model = builder.transforms("a", {{"clip", {{"a_min", "0"}, {"a_max", "1"}}}}).build();
  const Tensor a = test::tensor_of<float>({1, 3}, {-5, 0.5f, 9}),
               b = test::tensor_of<float>({1, 3}, {0, 0, 0});
  const auto outputs = Predictor(model).predict({a, b});
  EXPECT_EQ(outputs[0].data<float>()[0], 0);
  EXPECT_EQ(outputs[0].data<float>()[1], 0.5f);
  EXPECT_EQ(outputs[0].data<float>()[2], 1);
}

TEST(ModelBuilder, EncodedImages) {
  const TempDir dir;
  std::vector<Transform> steps = for_digits();
  steps.insert(steps.begin(), t::decode(false));
  ModelBuilder(kDigits).transforms(steps).post({t::top_k(1)}).save(dir / "whole");
  const Predictor predictor(dir / "whole");
  EXPECT_EQ(to_string(predictor.model().signature().inputs[0]), "data uint8 (-1,) encoded_image");
  const std::string bytes = test::read_file(image_path("seven.jpg"));
  const TensorView view(DType::uint8, {static_cast<std::int64_t>(bytes.size())}, bytes.data());
  const auto outputs = predictor.predict({view});
  EXPECT_EQ(outputs[1].data<std::int32_t>()[0], 7);
}

TEST(ModelBuilder, TheSignatureGivesNamesAndSizes) {
  const TempDir dir;
  ModelBuilder builder = means();
  builder.transforms({t::resize(6, 4), t::to_tensor()});
  builder.signature({{{"image", {-1, 100, 200, 3}, DType::uint8, "NHWC", Meaning::image}},
                     {{"whatever", {-1, 3}, DType::float32, "", Meaning::scores}}});
  builder.save(dir / "whole");
  const auto model = Model::load(dir / "whole");
  EXPECT_EQ(model.signature().inputs[0].name, "image");
  EXPECT_EQ(node(symbol_of(dir / "whole"), "data_batchify0").at("attrs").at("__mxinfer_name__"), "data");
  EXPECT_EQ(model.signature().outputs[0].name, "whatever");
  EXPECT_EQ(model.signature().outputs[0].meaning, Meaning::scores);
  LoadOptions bare;
  bare.load_transforms = false;
  EXPECT_EQ(Model::load(dir / "whole", bare).signature().inputs[0].name, "data");
}

TEST(ModelBuilder, WarnsOfArithmeticOnBytes) {
  ModelBuilder builder = means();
  builder.transforms(
      {t::resize(6, 4), t::transpose({0, 3, 1, 2}), t::normalize({3}, {2}), t::cast(DType::float32)});
  const auto warnings = builder.warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("normalize"), std::string::npos);
  EXPECT_NE(warnings[0].find("uint8"), std::string::npos);
}

TEST(ModelBuilder, WarnsOfArithmeticThatTheNetworkDoesItself) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "data", "attrs": {"__shape__": "(0, 3, 4, 6)"}, "inputs": []},
    {"op": "_minus_scalar", "name": "centre", "attrs": {"scalar": "127.5"}, "inputs": [[0, 0, 0]]},
    {"op": "Flatten", "name": "flat", "inputs": [[1, 0, 0]]}],
    "arg_nodes": [0], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  const auto warnings = builder.transforms({t::resize(6, 4), t::to_tensor()}).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("'centre'"), std::string::npos);
  EXPECT_NE(warnings[0].find("step to_tensor"), std::string::npos);
}

TEST(ModelBuilder, SaysWhichStepDoesNotFit) {
  const auto fuse = [](std::vector<Transform> steps) {
    ModelBuilder builder = means();
    return builder.transforms(std::move(steps)).describe();
  };
  EXPECT_MXINFER_ERROR(
      fuse({{"frobnicate", {}}}), E::invalid_argument,
      {"input 'data'", "step 1 of 1 (frobnicate)", "no such step", "center_crop", "to_tensor"});
  for (const char* op : {"image_chain", "_mxinfer_image_chain", "_mxinfer_activation", "_mxinfer_by_sample"})
    EXPECT_MXINFER_ERROR(fuse({{op, {}}}), E::invalid_argument, {"step 1", op});
  EXPECT_MXINFER_ERROR(fuse({{"resize", {{"sise", "3"}}}}), E::malformed,
                       {"step 1 of 1 (resize)", "'sise'", "size, keep_ratio, interp"});
  EXPECT_MXINFER_ERROR(fuse({{"resize", {}}}), E::malformed, {"step 1", "size"});
  EXPECT_MXINFER_ERROR(fuse({{"resize", {{"size", "(0, 3)"}}}}), E::invalid_argument, {"size", "(0, 3)"});
  EXPECT_MXINFER_ERROR(fuse({t::to_tensor(), t::resize(6, 4)}), E::invalid_argument,
                       {"step 2 of 2 (resize)", "in front of to_tensor", "float32 (-1, 3, -1, -1)"});
  EXPECT_MXINFER_ERROR(fuse({t::resize(6, 4), t::normalize({1}, {1})}), E::invalid_argument,
                       {"step 2 of 2 (normalize)", "put to_tensor in front of it"});
  EXPECT_MXINFER_ERROR(fuse({t::to_tensor(), t::to_tensor()}), E::invalid_argument,
                       {"step 2 of 2 (to_tensor)"});
  EXPECT_MXINFER_ERROR(fuse({t::resize(6, 4), t::decode()}), E::invalid_argument, {"step 2", "first step"});
  EXPECT_MXINFER_ERROR(fuse({t::to_tensor()}), E::invalid_argument,
                       {"float32 (-1, 3, -1, -1)", "(-1, 3, 4, 6)", "resize", "to_tensor: float32"});
  EXPECT_MXINFER_ERROR(fuse({t::resize(6, 4)}), E::invalid_argument,
                       {"uint8 (-1, 4, 6, 3)", "to_tensor or cast"});
  EXPECT_MXINFER_ERROR(fuse({t::resize(4, 6), t::to_tensor()}), E::invalid_argument,
                       {"float32 (-1, 3, 6, 4)", "(-1, 3, 4, 6)"});
  EXPECT_MXINFER_ERROR(fuse({{"FullyConnected", {{"num_hidden", "3"}}}}), E::invalid_argument,
                       {"FullyConnected", "3 inputs"});
  EXPECT_MXINFER_ERROR(fuse({t::resize(6, 4), t::to_tensor(), t::normalize({1}, {0})}), E::invalid_argument,
                       {"step 3", "std"});
}

TEST(ModelBuilder, SaysWhichListDoesNotFit) {
  EXPECT_MXINFER_ERROR(means().transforms("dta", {t::to_tensor()}).describe(), E::invalid_argument,
                       {"'dta'", "no input", "'data'"});
  EXPECT_MXINFER_ERROR(means().post("flat", {t::softmax()}).describe(), E::invalid_argument,
                       {"'flat'", "no output", "'flat_output'"});
  EXPECT_MXINFER_ERROR(means().post({t::top_k(4)}).describe(), E::invalid_argument,
                       {"output 'flat_output'", "step 1 of 1 (top_k)", "k is 4", "3 values"});
  EXPECT_MXINFER_ERROR(means().post({t::top_k(2), t::softmax()}).describe(), E::invalid_argument,
                       {"step 2 of 2", "last one"});
  EXPECT_MXINFER_ERROR(means().post({t::boxes()}).describe(), E::invalid_argument, {"boxes", "(-1, 3)"});
  EXPECT_MXINFER_ERROR(means().transforms({{"", {}}}), E::invalid_argument, {"no name"});
  EXPECT_MXINFER_ERROR(means().save("/nowhere/model"), E::invalid_argument, {"/nowhere/model"});
  EXPECT_MXINFER_ERROR(means().save(""), E::invalid_argument, {"prefix"});
  EXPECT_MXINFER_ERROR(ModelBuilder("/nowhere/model"), E::not_found, {"/nowhere"});
}

TEST(ModelBuilder, SaysWhereTheSignatureContradicts) {
  const auto fuse = [](Signature signature) {
    return means().transforms({t::resize(6, 4), t::to_tensor()}).signature(std::move(signature)).describe();
  };
  const DataDesc image{"data", {-1, -1, -1, 3}, DType::uint8, "NHWC", Meaning::image};
  EXPECT_MXINFER_ERROR(fuse({{image, image}, {}}), E::invalid_argument, {"2 inputs", "1"});
  EXPECT_MXINFER_ERROR(fuse({{{"data", {-1, -1, -1, 4}, DType::uint8, "NHWC"}}, {}}), E::invalid_argument,
                       {"input 'data'", "(-1, -1, -1, 4)"});
  EXPECT_MXINFER_ERROR(fuse({{{"data", {-1}, DType::uint8, "", Meaning::encoded_image}}, {}}),
                       E::invalid_argument, {"encoded_image", "decode"});
  EXPECT_MXINFER_ERROR(fuse({{{"flat", {-1, -1, -1, 3}, DType::uint8, "NHWC"}}, {}}), E::invalid_argument,
                       {"'flat'", "another node"});
  EXPECT_MXINFER_ERROR(fuse({{image}, {{"x", {-1, 5}}}}), E::invalid_argument, {"(-1, 5)", "(-1, 3)"});
  EXPECT_MXINFER_ERROR(fuse({{image}, {{"x", {-1, 3}}, {"y", {-1, 3}}}}), E::invalid_argument, {"2 outputs"});
}

TEST(ModelBuilder, ANetworkHasTransformsOnce) {
  const TempDir dir;
  ModelBuilder(kDigits).transforms(for_digits()).save(dir / "whole");
  EXPECT_MXINFER_ERROR(ModelBuilder(dir / "whole"), ErrorCode::invalid_argument,
                       {"transforms already", "data_batchify0"});
}

TEST(ModelBuilder, OtherOutputsThanTheNetworks) {
  LoadOptions options;
  options.outputs = {"pool"};
  const std::string json = test::channel_means_json();
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {}, options);
  const auto model = builder.transforms({t::resize(6, 4), t::to_tensor()}).build();
  ASSERT_EQ(model.signature().outputs.size(), 1u);
  EXPECT_EQ(model.signature().outputs[0].shape, Shape({-1, 3, 1, 1}));
}

TEST(ModelBuilder, DetectionsBecomeIdsScoresAndBoxes) {
  const std::string json = R"json({"nodes": [
    {"op": "null", "name": "rows", "attrs": {"__shape__": "(0, 5, 6)"}, "inputs": []},
    {"op": "_mul_scalar", "name": "same", "attrs": {"scalar": "1"}, "inputs": [[0, 0, 0]]}],
    "arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
  ModelBuilder builder = ModelBuilder::from_memory(Span<const char>(json), {});
  const auto model = builder.post({t::boxes()}).build();
  const Signature signature = builder.fused_signature();
  ASSERT_EQ(signature.outputs.size(), 3u);
  EXPECT_EQ(to_string(signature.outputs[0]), "same_ids0_output float32 (-1, 5, 1) ids");
  EXPECT_EQ(to_string(signature.outputs[1]), "same_scores0_output float32 (-1, 5, 1) scores");
  EXPECT_EQ(to_string(signature.outputs[2]), "same_boxes0_output float32 (-1, 5, 4) boxes");
  Tensor rows(DType::float32, {1, 5, 6});
  for (int i = 0; i < 30; ++i) rows.data<float>()[i] = static_cast<float>(i);
  const auto outputs = Predictor(model).predict({rows});
  EXPECT_EQ(outputs[0].data<float>()[1], 6);
  EXPECT_EQ(outputs[1].data<float>()[1], 7);
  EXPECT_EQ(outputs[2].data<float>()[4], 8);
}

}  // namespace
}  // namespace mxinfer
