// mxinfer fetch and cache, and the options for addresses of all commands.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "cli/run_command.h"
#include "sources/digest.h"
#include "support/files/temp_dir.h"
#include "support/servers/environment_variable.h"
#include "support/servers/http_server.h"

namespace mxinfer::test {
namespace {

using Json = nlohmann::json;

/// A server with the bundled model, and a separate folder of copies.
class CliFetch : public testing::Test {
 protected:
  CliFetch() {
    for (const std::string name : {"digits-symbol.json", "digits-0000.params", "synset.txt"})
      server.files["/" + name] = read_file(digits() + "/" + name);
    server.files["/digits.mxz"] = read_file(std::string(MXINFER_SOURCE_DIR) + "/models/digits.mxz");
  }

  std::string digest(const std::string& path) { return sources::sha256_hex(server.files.at(path)); }
  std::string last_line(const std::string& text) const {
    const std::string lines = text.substr(0, text.size() - 1);
    return lines.substr(lines.rfind('\n') + 1);
  }

  TempDir folder;
  const EnvironmentVariable cache{"MXINFER_CACHE_DIR", folder.path()};
  HttpServer server;
};

TEST_F(CliFetch, PrintsWhatItFetchedAndALineToGive) {
  const std::string address = server.address("/digits");
  const std::string text = output_of({"fetch", address});
  expect_facts(text, {"digits-symbol.json", "digits-0000.params", "synset.txt", "50 bytes", folder.path(),
                      digest("/synset.txt")});
  const std::string pinned = last_line(text);
  EXPECT_EQ(pinned, address + "#sha256=" + digest("/digits-symbol.json") + "," +
                        digest("/digits-0000.params") + "," + digest("/synset.txt"));
  server.forget_requests();
  expect_facts(output_of({"inspect", pinned, "--cache", "offline"}), {address});
  EXPECT_TRUE(server.requests().empty());
  server.files["/synset.txt"] += "!";
  expect_user_error({"inspect", pinned}, {"synset.txt", "SHA-256"});
}

TEST_F(CliFetch, PrintsJson) {
  const Json report = json_of({"fetch", server.address("/digits.mxz?key=geheim")});
  ASSERT_EQ(report.at("files").size(), 1U);
  const Json& file = report.at("files")[0];
  EXPECT_EQ(file.at("address"), server.address("/digits.mxz?key=..."));
  EXPECT_EQ(file.at("size"), server.files["/digits.mxz"].size());
  EXPECT_EQ(file.at("sha256"), digest("/digits.mxz"));
  EXPECT_EQ(read_file(file.at("path")), server.files["/digits.mxz"]);
  EXPECT_EQ(report.at("pinned"), server.address("/digits.mxz?key=...") + "#sha256=" + digest("/digits.mxz"));
  EXPECT_EQ(report.dump().find("geheim"), std::string::npos);
}

TEST_F(CliFetch, TheLineToGiveHasTheVersionOfAnObject) {
  server.files["/models/digits.mxz"] = server.files["/digits.mxz"];
  const EnvironmentVariable endpoint("AWS_ENDPOINT_URL", server.address(""));
  const std::string address = "s3://models/digits.mxz?versionId=v3";
  const std::string pinned = last_line(output_of({"fetch", address, "--remote", "s3_anonymous=true"}));
  EXPECT_EQ(pinned, address + "#sha256=" + digest("/digits.mxz"));
  EXPECT_GT(server.count("GET /models/digits.mxz?versionId=v3 "), 0);
  server.forget_requests();
  output_of({"inspect", pinned, "--cache", "offline"});
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(CliFetch, TakesWhatLoadingTakes) {
  server.files["/digits-0012.params"] = server.files["/digits-0000.params"];
  expect_facts(output_of({"fetch", server.address("/digits"), "--epoch", "12", "--header", "X-Key: 1"}),
               {"digits-0012.params"});
  EXPECT_GT(server.count("X-Key: 1"), 0);
  expect_facts(output_of({"fetch", server.address("/digits.mxz"), "--cache", "none"}), {"(no copy)"});
  expect_user_error({"fetch", server.address("/digits.mxz"), "--sha256", digest("/synset.txt")}, {"SHA-256"});
  expect_user_error({"fetch", server.address("/none")}, {"nothing is at", "/none"});
}

TEST_F(CliFetch, OfAPathPrintsItsChecksums) {
  const std::string text = output_of({"fetch", digits()});
  expect_facts(text, {digits() + "/digits-0000.params", digest("/digits-0000.params")});
  const std::string pinned = last_line(text);
  EXPECT_EQ(pinned.rfind("file:///", 0), 0U) << pinned;
  expect_facts(output_of({"inspect", pinned}), {"digits"});
  expect_user_error({"inspect", pinned.substr(0, pinned.rfind(','))}, {"synset.txt", "SHA-256"});
}

TEST_F(CliFetch, SaysWhatIsOdd) {
  server.files.erase("/digits-0000.params");
  const Outcome outcome = mxinfer({"fetch", server.address("/digits")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_facts(outcome.err, {"mxinfer: warning: ", "no parameters were found"});
  EXPECT_EQ(mxinfer({"fetch", server.address("/digits"), "--quiet"}).err, "");
}

TEST_F(CliFetch, ShowsABarOnATerminalAndTakesItAway) {
  for (const std::string command : {"fetch", "inspect", "verify"}) {
    const std::vector<std::string> arguments = {MXINFER_COMMAND, command, server.address("/digits"),
                                                "--cache", "refresh"};
    const std::string shown = run_program(arguments, {}, 240, StandardError::terminal).err;
    const std::string whole = "digits-0000.params  [" + std::string(30, '#') + "]  ";
    const std::size_t at = shown.find(whole);
    ASSERT_NE(at, std::string::npos) << command << ": " << shown;
    const std::string clear = "\r\033[K";
    EXPECT_NE(shown.find(clear, at), std::string::npos) << command << ": " << shown;
    EXPECT_EQ(mxinfer({command, server.address("/digits")}).err.find("[#"), std::string::npos);
  }
  std::vector<std::string> quiet = {MXINFER_COMMAND, "fetch",  server.address("/digits"), "-q",
                                    "--cache",       "refresh"};
  EXPECT_EQ(run_program(quiet, {}, 240, StandardError::terminal).err, "");
}

/// Makes the labels the most recently used file.
void use_labels_last(const Json& report) {
  for (const Json& file : report.at("files")) {
    if (!file.at("address").get<std::string>().ends_with("/synset.txt")) continue;
    const std::string copy = file.at("path");
    const std::filesystem::path note = copy.substr(0, copy.rfind('-')) + ".json";
    std::filesystem::last_write_time(note, std::filesystem::last_write_time(note) + std::chrono::minutes(1));
  }
}

TEST_F(CliFetch, CopiesAreListedAndRemoved) {
  EXPECT_EQ(output_of({"cache", "list"}), "0 files, 0 bytes\n");
  output_of({"fetch", server.address("/digits")});
  use_labels_last(json_of({"cache", "list"}));
  const std::string text = output_of({"cache", "list"});
  expect_facts(text, {"50 bytes", server.address("/synset.txt"), "3 files, ", " in " + folder.path() + "\n"});
  EXPECT_LT(text.find("/synset.txt"), text.find("/digits-symbol.json")) << "the last use comes first";

  const Json report = json_of({"cache", "list"});
  ASSERT_EQ(report.at("files").size(), 3U);
  EXPECT_EQ(report.at("files")[0].at("address"), server.address("/synset.txt"));
  EXPECT_EQ(report.at("files")[0].at("size"), server.files["/synset.txt"].size());
  EXPECT_EQ(read_file(report.at("files")[0].at("path")), server.files["/synset.txt"]);
  EXPECT_EQ(report.at("files")[0].at("last_use").get<std::string>().size(),
            std::string("2026-01-31T12:00:00Z").size());

  EXPECT_EQ(output_of({"cache", "clean", "--keep", "1M"}), "0 files, 0 bytes removed\n");
  EXPECT_EQ(json_of({"cache", "clean", "--keep", "50"}),
            (Json{{"files", 2}, {"bytes", report.at("bytes").get<int>() - 50}}));
  EXPECT_EQ(output_of({"cache", "clean"}), "1 file, 50 bytes removed\n");
  EXPECT_EQ(output_of({"cache", "list"}), "0 files, 0 bytes\n");
}

TEST_F(CliFetch, CacheTakesSizesAndNothingElse) {
  for (const char* size : {"0", "17", "1K", "500M", "2G", "3T"})
    output_of({"cache", "clean", "--keep", size});
  for (const char* size : {"2X", "-1", "1.5G", "G", "99999999T"})
    expect_usage_error({"cache", "clean", "--keep", size}, {"for --keep: expected a number of bytes", size});
  expect_usage_error({"cache", "list", "--keep", "1"}, {"--keep", "clean"});
  expect_usage_error({"cache"}, {"ACTION"});
  expect_usage_error({"cache", "clear"}, {"list or clean", "'clear'"});
}

TEST_F(CliFetch, RemoteSetsEverySettingOfAddresses) {
  const std::string address = server.address("/digits");
  const std::string other = folder / "other";
  output_of({"inspect", address, "--remote", "cache_folder=" + other, "--remote", "headers=X-Key: a=b"});
  EXPECT_TRUE(std::filesystem::exists(other));
  EXPECT_GT(server.count("X-Key: a=b"), 0);
  expect_user_error({"inspect", address, "--remote", "max_file_bytes=100"}, {"max_file_bytes", "100"});
  expect_user_error(
      {"inspect", address, "--remote", "cache_folder=" + (folder / "none"), "--remote", "cache=offline"},
      {"offline"});
  // --cache overrides --remote.
  output_of({"inspect", address, "--remote", "cache=offline", "--cache", "use"});
  expect_usage_error({"inspect", address, "--remote", "retris=3"},
                     {"'retris'", "cache_folder", "did you mean 'retries'?"});
  expect_usage_error({"inspect", address, "--remote", "seed=3"}, {"'seed'", "retries"});
  expect_usage_error({"inspect", address, "--remote", "retries=no"},
                     {"invalid value 'no' for --remote retries: expected a whole"});
  expect_usage_error(
      {"inspect", address, "--remote", "cache=ofline"},
      {"invalid value 'ofline' for --remote cache: expected use, refresh, offline or none; did "
       "you mean 'offline'?"});
  expect_usage_error({"inspect", address, "--remote", "retries"},
                     {"invalid value 'retries' for --remote: expected NAME=VALUE"});
}

TEST_F(CliFetch, RemoteKnowsStoresButTakesNoSecrets) {
  const std::string address = server.address("/digits");
  output_of({"inspect", address, "--remote", "s3_region=eu-west-1", "--remote", "hdfs_kerberos=true"});
  expect_usage_error({"inspect", address, "--remote", "s3_anonymous=yes"}, {"s3_anonymous", "'yes'"});
  expect_usage_error({"inspect", address, "--remote", "hdfs_users=a"},
                     {"s3_path_style", "hdfs_name_nodes", "did you mean 'hdfs_user'?"});
  const std::map<std::string, std::string> variables = {{"s3_access_key_id", "AWS_ACCESS_KEY_ID"},
                                                        {"s3_secret_access_key", "AWS_SECRET_ACCESS_KEY"},
                                                        {"s3_session_token", "AWS_SESSION_TOKEN"},
                                                        {"hdfs_delegation_token", "HADOOP_TOKEN"}};
  for (const auto& [name, variable] : variables) {
    const Outcome outcome = mxinfer({"inspect", address, "--remote", name + "=hush"});
    EXPECT_EQ(outcome.exit_code, 2) << name;
    expect_facts(outcome.err, {"--remote does not accept " + name, variable});
    EXPECT_EQ((outcome.out + outcome.err).find("hush"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace mxinfer::test
