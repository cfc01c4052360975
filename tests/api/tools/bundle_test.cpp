// Bundles: written, read, and wrong in every way that matters.
#include <gtest/gtest.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/bundle.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/model_builder.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/archive/write_bundle.h"
#include "support/expect_error.h"
#include "support/files/archive_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer::test {
namespace {

std::vector<Tensor> answers(const std::string& uri, const LoadOptions& options = {}) {
  const auto model = Model::load(uri, options);
  EXPECT_EQ(model.warnings(), std::vector<std::string>());
  return Predictor(model).predict({random_tensor({2, 1, 32, 32}, 3, 0, 255)});
}

LoadOptions of_graph(const std::string& name) {
  LoadOptions options;
  options.graph = name;
  return options;
}

// A graph that takes some of the parameters of digits: its first convolution.
std::string first_convolution() {
  return R"json({"nodes": [
    {"op": "null", "name": "data", "inputs": []},
    {"op": "null", "name": "digits_conv0_weight", "inputs": []},
    {"op": "Convolution", "name": "digits_conv0_fwd", "inputs": [[0, 0, 0], [1, 0, 0]],
     "attrs": {"kernel": "(3, 3)", "pad": "(1, 1)", "num_filter": "16", "no_bias": "True"}}],
    "arg_nodes": [0, 1], "heads": [[2, 0, 0]], "attrs": {"mxnet_version": ["int", 10901]}})json";
}

TEST(Bundle, APackedModelComputesTheSame) {
  const TempDir dir;
  pack_bundle(kDigits, dir / "digits.mxz");
  EXPECT_EQ(relative_difference(answers(dir / "digits.mxz")[0], answers(kDigits)[0]), 0);
  EXPECT_EQ(relative_difference(answers(dir / "digits.mxz", of_graph("prediction"))[0], answers(kDigits)[0]),
            0);
  EXPECT_EQ(Model::load(dir / "digits.mxz").labels(), Model::load(kDigits).labels());
  const Inspection report = inspect_model(dir / "digits.mxz");
  EXPECT_EQ(report.kind, "bundle");
  EXPECT_EQ(report.graphs, std::vector<std::string>{"prediction"});
  EXPECT_EQ(report.graph, "prediction");
}

TEST(Bundle, TheSameContentsGiveTheSameBytes) {
  const TempDir dir;
  pack_bundle(kDigits, dir / "a.mxz");
  pack_bundle(kDigits, dir / "b.mxz");
  const std::string bytes = read_file(dir / "a.mxz");
  EXPECT_EQ(bytes, read_file(dir / "b.mxz"));
  // Parameters are stored: their bytes are there as they are.
  EXPECT_NE(bytes.find(read_file(kDigits + "/digits-0000.params")), std::string::npos);
}

TEST(Bundle, UnpackingGivesThePairAgain) {
  const TempDir dir;
  pack_bundle(kDigits, dir / "digits.mxz");
  std::filesystem::create_directory(dir / "copy");
  const auto files = unpack_model(dir / "digits.mxz", dir / "copy/net");
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(read_file(dir / "copy/net-symbol.json"), read_file(kDigits + "/digits-symbol.json"));
  EXPECT_EQ(read_file(dir / "copy/net-0000.params"), read_file(kDigits + "/digits-0000.params"));
  EXPECT_EQ(read_file(dir / "copy/synset.txt"), read_file(kDigits + "/synset.txt"));
  unpack_model(dir / "digits.mxz", dir / "copy/other");  // the same labels may be there
  dir.write("copy/synset.txt", "cat\n");
  EXPECT_MXINFER_ERROR(unpack_model(dir / "digits.mxz", dir / "copy/third"), ErrorCode::invalid_argument,
                       {"synset.txt", "different labels"});
  EXPECT_FALSE(std::filesystem::exists(dir / "copy/third-symbol.json"));
  EXPECT_THROW(unpack_model(dir / "digits.mxz", ""), Error);
  EXPECT_THROW(unpack_model(dir / "digits.mxz", dir / "nowhere/net"), Error);
}

TEST(Bundle, GraphsShareTheParameters) {
  const TempDir dir;
  PackOptions options;
  options.graphs["features"] = dir.write("features-symbol.json", first_convolution());
  pack_bundle(kDigits, dir / "digits.mxz", options);
  EXPECT_EQ(relative_difference(answers(dir / "digits.mxz")[0], answers(kDigits)[0]), 0);

  LoadOptions inner;
  inner.outputs = {"digits_conv0_fwd"};
  const auto features = answers(dir / "digits.mxz", of_graph("features"));
  ASSERT_EQ(features[0].shape().rank(), 4u);
  EXPECT_EQ(inspect_model(dir / "digits.mxz", of_graph("features")).graph, "features");
  EXPECT_EQ(inspect_model(dir / "digits.mxz").graphs, (std::vector<std::string>{"features", "prediction"}));
  EXPECT_MXINFER_ERROR(Model::load(dir / "digits.mxz", of_graph("train")), ErrorCode::not_found,
                       {"digits.mxz", "no graph 'train'", "features, prediction"});
  EXPECT_EQ(unpack_model(dir / "digits.mxz", dir / "f", "features").size(), 3u);
  EXPECT_EQ(read_file(dir / "f-symbol.json"), first_convolution());
}

