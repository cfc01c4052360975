// Models from addresses: a server on the loopback, whole and broken, and schemes of the program's own.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sources/digest.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/run_op.h"
#include "support/servers/environment_variable.h"
#include "support/servers/http_server.h"

namespace mxinfer {
namespace {

using test::HttpServer;
using test::TempDir;

using test::kDigits;

class RemoteModels : public testing::Test {
 protected:
  RemoteModels() {
    server.files["/models/digits-symbol.json"] = test::read_file(kDigits + "/digits-symbol.json");
    server.files["/models/digits-0000.params"] = test::read_file(kDigits + "/digits-0000.params");
    server.files["/models/synset.txt"] = test::read_file(kDigits + "/synset.txt");
    server.files["/digits.mxz"] = test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz");
    options.remote.cache_folder = folder / "copies";
    options.remote.retries = 2;
  }

  Model load(const std::string& path) const { return Model::load(server.address(path), options); }

  /// Nothing but whole copies and locks is in the folder.
  void expect_clean_cache() const {
    for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder))
      EXPECT_EQ(entry.path().filename().string().rfind("fetching-", 0), std::string::npos) << entry.path();
  }

  static std::vector<float> scores(const Model& model) {
    const Tensor input = test::random_tensor({1, 1, 32, 32}, 5, 0.0F, 255.0F);
    const std::vector<Tensor> outputs = Predictor(model).predict({input});
    const Tensor& output = outputs.front();
    return {output.data<float>(), output.data<float>() + output.elements()};
  }

  void expect_digits(const Model& model) const {
    EXPECT_EQ(scores(model), scores(Model::load(kDigits)));
    EXPECT_EQ(model.labels().size(), 10U);
  }

  TempDir folder;
  HttpServer server;
  LoadOptions options;
};

TEST_F(RemoteModels, ComeFromAPrefixAPairAndAnArchive) {
  expect_digits(load("/models/digits"));
  EXPECT_EQ(load("/models/digits").name(), server.address("/models/digits"));
  expect_digits(load("/models/digits-symbol.json"));
  expect_digits(load("/models/digits-0000.params"));
  EXPECT_EQ(load("/digits.mxz").labels().size(), 10U);
  expect_clean_cache();
}

TEST_F(RemoteModels, ArePackedIntoBundles) {
  const std::string variable = "MXINFER_CACHE_DIR";
  const test::EnvironmentVariable cache(variable, options.remote.cache_folder);
  pack_bundle(server.address("/models/digits"), folder / "packed.mxz");
  expect_digits(Model::load(folder / "packed.mxz"));
  static_cast<void>(unpack_model(server.address("/digits.mxz"), folder / "unpacked"));
  EXPECT_EQ(Model::load(folder / "unpacked").labels().size(), 10U);
}

TEST_F(RemoteModels, OfBundlesWithPackedWeights) {
  PackOptions pack;
  pack.packed_for.emplace_back();
  pack_bundle(kDigits, folder / "packed.mxz", pack);
  server.files["/packed.mxz"] = test::read_file(folder / "packed.mxz");
  for (int i = 0; i < 2; ++i) expect_digits(load("/packed.mxz"));  // fetched, then from its copy
  options.remote.cache = CachePolicy::none;
  expect_digits(load("/packed.mxz"));
}

TEST_F(RemoteModels, OfOtherEpochsAndWithoutLabels) {
  server.files["/models/digits-0012.params"] = server.files["/models/digits-0000.params"];
  server.files.erase("/models/digits-0000.params");
  server.files.erase("/models/synset.txt");
  options.epoch = 12;
  EXPECT_TRUE(load("/models/digits").labels().empty());
  options.epoch = 3;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::not_found, {"digits-0003.params"});
  options.epoch.reset();
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::malformed, {"no .params file"});
}

TEST_F(RemoteModels, WhatIsNotThereListsWhatWasTried) {
  EXPECT_MXINFER_ERROR(load("/models/none"), ErrorCode::not_found,
                       {"/models/none-symbol.json", server.address("/models/none")});
  EXPECT_MXINFER_ERROR(load("/models/"), ErrorCode::unsupported, {"/models/", "prefix"});
  EXPECT_MXINFER_ERROR(Model::load("ftp://host/digits"), ErrorCode::unsupported,
                       {"'ftp'", "file, http, https", "LoadOptions::schemes"});
}

