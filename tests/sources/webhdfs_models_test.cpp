// Whole models from webhdfs:// and hdfs:// addresses.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sources/digest.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/run_op.h"
#include "support/servers/environment_variable.h"
#include "support/servers/webhdfs_server.h"

namespace mxinfer {
namespace {

using test::EnvironmentVariable;
using test::WebHdfsServer;
using State = WebHdfsServer::State;

using test::kDigits;

class WebHdfsModels : public testing::Test {
 protected:
  WebHdfsModels() {
    for (const char* name : {"digits-symbol.json", "digits-0000.params", "synset.txt"})
      server.put(std::string("/models/digits/") + name, test::read_file(kDigits + "/" + name));
    server.put("/archives/digits.mxz", test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz"));
    options.remote.cache_folder = copies / "copies";
    options.remote.retries = 2;
  }

  [[nodiscard]] std::string address(const std::string& path) const {
    return "webhdfs://" + server.name_nodes() + path;
  }
  [[nodiscard]] Model load(const std::string& path) const { return Model::load(address(path), options); }

  static std::vector<float> scores(const Model& model) {
    const Tensor input = test::random_tensor({1, 1, 32, 32}, 5, 0.0F, 255.0F);
    const std::vector<Tensor> outputs = Predictor(model).predict({input});
    return {outputs[0].data<float>(), outputs[0].data<float>() + outputs[0].elements()};
  }
  static void expect_digits(const Model& model) {
    EXPECT_EQ(scores(model), scores(Model::load(kDigits)));
    EXPECT_EQ(model.labels().size(), 10U);
  }
  static std::string bytes(char fill, std::size_t count) { return std::string(count, fill); }

  EnvironmentVariable no_user{"HADOOP_USER_NAME"}, no_token{"HADOOP_TOKEN"}, no_folder{"HADOOP_CONF_DIR"},
      no_home{"HADOOP_HOME"};
  test::TempDir copies;
  WebHdfsServer server{2};
  LoadOptions options;
};

TEST_F(WebHdfsModels, ComeFromAPrefixAPairAFolderAndAnArchive) {
  expect_digits(load("/models/digits/digits"));
  expect_digits(load("/models/digits/digits-symbol.json"));
  expect_digits(load("/models/digits/digits-0000.params"));
  expect_digits(load("/models/digits"));
  expect_digits(load("/models/digits/"));
  EXPECT_EQ(load("/archives/digits.mxz").labels().size(), 10U);
  EXPECT_EQ(load("/archives/").labels().size(), 10U);
  EXPECT_EQ(load("/models/digits/digits").name(), address("/models/digits/digits"));
}

TEST_F(WebHdfsModels, AnArchiveMayHaveAnyName) {
  server.put("/archives/model", test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz"));
  EXPECT_EQ(load("/archives/model").labels().size(), 10U);
}

TEST_F(WebHdfsModels, TheEpochIsFoundInTheList) {
  const std::string params = test::read_file(kDigits + "/digits-0000.params");
  server.erase("/models/digits/digits-0000.params");
  server.put("/models/digits/digits-0012.params", params);
  expect_digits(load("/models/digits/digits"));
  server.put("/models/digits/digits-0013.params", params);
  EXPECT_MXINFER_ERROR(load("/models/digits/digits"), ErrorCode::invalid_argument,
                       {"digits-0012.params", "digits-0013.params", "epoch"});
  options.epoch = 13;
  expect_digits(load("/models/digits"));
  options.epoch = 3;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::not_found, {"epoch 3", "digits-0012.params"});
}

TEST_F(WebHdfsModels, FoldersNeedNotBeListed) {
  server.restrict_to("/models/digits", "alice");
  options.remote.hdfs.user = "bob";
  expect_digits(load("/models/digits/digits"));
}

TEST_F(WebHdfsModels, LabelsNeedNotBeThere) {
  server.erase("/models/digits/synset.txt");
  server.forget_requests();
  EXPECT_TRUE(load("/models/digits").labels().empty());
}

TEST_F(WebHdfsModels, WhatIsNotThereIsSaid) {
  EXPECT_MXINFER_ERROR(load("/models/none"), ErrorCode::not_found, {"/models/none-symbol.json"});
  server.make_folder("/models/full/deeper");
  server.make_folder("/models/full");
  EXPECT_MXINFER_ERROR(load("/models/full"), ErrorCode::not_found, {"holds no model", "deeper/"});
}

TEST_F(WebHdfsModels, FoldersWithNothingInThemAreNotFound) {
  server.make_folder("/models/nothing");
  EXPECT_MXINFER_ERROR(load("/models/nothing/"), ErrorCode::not_found, {"/models/nothing/"});
  EXPECT_MXINFER_ERROR(load("/nowhere/"), ErrorCode::not_found, {"/nowhere/"});
}

TEST_F(WebHdfsModels, NamesMayHaveAnyCharacters) {
  for (const char* ending : {"-symbol.json", "-0000.params"})
    server.put(std::string("/my models/a=1,50%/digits") + ending,
               test::read_file(kDigits + "/digits" + ending));
  EXPECT_EQ(scores(load("/my%20models/a=1,50%25/digits")), scores(Model::load(kDigits)));
  EXPECT_EQ(scores(load("/my%20models/a=1,50%25/")), scores(Model::load(kDigits)));
}

TEST_F(WebHdfsModels, AreFetchedOnce) {
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.count("data node"), 3);
  server.forget_requests();
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.count("data node"), 0);
  EXPECT_EQ(server.count("op=OPEN"), 0);
  EXPECT_GE(server.count("op=GETFILESTATUS"), 3) << "whether they are what they were";
  // By the other name node, for it is the same cluster.
  server.set_state(0, State::standby);
  server.set_state(1, State::active);
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.count("data node"), 0);
}

