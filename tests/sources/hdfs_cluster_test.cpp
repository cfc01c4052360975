// Which name nodes an address leads to, and which of them is asked.
#include "sources/remote/hdfs/hdfs_cluster.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "sources/remote/hdfs/name_nodes.h"
#include "support/expect_error.h"
#include "support/servers/environment_variable.h"

namespace mxinfer::sources {
namespace {

using Nodes = std::vector<std::string>;

HadoopConfig config_of(const std::vector<std::pair<std::string, std::string>>& properties) {
  HadoopConfig config;
  for (const auto& [name, value] : properties)
    config.add("<property><name>" + name + "</name><value>" + value + "</value></property>");
  return config;
}

HdfsCluster cluster_of(const std::string& address, const HadoopConfig& config = {},
                       const HdfsOptions& options = {}) {
  return find_cluster(parse_address(address), options, config);
}

Nodes nodes_of(const std::string& address, const HadoopConfig& config = {}) {
  return cluster_of(address, config).name_nodes;
}

TEST(HdfsCluster, PortsAreOfHttpOrOfRpc) {
  EXPECT_EQ(nodes_of("webhdfs://nn1/x"), Nodes{"http://nn1:9870"});
  EXPECT_EQ(nodes_of("webhdfs://nn1:8020/x"), Nodes{"http://nn1:8020"});
  EXPECT_EQ(nodes_of("swebhdfs://nn1/x"), Nodes{"https://nn1:9871"});
  EXPECT_EQ(nodes_of("swebhdfs://nn1:50470/x"), Nodes{"https://nn1:50470"});
  EXPECT_EQ(nodes_of("hdfs://nn1/x"), Nodes{"http://nn1:9870"});
  for (const char* rpc : {"8020", "8021", "9000"})
    EXPECT_EQ(nodes_of(std::string("hdfs://nn1:") + rpc + "/x"), Nodes{"http://nn1:9870"}) << rpc;
  EXPECT_EQ(nodes_of("hdfs://nn1:50070/x"), Nodes{"http://nn1:50070"});
  EXPECT_EQ(nodes_of("hdfs://[::1]:9870/x"), Nodes{"http://[::1]:9870"});
  EXPECT_EQ(nodes_of("webhdfs://[::1]/x"), Nodes{"http://[::1]:9870"});
  EXPECT_EQ(nodes_of("webhdfs://nn1:9870,nn2/x"), (Nodes{"http://nn1:9870", "http://nn2:9870"}));
}

TEST(HdfsCluster, TakesTheAddressOfTheHostFromTheConfiguration) {
  const HadoopConfig by_http = config_of({{"dfs.namenode.http-address", "nn1.example:50070"}});
  EXPECT_EQ(nodes_of("hdfs://nn1.example:8020/x", by_http), Nodes{"http://nn1.example:50070"});
  EXPECT_EQ(nodes_of("hdfs://other:8020/x", by_http), Nodes{"http://other:9870"});
  const HadoopConfig by_rpc = config_of({{"dfs.namenode.rpc-address.a.nn1", "nn1.example:8020"},
                                         {"dfs.namenode.http-address.a.nn1", "0.0.0.0:50071"}});
  EXPECT_EQ(nodes_of("hdfs://nn1.example/x", by_rpc), Nodes{"http://nn1.example:50071"});
  const HadoopConfig wildcard = config_of(
      {{"fs.defaultFS", "hdfs://nn1.example:9000"}, {"dfs.namenode.http-address", "0.0.0.0:50072"}});
  EXPECT_EQ(nodes_of("hdfs://nn1.example:9000/x", wildcard), Nodes{"http://nn1.example:50072"});
  EXPECT_EQ(nodes_of("hdfs://other:9000/x", wildcard), Nodes{"http://other:9870"});
  const HadoopConfig https = config_of({{"dfs.http.policy", "HTTPS_ONLY"},
                                        {"dfs.namenode.http-address", "nn1.example:50070"},
                                        {"dfs.namenode.https-address", "nn1.example:50470"}});
  EXPECT_EQ(nodes_of("hdfs://nn1.example/x", https), Nodes{"https://nn1.example:50470"});
  EXPECT_EQ(nodes_of("webhdfs://nn1.example/x", https), Nodes{"http://nn1.example:9870"});
}

const HadoopConfig& service() {
  static const HadoopConfig& config = *new HadoopConfig(config_of({
      {"fs.defaultFS", "hdfs://models"},
      {"dfs.nameservices", "other, models,single,nothing"},
      {"dfs.ha.namenodes.models", "nn1, nn2,nn3"},
      {"dfs.namenode.http-address.models.nn1", "one.example:50070"},
      {"dfs.namenode.https-address.models.nn1", "one.example:50470"},
      {"dfs.namenode.rpc-address.models.nn2", "two.example:8020"},
      {"dfs.namenode.http-address.models.nn2", "0.0.0.0:50071"},
      {"dfs.namenode.rpc-address.models.nn3", "three.example:8020"},
      {"dfs.namenode.http-address.single", "${dfs.host}:50070"},
      {"dfs.host", "single.example"},
  }));
  return config;
}

TEST(HdfsCluster, TakesTheNameNodesOfAService) {
  const Nodes nodes{"http://one.example:50070", "http://two.example:50071", "http://three.example:9870"};
  for (const char* address : {"hdfs://models/x", "webhdfs://models/x", "hdfs:///x", "webhdfs:///x"}) {
    EXPECT_EQ(nodes_of(address, service()), nodes) << address;
    EXPECT_EQ(cluster_of(address, service()).name, "models") << address;
  }
  EXPECT_EQ(nodes_of("swebhdfs://models/x", service()),
            (Nodes{"https://one.example:50470", "https://two.example:9871", "https://three.example:9871"}));
  EXPECT_EQ(nodes_of("hdfs://single/x", service()), Nodes{"http://single.example:50070"});
  EXPECT_EQ(nodes_of("hdfs://unknown/x", service()), Nodes{"http://unknown:9870"});
  EXPECT_MXINFER_ERROR(nodes_of("hdfs://nothing/x", service()), ErrorCode::invalid_argument,
                       {"'nothing'", "dfs.namenode.http-address.nothing"});
}

TEST(HdfsCluster, NamesOfOptionsTakeThePlaceOfAll) {
  HdfsOptions options;
  options.name_nodes = {"a.example:1234", "b.example"};
  const HdfsCluster cluster = cluster_of("hdfs:///x", {}, options);
  EXPECT_EQ(cluster.name_nodes, (Nodes{"http://a.example:1234", "http://b.example:9870"}));
  EXPECT_EQ(cluster.name, "a.example:1234");
  EXPECT_EQ(cluster_of("swebhdfs://models/x", {}, options).name_nodes,
            (Nodes{"https://a.example:1234", "https://b.example:9871"}));
  options.name_nodes = {"8020"};
  EXPECT_EQ(cluster_of("hdfs:///x", {}, options).name_nodes, Nodes{"http://8020:9870"});
}

TEST(HdfsCluster, LooksIntoTheConfigurationWhereItHasTo) {
  HdfsOptions options;
  EXPECT_FALSE(needs_hadoop_config(parse_address("webhdfs://nn1:9870/x"), options));
  EXPECT_TRUE(needs_hadoop_config(parse_address("webhdfs://models/x"), options));
  EXPECT_TRUE(needs_hadoop_config(parse_address("hdfs://nn1:8020/x"), options));
  EXPECT_TRUE(needs_hadoop_config(parse_address("swebhdfs:///x"), options));
  options.name_nodes = {"nn1"};
  EXPECT_FALSE(needs_hadoop_config(parse_address("hdfs://models/x"), options));
}

TEST(HdfsCluster, WhatNamesNoNameNodeIsRefused) {
  const test::EnvironmentVariable none("HADOOP_CONF_DIR");
  const test::EnvironmentVariable home("HADOOP_HOME");
  for (const char* authority : {"nn1,,nn2", "nn1:", "nn1:x", "nn1:0", "nn1:65536", ":9870", "nn1:9870:1", ",",
                                "[::1", "[]", "n%31", "nn1;nn2"}) {
    EXPECT_MXINFER_ERROR(nodes_of("hdfs://" + std::string(authority) + "/x"), ErrorCode::invalid_argument,
                         {"HOST:PORT"});
  }
  EXPECT_MXINFER_ERROR(nodes_of("hdfs:///x"), ErrorCode::invalid_argument,
                       {"hdfs:///x", "fs.defaultFS", "HADOOP_CONF_DIR"});
  for (const char* other : {"file:///", "viewfs://models/", "models", "hdfs:///"}) {
    EXPECT_MXINFER_ERROR(nodes_of("hdfs:///x", config_of({{"fs.defaultFS", other}})),
                         ErrorCode::invalid_argument, {other, "fs.defaultFS"});
  }
  try {
    static_cast<void>(nodes_of("hdfs://alice:s3cret@nn1/x"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("s3cret"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("HADOOP_USER_NAME"), std::string::npos) << e.what();
  }
  std::string many = "nn0";
  for (int i = 1; i < 17; ++i) many += ",nn" + std::to_string(i);
  EXPECT_MXINFER_ERROR(nodes_of("hdfs://" + many + "/x"), ErrorCode::invalid_argument, {"17", "16"});
}

using Refusal = NameNodes::Refusal;

TEST(NameNodes, TurnsToTheNext) {
  NameNodes nodes({"http://a:1", "http://b:1"}, 0);
  EXPECT_EQ(nodes.active(), "http://a:1");
  EXPECT_TRUE(nodes.turn_from("http://a:1/webhdfs/v1/x", Refusal::standby, "standby"));
  EXPECT_EQ(nodes.active(), "http://b:1");
  EXPECT_EQ(nodes.described(), "http://a:1 (standby), http://b:1");
  EXPECT_FALSE(nodes.turn_from("http://b:1/webhdfs/v1/x", Refusal::standby, "standby"));
}

TEST(NameNodes, WhatAnotherThreadHasLearnedIsNotLearnedTwice) {
  NameNodes nodes({"http://a:1", "http://b:1"}, 0);
  EXPECT_TRUE(nodes.turn_from("http://a:1/x", Refusal::unreachable, "no connection"));
  EXPECT_TRUE(nodes.turn_from("http://a:1/x", Refusal::unreachable, "no connection"));
  EXPECT_EQ(nodes.active(), "http://b:1");
}

TEST(NameNodes, WhatIsAtNoneOfThemIsTheActiveOnes) {
  NameNodes nodes({"http://a:1", "http://b:1"}, 0);
  EXPECT_FALSE(nodes.has("http://a:11/x"));
  EXPECT_FALSE(nodes.has(""));
  EXPECT_TRUE(nodes.has("http://a:1"));
  EXPECT_TRUE(nodes.turn_from("", Refusal::unreachable, "no connection"));
  EXPECT_EQ(nodes.active(), "http://b:1");
}

TEST(NameNodes, EndsWhenTheRoundsAreOver) {
  for (const Refusal refusal : {Refusal::standby, Refusal::not_ready}) {
    NameNodes nodes({"http://a:1", "http://b:1"}, 1);
    int turns = 0;
    while (turns < 100 && nodes.turn_from("", refusal, "no")) ++turns;
    EXPECT_EQ(turns, 3) << "each of them twice";
    nodes.succeeded();
    EXPECT_TRUE(nodes.turn_from("", refusal, "no")) << "then it counts anew";
  }
  NameNodes unreachable({"http://a:1", "http://b:1"}, 5);
  EXPECT_TRUE(unreachable.turn_from("", Refusal::unreachable, "no"));
  EXPECT_FALSE(unreachable.turn_from("", Refusal::unreachable, "no")) << "the caller waits";
}

TEST(NameNodes, AreAskedAgainAfterLongerAndLongerPauses) {
  NameNodes nodes({"http://a:1", "http://b:1"}, 6);
  for (const int milliseconds : {500, 1000, 2000, 4000, 8000, 8000}) {
    EXPECT_EQ(nodes.turn_from("", Refusal::standby, "no"), std::chrono::milliseconds(0));
    EXPECT_EQ(nodes.turn_from("", Refusal::standby, "no"), std::chrono::milliseconds(milliseconds));
  }
}

TEST(NameNodes, AloneIsAskedAgainOnlyIfItWillDoIt) {
  NameNodes alone({"http://a:1"}, 1);
  EXPECT_FALSE(alone.turn_from("", Refusal::standby, "no"));
  EXPECT_FALSE(alone.turn_from("", Refusal::unreachable, "no"));
  alone.succeeded();
  EXPECT_TRUE(alone.turn_from("", Refusal::not_ready, "no"));
  EXPECT_FALSE(alone.turn_from("", Refusal::not_ready, "no"));
}

}  // namespace
}  // namespace mxinfer::sources
