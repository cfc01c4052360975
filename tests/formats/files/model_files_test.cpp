#include "formats/files/model_files.h"

#include <gtest/gtest.h>

#include <string>

#include "base/fail.h"
#include "support/files/temp_dir.h"

namespace mxinfer::formats {
namespace {

class ModelFilesTest : public testing::Test {
 protected:
  ModelFiles find(const std::string& name, std::optional<int> epoch = {}) {
    return find_model(folder_ / name, epoch);
  }
  void expect_error(ErrorCode code, std::vector<std::string> parts, const std::string& name,
                    std::optional<int> epoch = {}) {
    try {
      find(name, epoch);
      ADD_FAILURE() << name << ": no error";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      for (const auto& part : parts)
        EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
    }
  }
  test::TempDir folder_;
};

TEST_F(ModelFilesTest, OneModelIsFoundByPrefixFileOrFolder) {
  folder_.write("net-symbol.json");
  folder_.write("net-0007.params");
  for (const std::string& name :
       {std::string("net"), std::string("net-symbol.json"), std::string("net-0007.params"), std::string()}) {
    const ModelFiles files = find(name);
    EXPECT_EQ(files.symbol, folder_ / "net-symbol.json") << name;
    EXPECT_EQ(files.params, folder_ / "net-0007.params");
    EXPECT_EQ(files.prefix, folder_ / "net");
    EXPECT_EQ(files.epoch, 7);
    EXPECT_EQ(files.labels, "");
  }
  EXPECT_EQ(find_model("file://" + (folder_ / "net"), {}).symbol, folder_ / "net-symbol.json");
  EXPECT_EQ(find_model("file://localhost" + (folder_ / "net"), {}).symbol, folder_ / "net-symbol.json");
  EXPECT_EQ(find_model(folder_.path() + "/", {}).symbol, folder_ / "net-symbol.json");
}

TEST_F(ModelFilesTest, LabelsBesideTheModelAreFound) {
  folder_.write("net-symbol.json");
  folder_.write("synset.txt");
  EXPECT_EQ(find("net").labels, folder_ / "synset.txt");
}

TEST_F(ModelFilesTest, SeveralEpochsNeedTheEpoch) {
  folder_.write("net-symbol.json");
  folder_.write("net-0000.params");
  folder_.write("net-0010.params");
  folder_.write("net-12345.params");
  folder_.write("net-best.params");
  folder_.write("net-1.params");
  folder_.write("network-0002.params");
  expect_error(ErrorCode::invalid_argument, {"net-0000.params, net-0010.params, net-12345.params;", "epoch"},
               "net");
  EXPECT_EQ(find("net", 10).params, folder_ / "net-0010.params");
  EXPECT_EQ(find("", 12345).params, folder_ / "net-12345.params");
  EXPECT_EQ(find("net-0010.params").params, folder_ / "net-0010.params");
  expect_error(ErrorCode::not_found, {"epoch 3", "there are: net-0000.params"}, "net", 3);
  expect_error(ErrorCode::invalid_argument, {"epoch is -1"}, "net", -1);
}

TEST_F(ModelFilesTest, ANetworkMayHaveNoParameters) {
  folder_.write("net-symbol.json");
  EXPECT_EQ(find("net").params, "");
  EXPECT_FALSE(find("net").epoch.has_value());
  expect_error(ErrorCode::not_found, {"epoch 0", "there are none"}, "net", 0);
  folder_.write("net.params");
  EXPECT_EQ(find("net").params, folder_ / "net.params");
}

TEST_F(ModelFilesTest, SeveralModelsInAFolderAreListed) {
  folder_.write("a-symbol.json");
  folder_.write("b-symbol.json");
  expect_error(ErrorCode::invalid_argument, {"several models: a-symbol.json, b-symbol.json"}, "");
}

TEST_F(ModelFilesTest, APrefixWinsOverAFolderOfThatName) {
  folder_.write("net-symbol.json");
  folder_.write("net/other-symbol.json");
  EXPECT_EQ(find("net").symbol, folder_ / "net-symbol.json");
  EXPECT_EQ(find("net/").symbol, folder_ / "net/other-symbol.json");
}

TEST_F(ModelFilesTest, ASymbolFileOfAnotherNameIsTaken) {
  folder_.write("symbol.json");
  folder_.write("symbol-0000.params");
  EXPECT_EQ(find("symbol.json").params, folder_ / "symbol-0000.params");
}

TEST_F(ModelFilesTest, WhatIsMissingIsSaid) {
  folder_.write("deep/net-symbol.json");
  folder_.write("gluon/net.params");
  folder_.write("archive.tar.gz");
  folder_.write("gzip", "\x1f\x8b\x08");
  folder_.write("empty/readme");
  expect_error(ErrorCode::not_found, {"net-symbol.json", "neither"}, "net");
  expect_error(ErrorCode::not_found, {"the models in", "net-symbol.json"}, "deep/nett");
  expect_error(ErrorCode::not_found, {"does not exist"}, "nowhere/net");
  expect_error(ErrorCode::not_found, {"net.params", "save_parameters", "export()"}, "gluon");
  expect_error(ErrorCode::not_found, {"net-symbol.json", "save_parameters"}, "gluon/net.params");
  expect_error(ErrorCode::not_found, {"no file there ends in -symbol.json"}, "empty");
  expect_error(ErrorCode::unsupported, {"archive.tar.gz", "an archive (zip, tar, tar.gz)"}, "archive.tar.gz");
  EXPECT_EQ(find("gzip").archive, folder_ / "gzip");
  EXPECT_THROW(find_model("", {}), Error);
  EXPECT_THROW(find_model("https://example.com/net", {}), Error);
}

TEST_F(ModelFilesTest, ParametersWithoutANetworkSaySoOfFolderAndPrefix) {
  folder_.write("gluon/net-0000.params");
  for (const std::string& name :
       {std::string("gluon"), std::string("gluon/net"), std::string("gluon/net-0000.params")})
    expect_error(ErrorCode::not_found, {"net", "symbol.json", "save_parameters", "export()"}, name);
  folder_.write("gluonts/prediction_net-0000.params");
  folder_.write("gluonts/prediction_net-network.json");
  for (const std::string& name : {std::string("gluonts"), std::string("gluonts/prediction_net"),
                                  std::string("gluonts/prediction_net-0000.params")})
    expect_error(ErrorCode::not_found, {"symbol.json", "GluonTS", "as_symbol_block_predictor"}, name);
}

}  // namespace
}  // namespace mxinfer::formats
