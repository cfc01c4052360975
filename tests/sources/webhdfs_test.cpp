// WebHdfsOrigin against name nodes and a data node on the loopback.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/threads/call_context.h"
#include "sources/address.h"
#include "sources/remote/fetch.h"
#include "sources/remote/hdfs/webhdfs_answers.h"
#include "sources/remote/hdfs/webhdfs_origin.h"
#include "sources/remote/http/retry.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment_variable.h"
#include "support/servers/http_server.h"
#include "support/servers/webhdfs_server.h"

namespace mxinfer::sources {
namespace {

using test::EnvironmentVariable;
using test::WebHdfsServer;
using State = WebHdfsServer::State;

class WebHdfs : public testing::Test {
 protected:
  explicit WebHdfs(int name_nodes = 1) : server(name_nodes) {
    server.put("/models/digits-symbol.json", "{\"nodes\": []}");
    server.put("/models/digits-0000.params", std::string(100'000, 'p'));
    server.put("/models/older/digits-0001.params", "x");
    server.put("/models/empty", "");
    options.retries = 1;
  }

  /// All of a file, or a range of it.
  TextResponse read(const Origin& origin, const std::string& address, const ByteRange& range = {}) {
    return ask(pool, options, origin, address, [&] { return origin.read_request(address, range); });
  }

  FileStatus status(const std::string& address) { return WebHdfsOrigin(options).status(pool, address); }

  std::vector<std::string> list(const std::string& folder) {
    auto names = WebHdfsOrigin(options).list(pool, folder, {}).value();
    std::sort(names.begin(), names.end());
    return names;
  }

  std::string message(const std::string& address) {
    try {
      static_cast<void>(status(address));
    } catch (const Error& e) {
      return e.what();
    }
    ADD_FAILURE() << "no Error";
    return {};
  }

  EnvironmentVariable no_user{"HADOOP_USER_NAME"}, no_token{"HADOOP_TOKEN"}, no_folder{"HADOOP_CONF_DIR"},
      no_home{"HADOOP_HOME"};
  WebHdfsServer server;
  RemoteOptions options;
  HttpPool pool{options};
};

TEST_F(WebHdfs, KnowsFiles) {
  const FileStatus params = status(server.address("/models/digits-0000.params"));
  EXPECT_TRUE(params.is_there);
  EXPECT_EQ(params.size, 100'000);
  EXPECT_FALSE(params.validators.etag.empty());
  EXPECT_EQ(status(server.address("/models/digits-0000.params")).validators.etag, params.validators.etag);
  EXPECT_EQ(status(server.address("/models/empty")).size, 0);
  EXPECT_TRUE(status(server.address("/models/empty")).is_there);
  EXPECT_FALSE(status(server.address("/models/none")).is_there);
  EXPECT_FALSE(status(server.address("/nowhere/none")).is_there);
}

TEST_F(WebHdfs, SeesThatAFileIsAnother) {
  const std::string address = server.address("/models/digits-symbol.json");
  const std::string before = status(address).validators.etag;
  server.put("/models/digits-symbol.json", "{\"nodes\": []}");
  const std::string other = status(address).validators.etag;
  EXPECT_NE(other, before) << "of the same size";
  server.touch("/models/digits-symbol.json");
  EXPECT_NE(status(address).validators.etag, other) << "written to, to the same size";
}

TEST_F(WebHdfs, ReadsByWayOfTheDataNode) {
  const WebHdfsOrigin origin(options);
  const std::string address = server.address("/models/digits-symbol.json");
  const TextResponse whole = read(origin, address);
  EXPECT_EQ(whole.response.status, 200);
  EXPECT_EQ(whole.text, "{\"nodes\": []}");
  EXPECT_EQ(whole.response.address.find("http://127.0.0.1:" + std::to_string(server.data_node_port()) + "/"),
            0U);
  EXPECT_EQ(server.count("name node 0: GET /webhdfs/v1/models/digits-symbol.json?op=OPEN"), 1);
  EXPECT_EQ(server.count("data node: GET /webhdfs/v1/models/digits-symbol.json?op=OPEN"), 1);
  EXPECT_EQ(read(origin, server.address("/models/empty")).text, "");
}

TEST_F(WebHdfs, ReadsRanges) {
  const WebHdfsOrigin origin(options);
  ASSERT_TRUE(origin.has_ranges_in_address());
  const std::string address = server.address("/models/digits-symbol.json");
  EXPECT_EQ(read(origin, address, {0, 0}).text, "{");
  EXPECT_EQ(read(origin, address, {2, 6}).text, "nodes");
  EXPECT_EQ(read(origin, address, {10, -1}).text, "[]}");
  EXPECT_EQ(read(origin, address, {10, 1000}).text, "[]}") << "what there is of it";
  EXPECT_EQ(server.count("op=OPEN&offset=2&length=5&"), 2) << "asked by name node and data node";
  for (const std::string& request : server.requests()) EXPECT_EQ(request.find("Range"), std::string::npos);
}

TEST_F(WebHdfs, ListsFolders) {
  EXPECT_EQ(list(server.address("/models/")),
            (std::vector<std::string>{"digits-0000.params", "digits-symbol.json", "empty", "older/"}));
  EXPECT_EQ(list(server.address("/")), std::vector<std::string>{"models/"});
  EXPECT_EQ(list(server.address("")), std::vector<std::string>{"models/"});
  server.make_folder("/nothing");
  EXPECT_TRUE(list(server.address("/nothing/")).empty());
  EXPECT_TRUE(list(server.address("/models/none/")).empty());
  EXPECT_TRUE(list(server.address("/models/digits-symbol.json/")).empty()) << "a file is no folder";
}

TEST_F(WebHdfs, FoldersThatMayNotBeListedHaveNoList) {
  server.restrict_to("/models", "alice");
  options.hdfs.user = "bob";
  EXPECT_FALSE(WebHdfsOrigin(options).list(pool, server.address("/models/"), {}));
  options.hdfs.user = "alice";
  EXPECT_EQ(list(server.address("/models/")).size(), 4U);
}

TEST_F(WebHdfs, FoldersAreNoFiles) {
  EXPECT_MXINFER_ERROR(status(server.address("/models")), ErrorCode::not_found, {"/models", "folder", "'/'"});
}

TEST_F(WebHdfs, NamesAreEncoded) {
  server.put("/models/na\xc3\xafve model?#100%&=x.params", "contents");
  const std::string name = "na%C3%AFve%20model%3F%23100%25&=x.params";
  EXPECT_EQ(list(server.address("/models/")).back(), "older/");
  const std::vector<std::string> names = list(server.address("/models/"));
  EXPECT_NE(std::find(names.begin(), names.end(), percent_decoded(name)), names.end());
  const WebHdfsOrigin origin(options);
  EXPECT_EQ(read(origin, server.address("/models/" + name)).text, "contents");
  EXPECT_TRUE(status(server.address("/models/" + name)).is_there);
  EXPECT_TRUE(status(server.address("//models//digits%2Dsymbol.json")).is_there);
}

TEST_F(WebHdfs, PathsThatLeadElsewhereAreRefused) {
  const WebHdfsOrigin origin(options);
  for (const char* path :
       {"/models/../x", "/..", "/./models/x", "/models/%2E%2E/x", "/models%2f..%2fx", "/x%00y"}) {
    EXPECT_MXINFER_ERROR(origin.read_request(server.address(path), {}), ErrorCode::malformed, {"the path"});
    EXPECT_MXINFER_ERROR(origin.cache_key(server.address(path)), ErrorCode::malformed, {"the path"});
    EXPECT_MXINFER_ERROR(status(server.address(path)), ErrorCode::malformed, {"the path"});
  }
  EXPECT_TRUE(server.requests().empty());
  EXPECT_MXINFER_ERROR(status(server.address("/models/x?user.name=root")), ErrorCode::invalid_argument,
                       {"user.name=...", "%3F", "HADOOP_USER_NAME"});
}

TEST_F(WebHdfs, ListsOfHostileServersAreRefused) {
  const auto list_of = [&](const std::string& entries) {
    server.set_answer("LISTSTATUS",
                      {200, "application/json", R"({"FileStatuses": {"FileStatus": [)" + entries + "]}}"});
    return list(server.address("/models/"));
  };
  const auto entry = [](const std::string& name) {
    return R"({"pathSuffix": ")" + name + R"(", "type": "FILE", "length": 1, "modificationTime": 1})";
  };
  EXPECT_EQ(list_of(entry("good")), std::vector<std::string>{"good"});
  EXPECT_EQ(list_of(entry("...")), std::vector<std::string>{"..."});
  for (const char* name : {"..", ".", "../x", "a/b", "/etc/passwd", "a\\u0000b"})
    EXPECT_MXINFER_ERROR(list_of(entry("good") + "," + entry(name)), ErrorCode::malformed, {"server lists"});
  EXPECT_MXINFER_ERROR(list_of(entry("good") + "," + entry("")), ErrorCode::malformed, {"server lists ''"});
  EXPECT_MXINFER_ERROR(list_of("1"), ErrorCode::network, {"not WebHDFS"});
  EXPECT_MXINFER_ERROR(list_of(entry("a") + ","), ErrorCode::network, {"not WebHDFS"});
}

TEST(WebHdfsAnswers, AreAnything) {
  const std::string nested = std::string(200'000, '[');
  for (const std::string& answer :
       {std::string(), std::string("null"), std::string("[]"), std::string("{"),
        std::string("\"FileStatus\""), nested, "{\"FileStatus\": " + nested,
        std::string("{\"FileStatus\": [], \"FileStatuses\": 7, \"RemoteException\": {}}"),
        std::string("{\"FileStatus\": {\"type\": \"FILE\", \"length\": -1, \"modificationTime\": 1}}"),
        std::string("{\"FileStatus\": {\"type\": \"FILE\", \"length\": 1.5, \"modificationTime\": 1}}"),
        std::string("{\"FileStatus\": {\"type\": \"FILE\", \"length\": \"1\", \"modificationTime\": 1}}"),
        std::string("{\"FileStatus\": {\"type\": \"FILE\", \"length\": 18446744073709551615, "
                    "\"modificationTime\": 1}}"),
        std::string("{\"FileStatus\": {\"length\": 1, \"modificationTime\": 1}}"), std::string("\xff\xfe")}) {
    EXPECT_FALSE(hdfs_file_status(answer)) << answer.substr(0, 80);
    EXPECT_FALSE(hdfs_list(answer)) << answer.substr(0, 80);
    EXPECT_FALSE(hdfs_exception(answer)) << answer.substr(0, 80);
  }
  const auto plain = hdfs_file_status(R"({"FileStatus": {"type": "FILE", "length": 9223372036854775807,
                                          "modificationTime": 0}})");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->size, 9223372036854775807);
  EXPECT_EQ(plain->id, 0);
}

TEST_F(WebHdfs, SaysWhoAsks) {
  const std::string address = server.address("/models/digits-symbol.json");
  {
    const EnvironmentVariable variable("HADOOP_USER_NAME", "bob");
    static_cast<void>(status(address));
    EXPECT_EQ(server.count("user.name=bob"), 1);
    options.hdfs.user = "alice";
    static_cast<void>(status(address));
    EXPECT_EQ(server.count("user.name=alice"), 1);
  }
  options.hdfs.user.clear();
  server.forget_requests();
  static_cast<void>(status(address));
  if (::geteuid() == 0) {
    EXPECT_EQ(server.count("user.name=root"), 1) << server.requests().front();
  }
  options.hdfs.user = "a b&op=DELETE";
  EXPECT_MXINFER_ERROR(status(address), ErrorCode::network,
                       {"400", "IllegalArgumentException", "user.name", "'a b&op=DELETE'"});
  EXPECT_EQ(server.count("user.name=a%20b%26op%3DDELETE"), 1);
}

TEST_F(WebHdfs, RefusalsSayWhoAskedAndWhatToDo) {
  server.restrict_to("/models/digits-0000.params", "alice");
  options.hdfs.user = "bob";
  const WebHdfsOrigin origin(options);
  const std::string address = server.address("/models/digits-0000.params");
  const TextResponse refused = read(origin, address);
  EXPECT_EQ(refused.response.status, 403);
  EXPECT_FALSE(origin.is_absent(refused.response, refused.text));
  EXPECT_MXINFER_ERROR(fail_refused(origin, address, refused.response, refused.text), ErrorCode::network,
                       {"403", "AccessControlException", "Permission denied", "user 'bob'",
                        "HADOOP_USER_NAME", "HdfsOptions::user"});
  options.hdfs.user = "alice";
  EXPECT_EQ(read(WebHdfsOrigin(options), address).text.size(), 100'000U);
}

TEST_F(WebHdfs, WhoHasNoNameIsToldSo) {
  server.require_user();
  const std::string address = server.address("/models/digits-symbol.json");
  EXPECT_TRUE(status(address).is_there);
  server.set_answer("GETFILESTATUS", {401, "text/html", "<html>Authentication required</html>"});
  options.hdfs.user = "alice";
  EXPECT_MXINFER_ERROR(status(address), ErrorCode::network,
                       {"401", "requires authentication", "user 'alice'"});
}

TEST_F(WebHdfs, TakesDelegationTokens) {
  server.add_token("KgAF+/=s3cret", "alice");
  server.restrict_to("/models/digits-symbol.json", "alice");
  const std::string address = server.address("/models/digits-symbol.json");
  options.hdfs.user = "bob";
  EXPECT_MXINFER_ERROR(status(address), ErrorCode::network,
                       {"401", "Kerberos", "kinit", "HdfsOptions::kerberos", "HADOOP_TOKEN"});
  server.forget_requests();
  options.hdfs.delegation_token = "KgAF+/=s3cret";
  EXPECT_TRUE(status(address).is_there);
  EXPECT_EQ(read(WebHdfsOrigin(options), address).text, "{\"nodes\": []}");
  EXPECT_EQ(server.count("delegation=KgAF%2B%2F%3Ds3cret"), 3);
  EXPECT_EQ(server.count("user.name"), 0) << "the token says who";
  options.hdfs.delegation_token.clear();
  const EnvironmentVariable variable("HADOOP_TOKEN", "KgAF+/=s3cret");
  EXPECT_TRUE(status(address).is_there);
}

TEST_F(WebHdfs, TokensThatAreNoLongerValidSayHowToGetAnother) {
  server.add_token("s3cret", "alice");
  server.expire_token("s3cret");
  options.hdfs.delegation_token = "s3cret";
  const std::string text = message(server.address("/models/digits-symbol.json"));
  for (const char* fact :
       {"403", "InvalidToken", "is expired", "delegation token", "GETDELEGATIONTOKEN", "HADOOP_TOKEN"})
    EXPECT_NE(text.find(fact), std::string::npos) << text;
  EXPECT_EQ(text.find("s3cret"), std::string::npos) << text;
}

TEST_F(WebHdfs, TokensAreNeverShown) {
  const std::string token = "s3cret/token";
  server.add_token(token, "alice");
  options.hdfs.delegation_token = token;
  options.retries = 0;
  const std::string address = server.address("/models/digits-symbol.json");
  const WebHdfsOrigin origin(options);
  const auto hides = [&](const auto& body) {
    try {
      body();
      ADD_FAILURE() << "no Error";
    } catch (const Error& e) {
      EXPECT_EQ(std::string(e.what()).find("s3cret"), std::string::npos) << e.what();
    }
  };
  // Nobody is there; not an address of HTTP; nothing that a connection can be made to; round and round.
  for (const std::string& to :
       {std::string("http://127.0.0.1:1"), std::string("ftp://127.0.0.1"),
        std::string("http://127.0.0.1:99999"), "http://127.0.0.1:" + std::to_string(server.port(0))}) {
    WebHdfsServer::Faults faults;
    faults.redirect_to = to;
    server.set_faults(faults);
    hides([&] { static_cast<void>(read(origin, address)); });
  }
  server.set_faults({});
  server.set_answer("GETFILESTATUS", {200, "text/html", "<a href='/webhdfs/v1?delegation=" + token + "'>"});
  hides([&] { static_cast<void>(origin.status(pool, address)); });
  server.set_answer("GETFILESTATUS", {404, "text/html", "URI: /webhdfs/v1?delegation=s3cret%2Ftoken"});
  hides([&] { static_cast<void>(origin.status(pool, address)); });
  server.set_answer("GETFILESTATUS",
                    {403, "application/json", R"({"RemoteException": {"exception": "IOException",
      "message": "at /webhdfs/v1?delegation=s3cret%2Ftoken and s3cret/token"}})"});
  hides([&] { static_cast<void>(origin.status(pool, address)); });
  EXPECT_EQ(origin.cache_key(address).find("s3cret"), std::string::npos);
}

TEST_F(WebHdfs, AsksByKerberos) {
  // There is no ticket here, and so nothing but the refusal to be seen.
  const EnvironmentVariable no_tickets("KRB5CCNAME", "FILE:/nonexistent/tickets");
  const EnvironmentVariable no_realms("KRB5_CONFIG", "/dev/null");
  server.add_token("other", "alice");
  options.hdfs.kerberos = true;
  options.retries = 0;
  const WebHdfsOrigin origin(options);
  const std::string address = server.address("/models/digits-symbol.json");
  const HttpRequest request = origin.read_request(address, {});
  EXPECT_TRUE(request.negotiates);
  EXPECT_EQ(request.address.find("user.name"), std::string::npos);
  EXPECT_MXINFER_ERROR(status(address), ErrorCode::network, {"401", "Kerberos", "klist", "kinit"});
  options.hdfs.delegation_token = "other";
  EXPECT_FALSE(WebHdfsOrigin(options).read_request(address, {}).negotiates) << "a token takes its place";
  EXPECT_TRUE(status(address).is_there);
}

TEST_F(WebHdfs, ServersThatAreNoNameNodeAreToldApart) {
  options.retries = 0;
  const std::string host = "webhdfs://127.0.0.1:";
  EXPECT_MXINFER_ERROR(status(host + std::to_string(server.rpc_port()) + "/models/x"), ErrorCode::network,
                       {"404", "not WebHDFS", "9870", "8020"});
  EXPECT_MXINFER_ERROR(list(host + std::to_string(server.rpc_port()) + "/models/"), ErrorCode::network,
                       {"404", "not WebHDFS"});
  server.set_answer("GETFILESTATUS", {200, "text/html", "<html>Welcome</html>"});
  EXPECT_MXINFER_ERROR(status(server.address("/models/x")), ErrorCode::network, {"not WebHDFS", "50070"});
  EXPECT_MXINFER_ERROR(status(host + "1/models/x"), ErrorCode::network,
                       {"http://127.0.0.1:1", "asked were", "1 time"});
  EXPECT_MXINFER_ERROR(status("hdfs://no-such-service/models/x"), ErrorCode::network,
                       {"//no-such-service:9870", "50070", "HADOOP_CONF_DIR"});
}

TEST_F(WebHdfs, BrokenDataNodesAreAskedAgain) {
  const WebHdfsOrigin origin(options);
  const std::string address = server.address("/models/digits-0000.params");
  WebHdfsServer::Faults faults;
  faults.data_node_fails = 1;
  server.set_faults(faults);
  EXPECT_EQ(read(origin, address).text.size(), 100'000U);
  faults = {};
  faults.data_node_cuts = 1;
  server.set_faults(faults);
  EXPECT_EQ(read(origin, address).text.size(), 100'000U);
  faults.data_node_cuts = 100;
  server.set_faults(faults);
  EXPECT_MXINFER_ERROR(read(origin, address), ErrorCode::network, {"digits-0000.params", "2 times"});
  faults = {};
  faults.data_node_fails = 100;
  server.set_faults(faults);
  EXPECT_MXINFER_ERROR(read(origin, address), ErrorCode::network, {"500", "2 times"});
}

TEST_F(WebHdfs, AFetchThatIsCancelledWaitsForNoStatus) {
  class NoSink final : public FetchSink {
    void begin(const FileVersion& /*file*/) override {}
    void write_at(std::int64_t /*offset*/, Span<const std::byte> /*bytes*/) override {}
  };
  test::HttpServer stalled;
  stalled.files["/webhdfs/v1/models/x"] = "{}";
  stalled.faults.stalls = true;
  const WebHdfsOrigin origin(options);
  NoSink sink;
  Fetch fetch({options, pool, origin}, "webhdfs" + stalled.address("/models/x").substr(4));
  std::thread canceller([&] {
    while (stalled.requests().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fetch.cancel();
  });
  EXPECT_MXINFER_ERROR(fetch.into(sink, {}), ErrorCode::cancelled, {"/models/x"});
  canceller.join();
  EXPECT_EQ(stalled.requests().size(), 1U);
}

TEST(Retries, PausesEndWhenTheyAreCancelled) {
  const std::atomic<bool> cancelled{true};
  const std::string address = "http://models.example/x";
  const RemoteOptions options;
  const Retries retries(options, address, &cancelled);
  EXPECT_MXINFER_ERROR(retries.pause(std::chrono::hours(1)), ErrorCode::cancelled, {address});
}

TEST_F(WebHdfs, RedirectsFromTheLoopbackToTheLoopbackAreFollowed) {
  ASSERT_FALSE(options.allow_private_redirects);
  EXPECT_EQ(read(WebHdfsOrigin(options), server.address("/models/digits-symbol.json")).response.status, 200);
}

TEST_F(WebHdfs, RedirectsToOtherSchemesAreRefused) {
  WebHdfsServer::Faults faults;
  faults.redirect_to = "file://";
  server.set_faults(faults);
  EXPECT_MXINFER_ERROR(read(WebHdfsOrigin(options), server.address("/models/digits-symbol.json")),
                       ErrorCode::network, {"file:///webhdfs/v1/models", "only to http and https"});
}

TEST_F(WebHdfs, CopiesHaveTheNameOfTheCluster) {
  const WebHdfsOrigin origin(options);
  EXPECT_EQ(origin.cache_key("webhdfs://nn1:9870,nn2:9870//models/a%20b"), "webhdfs://nn1:9870/models/a%20b");
  EXPECT_EQ(origin.cache_key("webhdfs://nn1:9870/models/%61"), "webhdfs://nn1:9870/models/a");
  EXPECT_NE(origin.cache_key("webhdfs://nn1:9870/a"), origin.cache_key("webhdfs://nn2:9870/a"));
  EXPECT_NE(origin.cache_key("webhdfs://nn1:9870/a"), origin.cache_key("webhdfs://nn1:9870/b"));
  const test::TempDir folder;
  folder.write("core-site.xml",
               "<property><name>fs.defaultFS</name><value>hdfs://service</value></property>");
  folder.write("hdfs-site.xml",
               "<property><name>dfs.nameservices</name><value>service</value></property>"
               "<property><name>dfs.namenode.rpc-address.service</name><value>nn1:8020</value></property>");
  const EnvironmentVariable variable("HADOOP_CONF_DIR", folder.path());
  EXPECT_EQ(WebHdfsOrigin(options).cache_key("hdfs:///a"), "hdfs://service/a");
  EXPECT_EQ(WebHdfsOrigin(options).cache_key("hdfs://service/a"), "hdfs://service/a");
}

/// With two name nodes, of which the first is active.
class WebHdfsPair : public WebHdfs {
 protected:
  WebHdfsPair() : WebHdfs(2) {}

  [[nodiscard]] std::string address(const std::string& path) const {
    return "webhdfs://" + server.name_nodes() + path;
  }
  void set_active(int node) {
    server.set_state(node, State::active);
    server.set_state(1 - node, State::standby);
  }
};

TEST_F(WebHdfsPair, TheActiveOneIsFoundAndRemembered) {
  set_active(1);
  const WebHdfsOrigin origin(options);
  EXPECT_TRUE(origin.status(pool, address("/models/digits-symbol.json")).is_there);
  EXPECT_EQ(server.count("name node 0"), 1);
  EXPECT_EQ(server.count("name node 1"), 1);
  EXPECT_EQ(read(origin, address("/models/digits-symbol.json")).text, "{\"nodes\": []}");
  EXPECT_EQ(origin.list(pool, address("/models/"), {}).value().size(), 4U);
  EXPECT_EQ(server.count("name node 0"), 1) << "it is not asked again";
}

TEST_F(WebHdfsPair, AnotherBecomesActiveMeanwhile) {
  const WebHdfsOrigin origin(options);
  const std::string file = address("/models/digits-symbol.json");
  for (const int active : {0, 1, 0, 1, 1, 0}) {
    set_active(active);
    EXPECT_TRUE(origin.status(pool, file).is_there);
    EXPECT_EQ(read(origin, file).text, "{\"nodes\": []}");
    set_active(1 - active);
    EXPECT_EQ(read(origin, file).text, "{\"nodes\": []}");
  }
}

TEST_F(WebHdfsPair, WhereNobodyAnswersTheOtherIsAsked) {
  const std::string two = "webhdfs://127.0.0.1:1,127.0.0.1:" + std::to_string(server.port(0));
  const WebHdfsOrigin origin(options);
  EXPECT_TRUE(origin.status(pool, two + "/models/digits-symbol.json").is_there);
  WebHdfsServer::Faults faults;
  faults.name_node_closes = 1;
  server.set_faults(faults);
  server.forget_requests();
  HttpPool fresh(options);  // without a connection that libcurl would make anew by itself
  EXPECT_TRUE(WebHdfsOrigin(options).status(fresh, address("/models/digits-symbol.json")).is_there);
  EXPECT_EQ(server.count("name node 1"), 1);
}

TEST_F(WebHdfsPair, DataNodesThatCannotBeReachedAreNotTakenForNameNodes) {
  WebHdfsServer::Faults faults;
  faults.redirect_to = "http://127.0.0.1:1";
  server.set_faults(faults);
  EXPECT_MXINFER_ERROR(read(WebHdfsOrigin(options), address("/models/digits-symbol.json")),
                       ErrorCode::network, {"127.0.0.1 port 1 ", "2 times"});
  EXPECT_EQ(server.count("name node 0"), 2);
  EXPECT_EQ(server.count("name node 1"), 0);
}

TEST_F(WebHdfsPair, WithoutAnActiveOneAllAreNamed) {
  server.set_state(0, State::standby);
  EXPECT_MXINFER_ERROR(
      status(address("/models/digits-symbol.json")), ErrorCode::network,
      {"StandbyException", "no name node is active", "127.0.0.1:" + std::to_string(server.port(0)),
       "127.0.0.1:" + std::to_string(server.port(1)) + " (StandbyException)"});
  EXPECT_EQ(server.requests().size(), 4U) << "each of them twice";
  EXPECT_MXINFER_ERROR(status(server.address("/models/digits-symbol.json")), ErrorCode::network,
                       {"no name node is active", "others"});
  options.retries = 0;
  EXPECT_MXINFER_ERROR(status("webhdfs://127.0.0.1:1,127.0.0.1:2/x"), ErrorCode::network,
                       {"http://127.0.0.1:1", "http://127.0.0.1:2", "asked were"});
}

TEST_F(WebHdfsPair, OneThatStartsIsAskedAgain) {
  options.retries = 10;
  server.set_state(0, State::starting);
  std::thread starter([&] {
    while (server.requests().size() < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    server.set_state(0, State::active);
  });
  EXPECT_TRUE(status(server.address("/models/digits-symbol.json")).is_there);
  starter.join();
}

TEST_F(WebHdfsPair, WaitingForAnActiveOneEndsWhenItIsCancelled) {
  options.retries = 10;
  server.set_state(0, State::standby);
  std::atomic<bool> cancelled{false};
  std::thread canceller([&] {
    while (server.requests().size() < 2) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    cancelled = true;
  });
  CallContext call;
  call.cancelled = &cancelled;
  const CallScope scope(call);
  EXPECT_MXINFER_ERROR(status(address("/models/digits-symbol.json")), ErrorCode::cancelled,
                       {"digits-symbol"});
  canceller.join();
  EXPECT_LE(server.requests().size(), 4U);
}

TEST_F(WebHdfsPair, SafeModeIsSaid) {
  server.set_state(0, State::safe_mode);
  options.retries = 0;
  const WebHdfsOrigin origin(options);
  const std::string file = server.address("/models/digits-symbol.json");
  EXPECT_TRUE(origin.status(pool, file).is_there) << "it knows names and sizes";
  const TextResponse refused = read(origin, file);
  EXPECT_EQ(refused.response.status, 403);
  EXPECT_MXINFER_ERROR(fail_refused(origin, file, refused.response, refused.text), ErrorCode::network,
                       {"RetriableException", "safe mode", "try again later"});
}

TEST_F(WebHdfsPair, TheServiceOfTheConfigurationIsAsked) {
  const auto property = [](const std::string& name, const std::string& value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  };
  const test::TempDir folder;
  folder.write("core-site.xml", property("fs.defaultFS", "hdfs://models"));
  folder.write(
      "hdfs-site.xml",
      property("dfs.nameservices", "models") + property("dfs.ha.namenodes.models", "a,b") +
          property("dfs.namenode.http-address.models.a", "127.0.0.1:" + std::to_string(server.port(0))) +
          property("dfs.namenode.http-address.models.b", "127.0.0.1:" + std::to_string(server.port(1))));
  const EnvironmentVariable variable("HADOOP_CONF_DIR", folder.path());
  set_active(1);
  EXPECT_TRUE(status("hdfs://models/models/digits-symbol.json").is_there);
  EXPECT_TRUE(status("hdfs:///models/digits-symbol.json").is_there);
  EXPECT_EQ(server.count("name node 0"), 2);
  EXPECT_EQ(server.count("name node 1"), 2);
}

TEST_F(WebHdfsPair, ManyThreadsFindTheActiveOne) {
  set_active(1);
  const WebHdfsOrigin origin(options);
  const std::string file = address("/models/digits-symbol.json");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_TRUE(origin.status(pool, file).is_there);
      EXPECT_EQ(read(origin, file).text, "{\"nodes\": []}");
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace mxinfer::sources
