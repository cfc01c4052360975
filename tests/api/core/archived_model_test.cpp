// A model in one file, of every kind, computes what the loose pair computes; and what is not a model says
// why.
#include <gtest/gtest.h>
#include <mxinfer/model.h>
#include <mxinfer/predictor.h>
#include <mxinfer/tools/inspect.h>
#include <mxinfer/tools/sign.h>

#include <string>
#include <vector>

#include "support/expect_error.h"
#include "support/files/archive_writer.h"
#include "support/files/params_writer.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/networks/tiny_models.h"
#include "support/run_op.h"

namespace mxinfer::test {
namespace {

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string symbol() {
  return read_file(kDigits + "/digits-symbol.json");
}
std::string params() {
  return read_file(kDigits + "/digits-0000.params");
}
std::string synset() {
  return read_file(kDigits + "/synset.txt");
}

void expect_same_numbers(const std::string& uri, const LoadOptions& options = {}) {
  const Tensor batch = random_tensor({2, 1, 32, 32}, 3, 0, 255);
  const auto model = Model::load(uri, options);
  const auto expected = Predictor(Model::load(kDigits)).predict({batch});
  const auto outputs = Predictor(model).predict({batch});
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(relative_difference(outputs[0], expected[0]), 0);
  EXPECT_EQ(model.warnings(), std::vector<std::string>());
}

TEST(ArchivedModel, AnyArchiveWithOnePair) {
  const TempDir dir;
  const std::pair<ArchiveFormat, const char*> kinds[] = {{ArchiveFormat::zip, "zip archive"},
                                                         {ArchiveFormat::tar, "tar archive"},
                                                         {ArchiveFormat::tar_gz, "tar.gz archive"}};
  for (const auto& [format, kind] : kinds) {
    const std::string path = dir.write("model.bin", ArchiveWriter(format)
                                                        .file("m/digits-symbol.json", symbol())
                                                        .file("m/digits-0000.params", params())
                                                        .file("m/synset.txt", synset())
                                                        .file("m/._digits-symbol.json", "from a Mac")
                                                        .file("README.md", "not read")
                                                        .finish());
    expect_same_numbers(path);
    EXPECT_EQ(Model::load(path).labels().size(), 10u);
    EXPECT_EQ(Model::load(path).name(), path);
    EXPECT_EQ(inspect_model(path).kind, kind);
  }
  EXPECT_EQ(inspect_model(kDigits).kind, "symbol and parameters");
}

TEST(ArchivedModel, OfSeveralEpochsOneMustBeChosen) {
  const TempDir dir;
  const std::string path = dir.write("m.zip", ArchiveWriter(ArchiveFormat::zip)
                                                  .file("digits-symbol.json", symbol())
                                                  .file("digits-0000.params", "damaged")
                                                  .file("digits-0007.params", params())
                                                  .file("other-0009.params", "of nobody")
                                                  .finish());
  EXPECT_MXINFER_ERROR(Model::load(path), ErrorCode::invalid_argument,
                       {path, "digits-0000.params, digits-0007.params; say which"});
  LoadOptions options;
  options.epoch = 7;
  expect_same_numbers(path, options);
  options.epoch = 3;
  EXPECT_MXINFER_ERROR(Model::load(path, options), ErrorCode::not_found,
                       {"epoch 3", "there are: digits-0000"});
}

TEST(ArchivedModel, SageMakerImageClassification) {
  const TempDir dir;
  const std::string path = dir.write(
      "model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz)
                          .file("./image-classification-symbol.json", symbol())
                          .file("./image-classification-0012.params", params())
                          .file("./model-shapes.json", R"([{"shape": [32, 1, 32, 32], "name": "data"}])")
                          .finish());
  expect_same_numbers(path);
  EXPECT_EQ(Model::load(path).signature().inputs[0].shape, (Shape{-1, 1, 32, 32}));
  EXPECT_EQ(inspect_model(path).kind, "SageMaker archive");
}

TEST(ArchivedModel, ShapesOfAnotherFileAreAdvice) {
  const TempDir dir;
  const std::string symbol_json = channel_means_json("");
  const auto load = [&](const std::string& shapes) {
    return Model::load(dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz)
                                                     .file("net-symbol.json", symbol_json)
                                                     .file("model-shapes.json", shapes)
                                                     .finish()));
  };
  const auto model = load(R"([["data", [8, 3, 6, 4]]])");
  EXPECT_EQ(model.signature().inputs[0].shape, (Shape{-1, 3, 6, 4}));
  EXPECT_EQ(model.signature().outputs[0].shape, (Shape{-1, 3}));
  EXPECT_EQ(Predictor(model).predict({random_tensor({1, 3, 2, 2}, 1, 0, 1)})[0].shape(), (Shape{1, 3}));