TEST_F(RemoteModels, AreWhatTheirContentsSay) {
  server.files["/a/model_algo-1"] = server.files["/digits.mxz"];
  EXPECT_EQ(load("/a/model_algo-1").labels().size(), 10U);
  server.files["/b/weights"] = server.files["/models/digits-0000.params"];
  EXPECT_MXINFER_ERROR(load("/b/weights"), ErrorCode::not_found, {"/b/weights", "parameters of a network"});
  server.files["/c/net.sym"] = server.files["/models/digits-symbol.json"];
  server.files["/c/net-0000.params"] = server.files["/models/digits-0000.params"];
  EXPECT_EQ(scores(load("/c/net.sym")), scores(Model::load(kDigits)));
  server.files["/d/page"] = "<!DOCTYPE html>";
  EXPECT_MXINFER_ERROR(load("/d/page"), ErrorCode::unsupported, {"/d/page", "a web page"});
  server.files["/e/net-0000.params"] = server.files["/models/digits-0000.params"];
  EXPECT_MXINFER_ERROR(load("/e/net"), ErrorCode::not_found, {"net-0000.params", "-symbol.json", "export()"});
}

TEST_F(RemoteModels, AreFetchedOnce) {
  expect_digits(load("/models/digits"));
  server.forget_requests();
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.count("If-None-Match"), 3);
  EXPECT_EQ(server.requests().size(), 3U);
}

TEST_F(RemoteModels, AreFetchedAgainWhenTheyHaveChanged) {
  static_cast<void>(load("/models/digits"));
  server.files["/models/synset.txt"] = "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n";
  EXPECT_EQ(load("/models/digits").labels().front(), "a");
  server.files.erase("/models/synset.txt");
  EXPECT_TRUE(load("/models/digits").labels().empty());
}

TEST_F(RemoteModels, FollowThePolicy) {
  options.remote.cache = CachePolicy::offline;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::not_found, {"offline", "digits-symbol.json"});
  EXPECT_EQ(server.requests().size(), 0U);
  options.remote.cache = CachePolicy::none;
  expect_digits(load("/models/digits"));
  options.remote.cache = CachePolicy::offline;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::not_found, {"offline"});
  options.remote.cache = CachePolicy::use;
  static_cast<void>(load("/models/digits"));
  server.forget_requests();
  options.remote.cache = CachePolicy::offline;
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.requests().size(), 0U);
  options.remote.cache = CachePolicy::refresh;
  expect_digits(load("/models/digits"));
  EXPECT_EQ(server.count("If-None-Match"), 0);
}

TEST_F(RemoteModels, StayWithinTheCachesBytes) {
  options.remote.cache_bytes = 1000;
  static_cast<void>(load("/models/digits"));
  // A file whose lock is held stays: of files that come at once, perhaps all. This one comes alone.
  static_cast<void>(load("/digits.mxz"));
  int copies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder))
    copies += entry.path().extension() == ".data" ? 1 : 0;
  EXPECT_EQ(copies, 1) << "what came last";
}

TEST_F(RemoteModels, AreCheckedBeforeTheyAreRead) {
  const std::string symbol = sources::sha256_hex(server.files["/models/digits-symbol.json"]);
  const std::string params = sources::sha256_hex(server.files["/models/digits-0000.params"]);
  const std::string labels = sources::sha256_hex(server.files["/models/synset.txt"]);
  expect_digits(
      Model::load(server.address("/models/digits#sha256=" + symbol + "," + params + "," + labels), options));
  options.sha256 = {symbol, labels, params};
  expect_digits(load("/models/digits"));
  expect_digits(Model::load(kDigits + "/digits", options));
  options.sha256 = {symbol, params};
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::malformed, {"synset.txt", labels});
  EXPECT_MXINFER_ERROR(Model::load(kDigits + "/digits", options), ErrorCode::malformed,
                       {"synset.txt", labels});
  server.faults.flip_byte = 100'000;
  options.remote.cache = CachePolicy::refresh;
  options.sha256 = {symbol, labels, params};
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::malformed, {"SHA-256", symbol});
}