TEST(Bundle, ANetworkMayHaveNoParametersAndNoLabels) {
  const TempDir dir;
  dir.write("net-symbol.json", channel_means_json());
  pack_bundle(dir / "net", dir / "net.mxz");
  EXPECT_EQ(Model::load(dir / "net.mxz").signature().inputs[0].shape, (Shape{-1, 3, 4, 6}));
  EXPECT_EQ(unpack_model(dir / "net.mxz", dir / "copy").size(), 1u);
}

TEST(Bundle, OtherArchivesCanBePackedAndBundlesNot) {
  const TempDir dir;
  const std::string tar =
      dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz)
                                    .file("digits-symbol.json", read_file(kDigits + "/digits-symbol.json"))
                                    .file("digits-0000.params", read_file(kDigits + "/digits-0000.params"))
                                    .finish());
  pack_bundle(tar, dir / "digits.mxz");
  EXPECT_EQ(relative_difference(answers(dir / "digits.mxz")[0], answers(kDigits)[0]), 0);
  EXPECT_MXINFER_ERROR(pack_bundle(dir / "digits.mxz", dir / "again.mxz"), ErrorCode::invalid_argument,
                       {"already a bundle"});
  EXPECT_EQ(unpack_model(tar, dir / "loose").size(), 2u);
}

TEST(Bundle, WhatCannotBeLoadedIsNotPacked) {
  const TempDir dir;
  dir.write("net-symbol.json", first_convolution());
  EXPECT_MXINFER_ERROR(pack_bundle(dir / "net", dir / "net.mxz"), ErrorCode::malformed,
                       {"net", "digits_conv0_weight"});
  PackOptions options;
  options.graphs["x"] = dir.write("x.json", "nonsense");
  EXPECT_MXINFER_ERROR(pack_bundle(kDigits, dir / "net.mxz", options), ErrorCode::malformed, {"x.json"});
  options.graphs = {{"prediction", kDigits + "/digits-symbol.json"}};
  EXPECT_MXINFER_ERROR(pack_bundle(kDigits, dir / "net.mxz", options), ErrorCode::invalid_argument,
                       {"two graphs are named 'prediction'"});
  for (const char* name : {"", "../up", "a b", ".hidden", "a/b"}) {
    options.graphs = {{name, kDigits + "/digits-symbol.json"}};
    EXPECT_MXINFER_ERROR(pack_bundle(kDigits, dir / "net.mxz", options), ErrorCode::invalid_argument,
                         {"graph's name"});
  }
  EXPECT_MXINFER_ERROR(pack_bundle(kDigits, dir / "nowhere/net.mxz"), ErrorCode::invalid_argument,
                       {"nowhere"});
  EXPECT_FALSE(std::filesystem::exists(dir / "net.mxz"));
}

TEST(Bundle, AnOldFileStaysWhereWritingFails) {
  const TempDir dir;
  dir.write("net.mxz", "old");
  formats::BundleToWrite bundle;
  EXPECT_MXINFER_ERROR(formats::write_bundle(dir / "net.mxz", bundle), ErrorCode::invalid_argument,
                       {"default graph"});
  EXPECT_EQ(read_file(dir / "net.mxz"), "old");
}

TEST(Bundle, ABuilderWritesGraphsWithOtherTransforms) {
  const TempDir dir;
  namespace t = transforms;
  ModelBuilder builder(kDigits);
  builder.transforms({t::resize(32, 32), t::transpose({0, 3, 1, 2}), t::cast(DType::float32)});
  builder.save(dir / "pair");
  builder.add_graph("validation",
                    {{t::center_crop(32, 32), t::transpose({0, 3, 1, 2}), t::cast(DType::float32)}, {}});
  EXPECT_MXINFER_ERROR(builder.add_graph("validation", {}), ErrorCode::invalid_argument, {"already added"});
  EXPECT_MXINFER_ERROR(builder.add_graph("prediction", {}), ErrorCode::invalid_argument, {"model's own"});
  EXPECT_MXINFER_ERROR(builder.add_graph("../up", {}), ErrorCode::invalid_argument, {"graph's name"});
  builder.save_bundle(dir / "both.mxz");

  Tensor image(DType::uint8, {1, 32, 32, 1});
  for (std::int64_t i = 0; i < image.elements(); ++i)
    image.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 7);
  const auto run = [&](const std::string& uri, const LoadOptions& options = {}) {
    return std::move(Predictor(Model::load(uri, options)).predict({image})[0]);
  };
  EXPECT_EQ(relative_difference(run(dir / "both.mxz"), run(dir / "pair")), 0);
  EXPECT_EQ(relative_difference(run(dir / "both.mxz", of_graph("validation")), run(dir / "pair")), 0);
  EXPECT_EQ(inspect_model(dir / "both.mxz").graphs, (std::vector<std::string>{"prediction", "validation"}));
  EXPECT_EQ(Model::load(dir / "both.mxz", of_graph("validation")).labels(), Model::load(kDigits).labels());
}

