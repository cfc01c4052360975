// Images, labels and pairs of files from addresses.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "sources/digest.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/run_op.h"
#include "support/servers/http_server.h"

namespace mxinfer {
namespace {

using Labels = std::vector<Classification>;

const std::string kModel = MXINFER_SOURCE_DIR "/models/digits/digits";
const std::string kImages = MXINFER_SOURCE_DIR "/examples/images/";

void expect_same(const Labels& a, const Labels& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].label, b[i].label);
    EXPECT_EQ(a[i].score, b[i].score);
  }
}

class RemoteImages : public testing::Test {
 protected:
  RemoteImages() {
    for (const std::string name : {"one.jpg", "two.png", "seven.jpg"})
      server.files["/" + name] = test::read_file(kImages + name);
    server.files["/text.jpg"] = "no image";
    load.remote.cache_folder = folder / "copies";
    load.remote.retries = 0;
  }

  ImageClassifier classifier() const { return ImageClassifier(kModel, {}, load); }

  test::TempDir folder;
  test::HttpServer server;
  LoadOptions load;
};

TEST_F(RemoteImages, AreClassifiedAsFilesAre) {
  const ImageClassifier digits = classifier();
  const Labels expected = digits.classify_file(kImages + "seven.jpg", 5);
  EXPECT_EQ(expected[0].label, "seven");
  expect_same(digits.classify_file(server.address("/seven.jpg"), 5), expected);
  expect_same(digits.classify_file("file://" + kImages + "seven.jpg", 5), expected);
  expect_same(digits.classify_file_async(server.address("/seven.jpg"), 5).get(), expected);
  EXPECT_FALSE(std::filesystem::exists(load.remote.cache_folder)) << "no copy is kept";
}

TEST_F(RemoteImages, OfAListComeInItsOrder) {
  const ImageClassifier digits = classifier();
  std::vector<std::string> list, paths;
  for (int i = 0; i < 40; ++i) {
    const std::string name = std::vector<std::string>{"one.jpg", "two.png", "seven.jpg"}[(i * 7 + i / 5) % 3];
    paths.push_back(kImages + name);
    list.push_back(i % 4 == 0   ? paths.back()
                   : i % 4 == 1 ? "file://" + paths.back()
                                : server.address("/" + name));
  }
  const auto expected = digits.classify_files(paths, 1);
  const auto found = digits.classify_files(list, 1);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_same(found[i], expected[i]);
}

TEST_F(RemoteImages, HaveErrorsOfTheirOwn) {
  const ImageClassifier digits = classifier();
  server.statuses["/secret.jpg"] = 403;
  const std::vector<std::string> list = {
      server.address("/one.jpg"), server.address("/none.jpg?key=geheim"), server.address("/text.jpg"),
      kImages + "none.jpg",       server.address("/two words.jpg"),       server.address("/secret.jpg"),
      "nowhere://one.jpg",        "http://127.0.0.1:1/one.jpg",           server.address("/seven.jpg")};
  std::vector<ItemError> errors;
  const auto found = digits.classify_files(list, 1, &errors);
  EXPECT_EQ(found[0][0].label, "one");
  EXPECT_EQ(found[8][0].label, "seven");
  const std::vector<ErrorCode> codes = {
      ErrorCode::not_found, ErrorCode::malformed,   ErrorCode::not_found, ErrorCode::invalid_argument,
      ErrorCode::network,   ErrorCode::unsupported, ErrorCode::network};
  ASSERT_EQ(errors.size(), codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_EQ(errors[i].item, i + 1);
    EXPECT_EQ(errors[i].error.code(), codes[i]) << errors[i].error.what();
    EXPECT_EQ(std::string(errors[i].error.what()).find("geheim"), std::string::npos);
    EXPECT_TRUE(found[i + 1].empty());
  }
  EXPECT_EQ(std::string(errors[1].error.what()).rfind(server.address("/text.jpg"), 0), 0U)
      << errors[1].error.what();
  EXPECT_MXINFER_ERROR(digits.classify_files(list), ErrorCode::not_found, {"none.jpg"});
  EXPECT_MXINFER_ERROR(digits.classify_file(list[1]), ErrorCode::not_found, {"/none.jpg"});
}

TEST_F(RemoteImages, ShareConnections) {
  const ImageClassifier digits = classifier();
  const std::vector<std::string> list(1000, server.address("/one.jpg"));
  for (const Labels& labels : digits.classify_files(list, 1)) EXPECT_EQ(labels[0].label, "one");
  EXPECT_EQ(server.requests().size(), 1000U);
  EXPECT_LE(server.connections(), load.remote.connections);
}