TEST_F(RemoteModels, GoOnWhereTheConnectionBroke) {
  server.faults.cut_after = 65536;
  expect_digits(load("/models/digits"));
  EXPECT_GT(server.count("If-Range"), 0);
  expect_clean_cache();
}

TEST_F(RemoteModels, AreGivenUpWhenNothingComesOfIt) {
  server.faults.cut_after = 1000;
  server.faults.has_ranges = false;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::network, {"digits-symbol.json", "3 times"});
  expect_clean_cache();
  server.faults.cut_after = 0;
  expect_digits(load("/models/digits"));
}

TEST_F(RemoteModels, AreTriedAgainWhenTheServerIsBusy) {
  for (const int status : {500, 503, 429}) {
    server.faults.failure = status;
    server.faults.fail_first = 2;
    expect_digits(load("/models/digits"));
  }
  server.faults.fail_first = 100;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::network, {"429", "busy", "3 times"});
}

TEST_F(RemoteModels, StallsEnd) {
  server.faults.stalls = true;
  options.remote.stall_timeout = std::chrono::milliseconds(1000);
  options.remote.retries = 0;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::network, {"digits-symbol.json"});
}

TEST_F(RemoteModels, PagesOfCaptivePortalsAreNotKept) {
  const auto good = server.files;
  for (const char* name : {"digits-symbol.json", "digits-0000.params", "synset.txt"}) {
    server.files[std::string("/models/") + name] = "<html><body>Please sign in</body></html>";
    EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::malformed, {name, "a web page"});
    server.files = good;
    options.remote.cache = CachePolicy::offline;
    EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::not_found, {"offline"});
    options.remote.cache = CachePolicy::use;
    expect_digits(load("/models/digits"));
    std::filesystem::remove_all(options.remote.cache_folder);
  }
}

TEST_F(RemoteModels, RefusalsSayWhatToDo) {
  server.files["/models/digits-symbol.json"] = "<Error><Code>AccessDenied</Code></Error>";
  server.statuses["/models/digits-symbol.json"] = 403;
  EXPECT_MXINFER_ERROR(load("/models/digits"), ErrorCode::network, {"403", "AccessDenied", "credentials"});
  EXPECT_EQ(server.count("digits-symbol.json"), 1) << "it is not tried again";
  EXPECT_MXINFER_ERROR(Model::load(server.address(""), options), ErrorCode::unsupported, {"folder"});
}

TEST_F(RemoteModels, RedirectsAreFollowed) {
  server.redirects["/old/digits-symbol.json"] = "/models/digits-symbol.json";
  server.redirects["/old/digits-0000.params"] = server.address("/models/digits-0000.params");
  server.redirects["/old/synset.txt"] = "../models/synset.txt";
  EXPECT_EQ(load("/old/digits").signature().inputs.size(), 1U);
  server.redirects["/loop-symbol.json"] = "/loop-symbol.json";
  EXPECT_MXINFER_ERROR(load("/loop"), ErrorCode::network, {"redirected more than 5 times"});
  server.redirects["/away-symbol.json"] = "file:///etc/passwd";
  EXPECT_MXINFER_ERROR(load("/away"), ErrorCode::network, {"file:///etc/passwd", "only to http and https"});
}

TEST_F(RemoteModels, HeadersAreSentAndSecretsNotTold) {
  options.remote.headers = {"Authorization: Bearer s3cret"};
  static_cast<void>(load("/models/digits"));
  EXPECT_EQ(server.count("Bearer s3cret"), 3);
  std::string address = server.address("/models/none?token=s3cret");
  address.insert(7, "me:s3cret@");
  try {
    static_cast<void>(Model::load(address, options));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("s3cret"), std::string::npos) << e.what();
  }
  for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder))
    EXPECT_EQ(test::read_file(entry.path().string()).find("s3cret"), std::string::npos);
}