  for (const char* wrong :
       {"nonsense", "{}", "[1]", R"([{"name": "data"}])", R"([["data", [-2]]])",
        R"([["data", [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]]])"}) {
    const auto other = load(wrong);
    ASSERT_EQ(other.warnings().size(), 1u) << wrong;
    EXPECT_NE(other.warnings()[0].find("'model-shapes.json' is skipped"), std::string::npos);
  }
  EXPECT_NE(load(R"([["image", [8, 3]]])").warnings().at(0).find("'image'"), std::string::npos);
}

// What linear learner writes: a zip file in a tar.gz file.
TEST(ArchivedModel, SageMakerArchiveInAnArchive) {
  const TempDir dir;
  for (const auto& [symbol_name, params_name] :
       {std::pair("mx-mod-symbol.json", "mx-mod-0000.params"), std::pair("-symbol.json", "-0000.params"),
        std::pair("symbol.json", "params")}) {
    const std::string inner = ArchiveWriter(ArchiveFormat::zip)
                                  .file(symbol_name, symbol())
                                  .file(params_name, params())
                                  .file("manifest.json", "{}")
                                  .finish();
    const std::string path =
        dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz).file("model_algo-1", inner).finish());
    expect_same_numbers(path);
    EXPECT_EQ(inspect_model(path).kind, "SageMaker archive");
    const std::string deeper =
        dir.write("deeper.zip", ArchiveWriter(ArchiveFormat::zip).file("a.tar.gz", read_file(path)).finish());
    EXPECT_MXINFER_ERROR(Model::load(deeper), ErrorCode::not_found, {"deeper.zip › a.tar.gz › "});
  }
}

TEST(ArchivedModel, ObjectDetectionGoesByItsFiles) {
  const TempDir dir;
  expect_same_numbers(dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz)
                                                    .file("hyperparams.json", R"({"image_shape": "32"})")
                                                    .file("model_algo_1-symbol.json", symbol())
                                                    .file("model_algo_1-0000.params", params())
                                                    .finish()));
}

TEST(ArchivedModel, SegmentationSaysWhatIsMissing) {
  const TempDir dir;
  const std::string path = dir.write(
      "model.tar.gz",
      ArchiveWriter(ArchiveFormat::tar_gz)
          .file("hyperparams.json", R"({"algorithm": "fcn", "backbone": "resnet-50", "num_classes": "21"})")
          .file("model_algo-1", "something")
          .file("model_best.params", params())
          .finish());
  EXPECT_MXINFER_ERROR(Model::load(path), ErrorCode::unsupported,
                       {path, "semantic segmentation", "no -symbol.json", "algorithm fcn",
                        "backbone resnet-50", "num_classes 21", "hybridize", "export"});
}

TEST(ArchivedModel, ArraysWithoutANetworkSaySo) {
  const TempDir dir;
  const auto tar = [&](const std::string& name, const std::string& bytes) {
    return dir.write("model.tar.gz", ArchiveWriter(ArchiveFormat::tar_gz).file(name, bytes).finish());
  };
  const std::string centres =
      as_text(ParamsWriter()
                  .add("", dense_v2(DType::float32, {10, 2}, floats(std::vector<float>(20))))
                  .finish(false));
  const std::vector<std::string> k_means = {"model_algo-1", "float32 (10, 2)", "k-means",
                                            "centres of 10 clusters, of 2 values", "read_arrays"};
  EXPECT_MXINFER_ERROR(Model::load(tar("model_algo-1", centres)), ErrorCode::unsupported, k_means);
  EXPECT_MXINFER_ERROR(Model::load(dir.write("model_algo-1", centres)), ErrorCode::unsupported, k_means);
  const TempDir folder;
  folder.write("model_algo-1", centres);
  EXPECT_MXINFER_ERROR(Model::load(folder.path()), ErrorCode::unsupported, k_means);
  const std::string pca = as_text(ParamsWriter()
                                      .add("mean", dense_v2(DType::float32, {1, 2}, floats({0, 0})))
                                      .add("s", dense_v2(DType::float32, {1}, floats({1})))
                                      .add("v", dense_v2(DType::float32, {2, 1}, floats({1, 0})))
                                      .finish());
  EXPECT_MXINFER_ERROR(Model::load(tar("model_algo-1", pca)), ErrorCode::unsupported,
                       {"PCA", "'v' float32 (2, 1)"});
  EXPECT_MXINFER_ERROR(Model::load(tar("model_algo-1", params())), ErrorCode::not_found,
                       {"parameters of a network", "--params"});
  EXPECT_MXINFER_ERROR(Model::load(tar("net.params", params())), ErrorCode::not_found,
                       {"net.params", "-symbol.json", "export"});
  EXPECT_MXINFER_ERROR(Model::load(tar("a.txt", "x")), ErrorCode::not_found, {"no model", "a.txt"});
  EXPECT_MXINFER_ERROR(Model::load(dir.write("e.zip", ArchiveWriter(ArchiveFormat::zip).finish())),
                       ErrorCode::malformed, {"e.zip"});
}