TEST_F(RemoteImages, AreFetchedAsTheirModelSays) {
  server.files["/digits-symbol.json"] = test::read_file(kModel + "-symbol.json");
  server.files["/digits-0000.params"] = test::read_file(kModel + "-0000.params");
  load.remote.headers = {"X-Key: 1"};
  const ImageClassifier digits(server.address("/digits"), {}, load);
  server.forget_requests();
  static_cast<void>(digits.classify_file(server.address("/one.jpg"), 1));
  EXPECT_EQ(server.count("X-Key: 1"), 1);
}

TEST_F(RemoteImages, AreOneCallOfAList) {
  const ImageClassifier digits = classifier();
  const std::vector<std::string> list(20, server.address("/one.jpg"));
  static_cast<void>(digits.classify_files(list, 1));
  static_cast<void>(digits.classify_file(list[0]));
  EXPECT_EQ(digits.metrics().submitted, 2U);
  EXPECT_EQ(digits.metrics().done, 2U);
  EXPECT_MXINFER_ERROR(digits.classify_file(server.address("/none")), ErrorCode::not_found, {"/none"});
  EXPECT_MXINFER_ERROR(digits.classify_files({server.address("/none"), list[0]}), ErrorCode::not_found,
                       {"/none"});
  EXPECT_EQ(digits.metrics().failed, 2U);
}

TEST_F(RemoteImages, OfModelsFromMemory) {
  const std::string symbol = test::read_file(kModel + "-symbol.json");
  const std::string params = test::read_file(kModel + "-0000.params");
  const Model model = Model::load_memory(symbol, params, load);
  EXPECT_EQ(ImageClassifier(model).classify_file(server.address("/seven.jpg"), 1)[0].index, 7);
}

TEST_F(RemoteImages, AreSearchedForObjects) {
  DetectorOptions options;
  options.preprocess = Preprocess::preset("imagenet");
  options.preprocess.resize = ResizePolicy::stretch;
  const ObjectDetector detector(std::string(MXINFER_SOURCE_DIR) + "/tests/golden/ssd/ssd", options, load);
  DetectOptions detect;
  detect.score_threshold = 0;
  const auto expected = detector.detect_file(kImages + "seven.jpg", detect);
  const auto expect_found = [&](const std::vector<Detection>& found) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].score, expected[i].score);
      EXPECT_EQ(found[i].box.left, expected[i].box.left);
    }
  };
  EXPECT_FALSE(expected.empty());
  expect_found(detector.detect_file(server.address("/seven.jpg"), detect));
  expect_found(detector.detect_file_async(server.address("/seven.jpg"), detect).get());
  std::vector<ItemError> errors;
  const auto rows =
      detector.detect_files({server.address("/none"), server.address("/seven.jpg")}, detect, &errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].item, 0U);
  expect_found(rows[1]);
}

TEST_F(RemoteImages, LabelsComeFromAddresses) {
  server.files["/labels.txt"] = "a\nb\n";
  EXPECT_EQ(load_labels(server.address("/labels.txt"), load), (std::vector<std::string>{"a", "b"}));
  EXPECT_MXINFER_ERROR(load_labels(server.address("/none.txt"), load), ErrorCode::not_found, {"/none.txt"});
  EXPECT_EQ(load_labels("file://" + folder.write("labels.txt", "c\n")), std::vector<std::string>{"c"});
}

TEST_F(RemoteImages, PairsOfFilesComeFromAddresses) {
  server.files["/net.json"] = test::read_file(kModel + "-symbol.json");
  server.files["/weights"] = test::read_file(kModel + "-0000.params");
  const std::string symbol = server.address("/net.json"), params = server.address("/weights");
  const std::string of_symbol = sources::sha256_hex(server.files["/net.json"]);
  const std::string of_params = sources::sha256_hex(server.files["/weights"]);
  EXPECT_EQ(Model::load_files(symbol, params, load).name(), symbol);
  EXPECT_EQ(Model::load_files(kModel + "-symbol.json", params, load).name(), kModel + "-symbol.json");
  static_cast<void>(
      Model::load_files(symbol + "#sha256=" + of_symbol, params + "#sha256=" + of_params, load));
  EXPECT_MXINFER_ERROR(Model::load_files(symbol, params + "#sha256=" + of_symbol, load), ErrorCode::malformed,
                       {"/weights", of_symbol});
  load.sha256 = {of_symbol};
  EXPECT_MXINFER_ERROR(Model::load_files(symbol, params, load), ErrorCode::malformed,
                       {"/weights", of_params});
  load.sha256.push_back(of_params);
  static_cast<void>(Model::load_files(symbol, params, load));
  EXPECT_MXINFER_ERROR(Model::load_files(symbol, server.address("/none"), load), ErrorCode::not_found,
                       {"/none", "nothing"});
}

}  // namespace
}  // namespace mxinfer