TEST_F(WebHdfsModels, AreFetchedAgainWhenTheyHaveChanged) {
  expect_digits(load("/models/digits"));
  server.put("/models/digits/synset.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  server.forget_requests();
  EXPECT_EQ(load("/models/digits").labels().front(), "a");
  EXPECT_EQ(server.count("data node"), 1);
  // Another of the same size: its time alone tells.
  server.put("/models/digits/synset.txt", "k\nb\nc\nd\ne\nf\ng\nh\ni\nj\n");
  EXPECT_EQ(load("/models/digits").labels().front(), "k");
}

TEST_F(WebHdfsModels, FollowThePolicy) {
  options.remote.cache = CachePolicy::offline;
  EXPECT_MXINFER_ERROR(load("/models/digits/digits"), ErrorCode::not_found, {"offline"});
  EXPECT_TRUE(server.requests().empty());
  options.remote.cache = CachePolicy::use;
  expect_digits(load("/models/digits/digits"));
  server.forget_requests();
  options.remote.cache = CachePolicy::offline;
  expect_digits(load("/models/digits/digits"));
  EXPECT_TRUE(server.requests().empty());
  options.remote.cache = CachePolicy::none;
  expect_digits(load("/models/digits/digits"));
  EXPECT_EQ(server.count("data node"), 3);
}

TEST_F(WebHdfsModels, AreCheckedBeforeTheyAreRead) {
  options.sha256 = {sources::sha256_hex(test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz"))};
  EXPECT_EQ(load("/archives/digits.mxz").labels().size(), 10U);
  server.put("/archives/digits.mxz", test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz") + " ");
  EXPECT_MXINFER_ERROR(load("/archives/digits.mxz"), ErrorCode::malformed, {"SHA-256", "digits.mxz"});
}

TEST_F(WebHdfsModels, GoOnWhereTheDataNodeBroke) {
  WebHdfsServer::Faults faults;
  faults.data_node_cuts = 4;
  faults.data_node_fails = 1;
  server.set_faults(faults);
  expect_digits(load("/models/digits"));
  EXPECT_GE(server.count("data node"), 3 + 5);
}

TEST_F(WebHdfsModels, AreGivenUpWhenNothingComesOfIt) {
  WebHdfsServer::Faults faults;
  faults.data_node_fails = 1000;
  server.set_faults(faults);
  options.remote.retries = 1;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::network, {"500", "digits-symbol.json", "2 times"});
}

TEST_F(WebHdfsModels, LargeFilesComeInParts) {
  const std::string large = bytes('a', 9 << 20) + bytes('b', 9 << 20) + bytes('c', 1 << 20);
  server.put("/archives/large.tar", large);
  options.sha256 = {sources::sha256_hex(large)};
  // Its bytes are right, so that what is wrong is that it is no archive.
  EXPECT_MXINFER_ERROR(load("/archives/large.tar"), ErrorCode::unsupported, {"large.tar"});
  EXPECT_GE(server.count("data node"), 3);
  options.remote.max_file_bytes = 1 << 20;
  options.remote.cache = CachePolicy::none;
  EXPECT_MXINFER_ERROR(load("/archives/large.tar"), ErrorCode::invalid_argument,
                       {"max_file_bytes", "large.tar"});
}

TEST_F(WebHdfsModels, TheActiveNameNodeIsFound) {
  server.set_state(0, State::standby);
  server.set_state(1, State::active);
  expect_digits(load("/models/digits"));
  EXPECT_LE(server.count("name node 0"), 3) << "once by each of what was asked for at first";
  server.set_state(1, State::standby);
  options.remote.retries = 0;
  EXPECT_MXINFER_ERROR(
      load("/models/digits"), ErrorCode::network,
      {"no name node is active", std::to_string(server.port(0)), std::to_string(server.port(1))});
}

TEST_F(WebHdfsModels, HdfsAddressesLeadThereToo) {
  expect_digits(
      Model::load("hdfs://127.0.0.1:" + std::to_string(server.port(0)) + "/models/digits", options));
  options.remote.hdfs.name_nodes = {"127.0.0.1:" + std::to_string(server.port(0))};
  expect_digits(Model::load("hdfs:///models/digits", options));
  expect_digits(Model::load("hdfs://anything:8020/models/digits", options));
}

TEST_F(WebHdfsModels, TokensAreInNoNameMessageOrNote) {
  server.add_token("s3cret", "alice");
  options.remote.hdfs.delegation_token = "s3cret";
  EXPECT_EQ(load("/models/digits").name().find("s3cret"), std::string::npos);
  server.restrict_to("/models/digits/digits-0000.params", "bob");
  options.remote.cache = CachePolicy::refresh;
  try {
    static_cast<void>(load("/models/digits"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("Permission denied"), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find("s3cret"), std::string::npos) << e.what();
  }
  for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder)) {
    EXPECT_EQ(entry.path().string().find("s3cret"), std::string::npos);
    EXPECT_EQ(test::read_file(entry.path().string()).find("s3cret"), std::string::npos) << entry.path();
  }
}

TEST_F(WebHdfsModels, AreFetchedByManyAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([this] { expect_digits(load("/models/digits")); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.count("data node: GET /webhdfs/v1/models/digits/digits-0000.params"), 1);
}

}  // namespace
}  // namespace mxinfer