TEST(ArchivedModel, AFileIsWhatItsContentsSay) {
  const TempDir dir;
  // As SageMaker's linear learner writes it.
  const std::string inner = ArchiveWriter(ArchiveFormat::zip)
                                .file("mx-mod-symbol.json", symbol())
                                .file("mx-mod-0000.params", params())
                                .file("additional-params.json", "{}")
                                .finish();
  expect_same_numbers(dir.write("a/model_algo-1", inner));
  expect_same_numbers(dir / "a");
  EXPECT_MXINFER_ERROR(Model::load(dir.write("b/weights", params())), ErrorCode::not_found,
                       {"'" + (dir / "b/weights") + "'", "parameters of a network", "--params"});
  dir.write("c/net.sym", symbol());
  dir.write("c/net-0000.params", params());
  expect_same_numbers(dir / "c/net.sym");
  EXPECT_MXINFER_ERROR(Model::load(dir.write("d", "version https://git-lfs.github.com/spec/v1\n")),
                       ErrorCode::unsupported, {"Git LFS pointer", "names no model"});
  EXPECT_MXINFER_ERROR(Model::load(dir.write("e", "text")), ErrorCode::unsupported,
                       {"is not a file that names"});
}

TEST(ArchivedModel, FromMemoryToo) {
  const std::string archive = ArchiveWriter(ArchiveFormat::zip)
                                  .file("a-symbol.json", symbol())
                                  .file("a-0000.params", params())
                                  .finish();
  EXPECT_MXINFER_ERROR(Model::load_memory(Span<const char>(archive), {}), ErrorCode::malformed,
                       {"zip archive", "load_archive"});
  const std::string text = symbol(), arrays = params();
  EXPECT_MXINFER_ERROR(Model::load_archive(Span<const char>(text)), ErrorCode::unsupported,
                       {"JSON", "load_memory"});
  EXPECT_MXINFER_ERROR(Model::load_archive(Span<const char>(arrays)), ErrorCode::unsupported,
                       {".params file", "load_memory"});
}

TEST(ArchivedModel, SeveralModelsInOneArchiveAreListed) {
  const TempDir dir;
  EXPECT_MXINFER_ERROR(Model::load(dir.write("m.zip", ArchiveWriter(ArchiveFormat::zip)
                                                          .file("a-symbol.json", symbol())
                                                          .file("b-symbol.json", symbol())
                                                          .finish())),
                       ErrorCode::invalid_argument, {"several models", "a-symbol.json, b-symbol.json"});
}

ArchiveWriter server_archive(const std::string& manifest_name, const std::string& manifest) {
  ArchiveWriter writer(ArchiveFormat::zip);
  writer.file(manifest_name, manifest)
      .file("service.py", "raise SystemExit")
      .file("synset.txt", synset())
      .file("signature.json", R"({"input_type": "image/jpeg", "output_type": "application/json",
          "inputs": [{"data_name": "data", "data_shape": [1, 1, 32, 32]}],
          "outputs": [{"data_name": "softmax", "data_shape": [1, 10]}]})");
  return writer;
}