TEST_F(RemoteModels, LargeFilesComeInParts) {
  std::string large = server.files["/models/digits-0000.params"];
  server.files["/large.tar"] = std::string(20 << 20, 'x') + large;
  std::mutex mutex;
  std::int64_t most = 0;
  options.remote.progress = [&](const std::string&, std::int64_t fetched, std::int64_t size) {
    const std::lock_guard lock(mutex);
    EXPECT_LE(fetched, size);
    most = std::max(most, fetched);
  };
  const std::string digest = sources::sha256_hex(server.files["/large.tar"]);
  options.sha256 = {digest};
  // Its bytes are right, so that what is wrong is that it is no archive.
  EXPECT_MXINFER_ERROR(load("/large.tar"), ErrorCode::unsupported, {"large.tar", "not a zip, tar"});
  EXPECT_GE(server.count("Range: bytes="), 3);
  EXPECT_EQ(most, static_cast<std::int64_t>(server.files["/large.tar"].size()));
  options.remote.max_file_bytes = 1 << 20;
  options.remote.cache = CachePolicy::none;
  EXPECT_MXINFER_ERROR(load("/large.tar"), ErrorCode::invalid_argument, {"max_file_bytes", "large.tar"});
}

TEST_F(RemoteModels, EmptyFilesAreFetched) {
  server.files["/models/synset.txt"] = "";
  EXPECT_TRUE(load("/models/digits").labels().empty());
}

TEST_F(RemoteModels, AreFetchedByManyAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back([this] { expect_digits(load("/models/digits")); });
  for (std::thread& thread : threads) thread.join();
  const std::vector<std::string> requests = server.requests();
  const auto whole = std::count_if(requests.begin(), requests.end(), [](const std::string& request) {
    return request.find("digits-0000.params") != std::string::npos &&
           request.find("If-None-Match") == std::string::npos;
  });
  EXPECT_EQ(whole, 1) << "the others found the copy";
  expect_clean_cache();
}

TEST_F(RemoteModels, ServersThatAreNotThereAreNamed) {
  options.remote.retries = 0;
  EXPECT_MXINFER_ERROR(Model::load("http://127.0.0.1:1/digits", options), ErrorCode::network,
                       {"http://127.0.0.1:1/digits-symbol.json"});
}

/// A store in memory.
class Shelf final : public SourceScheme {
 public:
  class Book final : public ByteSource {
   public:
    explicit Book(std::string text) : text_(std::move(text)) {}
    [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(text_.size()); }
    void read(std::int64_t offset, Span<std::byte> to) const override {
      std::memcpy(to.data(), text_.data() + offset, to.size());
    }

   private:
    std::string text_;
  };

  explicit Shelf(bool lists) : lists_(lists) {}
  std::shared_ptr<const ByteSource> open(const std::string& address) const override {
    if (address == "shelf://broken-symbol.json") throw std::runtime_error("the shelf fell");
    std::string name = address.substr(address.rfind('/') + 1);
    if (name.rfind("my%20", 0) == 0) name.erase(0, 5);
    if (!std::filesystem::is_regular_file(kDigits + "/" + name)) return nullptr;
    return std::make_shared<Book>(test::read_file(kDigits + "/" + name));
  }
  std::optional<std::vector<std::string>> list(const std::string& folder) const override {
    if (!lists_) return std::nullopt;
    if (folder == "shelf://top/words/")
      return std::vector<std::string>{"my digits-symbol.json", "my digits-0000.params"};
    if (folder != "shelf://top/row/") return std::vector<std::string>();
    return std::vector<std::string>{"digits-symbol.json", "digits-0000.params", "synset.txt"};
  }

 private:
  bool lists_;
};

TEST_F(RemoteModels, ComeFromSchemesOfTheProgram) {
  for (const bool lists : {false, true}) {
    options.schemes["shelf"] = std::make_shared<Shelf>(lists);
    expect_digits(Model::load("shelf://top/row/digits", options));
    if (lists) expect_digits(Model::load("shelf://top/row", options));
  }
  for (const char* place : {"shelf://top/words", "shelf://top/words/my%20digits"})
    EXPECT_EQ(scores(Model::load(place, options)), scores(Model::load(kDigits)));
  EXPECT_MXINFER_ERROR(Model::load("shelf://broken", options), ErrorCode::network,
                       {"shelf://broken", "the shelf fell"});
  EXPECT_MXINFER_ERROR(Model::load("other://x", options), ErrorCode::unsupported, {"shelf"});
}

}  // namespace
}  // namespace mxinfer