class BundleManifestTest : public testing::Test {
 protected:
  // The bundle with another table of contents.
  std::string with(const std::string& manifest) {
    return dir_.write("b.mxz", ArchiveWriter(ArchiveFormat::zip)
                                   .file("mxinfer-bundle.json", manifest)
                                   .file("net-symbol.json", channel_means_json())
                                   .file("synset.txt", "red\ngreen\nblue\n")
                                   .finish());
  }
  void refuse(const std::string& manifest, ErrorCode code, const std::vector<std::string>& facts) {
    EXPECT_MXINFER_ERROR(Model::load(with(manifest)), code, facts);
  }
  TempDir dir_;
};

TEST_F(BundleManifestTest, UnknownKeysAreNoHarm) {
  const auto model = Model::load(with(R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "g",
      "labels": "synset.txt", "params": null, "later": {"x": [1]}})"));
  EXPECT_EQ(model.labels().size(), 3u);
}

TEST_F(BundleManifestTest, WhatIsWrongIsNamed) {
  const auto malformed = ErrorCode::malformed;
  refuse("", malformed, {"b.mxz › mxinfer-bundle.json › "});
  refuse("[]", malformed, {"the manifest"});
  refuse(R"({"graphs": {"g": "net-symbol.json"}, "default": "g"})", malformed, {"\"version\" is missing"});
  refuse(R"({"version": "1", "graphs": {"g": "net-symbol.json"}, "default": "g"})", malformed,
         {"\"version\""});
  refuse(R"({"version": 0, "graphs": {"g": "net-symbol.json"}, "default": "g"})", malformed, {"\"version\""});
  refuse(R"({"version": 2, "graphs": 7})", ErrorCode::unsupported, {"version 2", "versions up to 1"});
  refuse(R"({"version": 1, "default": "g"})", malformed, {"\"graphs\" is missing"});
  refuse(R"({"version": 1, "graphs": {}, "default": "g"})", malformed, {"\"graphs\" is empty"});
  refuse(R"({"version": 1, "graphs": {"g": 1}, "default": "g"})", malformed, {"graph \"g\""});
  refuse(R"({"version": 1, "graphs": {"g": "net-symbol.json"}})", malformed, {"\"default\" is missing"});
  refuse(R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "h"})", malformed,
         {"\"default\" is \"h\""});
  refuse(R"({"version": 1, "graphs": {"g": "net-symbol.json", "h": "no-symbol.json"}, "default": "g"})",
         malformed, {"graph 'h'", "'no-symbol.json'", "not in the archive"});
  refuse(R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "g", "params": "p"})", malformed,
         {"\"params\"", "'p'"});
  refuse(R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "g", "labels": ["a"]})", malformed,
         {"\"labels\""});
}

TEST_F(BundleManifestTest, ABundleHasNoEpoch) {
  LoadOptions options;
  options.epoch = 0;
  EXPECT_MXINFER_ERROR(
      Model::load(with(R"({"version": 1, "graphs": {"g": "net-symbol.json"}, "default": "g"})"), options),
      ErrorCode::invalid_argument, {"epoch 0"});
}

TEST(Bundle, DamageIsNoticed) {
  const TempDir dir;
  pack_bundle(kDigits, dir / "digits.mxz");
  const std::string whole = read_file(dir / "digits.mxz");
  std::string damaged = whole;
  damaged[whole.size() - 5000] = static_cast<char>(damaged[whole.size() - 5000] ^ 1);  // among the parameters
  EXPECT_MXINFER_ERROR(Model::load(dir.write("damaged.mxz", damaged)), ErrorCode::malformed,
                       {"model.params"});
  for (std::size_t i = 0; i < 40; ++i) {
    const std::string cut = dir.write("cut.mxz", whole.substr(0, whole.size() * i / 40));
    EXPECT_THROW((void)Model::load(cut), Error) << i;
  }
}

}  // namespace
}  // namespace mxinfer::test