TEST(ArchivedModel, ModelServerArchives) {
  const TempDir dir;
  const std::string newer = dir.write(
      "digits.mar", server_archive("MAR-INF/MANIFEST.json",
                                   R"({"specificationVersion": "1.0", "model": {"modelName": "digits",
                                       "handler": "service.py:handle"}})")
                        .file("digits-symbol.json", symbol())
                        .file("digits-0000.params", params())
                        .finish());
  expect_same_numbers(newer);
  EXPECT_EQ(inspect_model(newer).kind, "model server archive (.mar)");
  EXPECT_EQ(Model::load(newer).labels().size(), 10u);
  EXPECT_EQ(Model::load(newer).signature().inputs[0].shape, (Shape{-1, 1, 32, 32}));

  // The manifest says which of two it is.
  const std::string older =
      dir.write("digits.model", server_archive("MANIFEST.json",
                                               R"({"Model": {"Parameters": "weights", "Symbol": "net.json",
                                         "Signature": "signature.json", "Model-Format": "MXNet-Symbolic"}})")
                                    .file("other-symbol.json", "{}")
                                    .file("net.json", symbol())
                                    .file("weights", params())
                                    .finish());
  expect_same_numbers(older);
  EXPECT_EQ(inspect_model(older).kind, "model server archive (.model)");
}

TEST(ArchivedModel, AManifestMayNameFilesThatAreNotThere) {
  const TempDir dir;
  const std::string path =
      dir.write("digits.model",
                server_archive("MANIFEST.json",
                               R"({"Model": {"Parameters": "x-0000.params", "Symbol": "x-symbol.json"}})")
                    .file("digits-symbol.json", symbol())
                    .file("digits-0000.params", params())
                    .finish());
  const auto model = Model::load(path);
  ASSERT_EQ(model.warnings().size(), 2u);
  EXPECT_NE(model.warnings()[0].find("'x-symbol.json'"), std::string::npos);
  EXPECT_MXINFER_ERROR(
      Model::load(dir.write(
          "g.model",
          server_archive("MANIFEST.json", R"({"Model": {"Model-Format": "Gluon-Imperative"}})").finish())),
      ErrorCode::unsupported, {"Python program", "hybridize"});
  EXPECT_MXINFER_ERROR(Model::load(dir.write("g.model", server_archive("MANIFEST.json", "[]").finish())),
                       ErrorCode::malformed, {"g.model › MANIFEST.json › the manifest"});
}

TEST(ArchivedModel, AFolderMayHoldOneArchive) {
  const TempDir dir;
  const std::string archive = ArchiveWriter(ArchiveFormat::tar_gz)
                                  .file("digits-symbol.json", symbol())
                                  .file("digits-0000.params", params())
                                  .finish();
  dir.write("model.tar.gz", archive);
  dir.write("notes.txt", "text");
  expect_same_numbers(dir.path());
  dir.write("other.tar.gz", archive);
  EXPECT_MXINFER_ERROR(Model::load(dir.path()), ErrorCode::invalid_argument,
                       {"several archives", "model.tar.gz, other.tar.gz"});
}

TEST(ArchivedModel, ErrorsNameTheArchiveAndTheMember) {
  const TempDir dir;
  const auto zip = [&](const std::string& symbol_json, const std::string& arrays) {
    return dir.write("m.zip", ArchiveWriter(ArchiveFormat::zip)
                                  .file("net-symbol.json", symbol_json)
                                  .file("net-0000.params", arrays)
                                  .finish());
  };
  EXPECT_MXINFER_ERROR(Model::load(zip("nonsense", params())), ErrorCode::malformed,
                       {"m.zip › net-symbol.json › not JSON"});
  EXPECT_MXINFER_ERROR(Model::load(zip(symbol(), params().substr(0, 1000))), ErrorCode::malformed,
                       {"m.zip › net-0000.params › array"});
  EXPECT_MXINFER_ERROR(Model::load(dir.write("cut.tar.gz", "\x1f\x8b")), ErrorCode::malformed,
                       {"cut.tar.gz › ", "cut short"});
  LoadOptions options;
  options.graph = "train";
  EXPECT_MXINFER_ERROR(Model::load(zip(symbol(), params()), options), ErrorCode::invalid_argument,
                       {"graph 'train'", "not a bundle"});
  EXPECT_MXINFER_ERROR(Model::load(kDigits, options), ErrorCode::invalid_argument,
                       {"graph 'train'", "not a bundle"});
  SignOptions sign_options;
  sign_options.output_prefix = dir / "signed";
  EXPECT_MXINFER_ERROR(sign_model(zip(symbol(), params()), sign_options), ErrorCode::invalid_argument,
                       {"m.zip", "unpack"});
}

}  // namespace
}  // namespace mxinfer::test
