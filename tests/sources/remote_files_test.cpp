// Models fetched ahead of time, and the copies on disk: what there is, and what goes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sources/digest.h"
#include "sources/remote/copies/disk_cache.h"
#include "sources/remote/copies/temporary_file.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/networks/digits.h"
#include "support/servers/http_server.h"

namespace mxinfer {
namespace {

namespace fs = std::filesystem;

using test::kDigits;

class RemoteFiles : public testing::Test {
 protected:
  RemoteFiles() {
    for (const std::string name : {"digits-symbol.json", "digits-0000.params", "synset.txt"})
      server.files["/" + name] = test::read_file(kDigits + "/" + name);
    server.files["/digits.mxz"] = test::read_file(MXINFER_SOURCE_DIR "/models/digits.mxz");
    options.remote.cache_folder = folder / "copies";
    options.remote.retries = 0;
  }

  std::string digest(const std::string& path) { return sources::sha256_hex(server.files.at(path)); }

  /// The files in the folder of copies.
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(options.remote.cache_folder))
      found.insert(entry.path().filename().string());
    return found;
  }

  /// A file in the folder of copies that was last written to so many hours ago.
  std::string write(const std::string& name, int hours_ago) const {
    const std::string path = folder.write("copies/" + name, "12345");
    set_time(path, hours_ago);
    return path;
  }
  static void set_time(const std::string& path, int hours_ago) {
    timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = ::time(nullptr) - hours_ago * 3600;
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }
  /// Makes the copy of an address one that was used so long ago.
  void use(const std::string& path, int hours_ago) const {
    set_time(options.remote.cache_folder + "/" + sources::sha256_hex(server.address(path)) + ".json",
             hours_ago);
  }

  test::TempDir folder;
  test::HttpServer server;
  LoadOptions options;
};

TEST_F(RemoteFiles, AreFetchedWholeAndChecked) {
  const std::string address = server.address("/digits");
  const auto files = fetch_model(address, options);
  ASSERT_EQ(files.size(), 3U);
  const std::vector<std::string> paths = {"/digits-symbol.json", "/digits-0000.params", "/synset.txt"};
  std::string digests;
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(files[i].address, server.address(paths[i]));
    EXPECT_EQ(files[i].size, static_cast<std::int64_t>(server.files[paths[i]].size()));
    EXPECT_EQ(files[i].sha256, digest(paths[i]));
    EXPECT_EQ(test::read_file(files[i].path), server.files[paths[i]]);
    digests += (digests.empty() ? "#sha256=" : ",") + files[i].sha256;
  }
  options.remote.cache = CachePolicy::offline;
  server.forget_requests();
  EXPECT_EQ(fetch_model(address + digests, options).size(), 3U);
  EXPECT_EQ(Model::load(address + digests, options).labels().size(), 10U);
  EXPECT_TRUE(server.requests().empty());
  options.sha256 = {files[0].sha256};
  EXPECT_MXINFER_ERROR(fetch_model(address, options), ErrorCode::malformed, {"digits-0000.params"});
}

TEST_F(RemoteFiles, OfAnArchiveAndOfWhatIsNoModel) {
  const auto files = fetch_model(server.address("/digits.mxz"), options);
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].sha256, digest("/digits.mxz"));
  server.files["/text.zip"] = "no archive";
  EXPECT_EQ(fetch_model(server.address("/text.zip"), options).size(), 1U) << "nothing is parsed";
  EXPECT_MXINFER_ERROR(fetch_model(server.address("/none"), options), ErrorCode::not_found, {"/none"});
}

TEST_F(RemoteFiles, WithoutCopiesHaveNoPath) {
  options.remote.cache = CachePolicy::none;
  for (const FetchedFile& file : fetch_model(server.address("/digits"), options)) {
    EXPECT_EQ(file.path, "");
    EXPECT_EQ(file.sha256.size(), 64U);
  }
}

TEST_F(RemoteFiles, OfAPathAreWhereTheyAre) {
  const auto files = fetch_model(kDigits + "/digits", options);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[1].path, kDigits + "/digits-0000.params");
  EXPECT_EQ(files[1].sha256, digest("/digits-0000.params"));
  EXPECT_FALSE(fs::exists(options.remote.cache_folder));
}

TEST_F(RemoteFiles, CopiesAreListedByTheirLastUse) {
  EXPECT_TRUE(cached_files(options.remote).empty());
  EXPECT_FALSE(fs::exists(options.remote.cache_folder)) << "to look makes no folder";
  static_cast<void>(fetch_model(server.address("/digits.mxz?key=geheim"), options));
  static_cast<void>(fetch_model(server.address("/digits"), options));
  use("/digits-symbol.json", 5);
  use("/digits-0000.params", 3);
  const auto files = cached_files(options.remote);
  ASSERT_EQ(files.size(), 4U);
  EXPECT_EQ(files[2].address, server.address("/digits-0000.params"));
  EXPECT_EQ(files[3].address, server.address("/digits-symbol.json"));
  EXPECT_EQ(files[3].size, static_cast<std::int64_t>(server.files["/digits-symbol.json"].size()));
  EXPECT_EQ(test::read_file(files[3].path), server.files["/digits-symbol.json"]);
  EXPECT_EQ(files[2].last_use - files[3].last_use, std::chrono::hours(2));
  for (const CachedFile& file : files) EXPECT_EQ(file.address.find("geheim"), std::string::npos);
}

TEST_F(RemoteFiles, WhatWasUsedLongestAgoGoesFirst) {
  static_cast<void>(fetch_model(server.address("/digits"), options));
  use("/digits-symbol.json", 5);
  use("/digits-0000.params", 3);
  const auto symbol = static_cast<std::int64_t>(server.files["/digits-symbol.json"].size());
  const auto params = static_cast<std::int64_t>(server.files["/digits-0000.params"].size());
  const auto labels = static_cast<std::int64_t>(server.files["/synset.txt"].size());
  CleanedCache removed = clean_cache(options.remote, symbol + params + labels);
  EXPECT_EQ(removed.files, 0);
  removed = clean_cache(options.remote, params + labels);
  EXPECT_EQ(removed.files, 1);
  EXPECT_EQ(removed.bytes, symbol);
  ASSERT_EQ(cached_files(options.remote).size(), 2U);
  removed = clean_cache(options.remote);
  EXPECT_EQ(removed.files, 2);
  EXPECT_EQ(removed.bytes, params + labels);
  EXPECT_EQ(names(), (std::set<std::string>{".lock"}));
  EXPECT_MXINFER_ERROR(clean_cache(options.remote, -1), ErrorCode::invalid_argument, {"-1"});
}

TEST_F(RemoteFiles, ModelsThatAreLoadedKeepWhatTheyReadFrom) {
  const Model model = Model::load(server.address("/digits"), options);
  EXPECT_GT(clean_cache(options.remote).files, 0);
  EXPECT_FALSE(Predictor(model).predict({Tensor(DType::float32, {1, 1, 32, 32})}).empty());
}

TEST_F(RemoteFiles, CopiesThatAreBeingOpenedStay) {
  static_cast<void>(fetch_model(server.address("/digits.mxz"), options));
  const std::string lock =
      options.remote.cache_folder + "/" + sources::sha256_hex(server.address("/digits.mxz")) + ".lock";
  const int descriptor = ::open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
  EXPECT_EQ(clean_cache(options.remote).files, 0);
  EXPECT_EQ(cached_files(options.remote).size(), 1U);
  ::close(descriptor);
  EXPECT_EQ(clean_cache(options.remote).files, 1);
}

TEST_F(RemoteFiles, LeftoversOfKilledProcessesGo) {
  const std::string key(64, 'a');
  static_cast<void>(fetch_model(server.address("/digits.mxz"), options));
  for (const char* name : {"fetching-Abc123", "notes.json", "a.data", "fetching-is-what-I-do"})
    write(name, 25);
  for (const char* ending : {".json", "-Abc123.data", ".lock", ".json.12-0.tmp"}) write(key + ending, 25);
  write("fetching-Def456", 23);
  sources::TemporaryFile living(options.remote.cache_folder);
  set_time(living.path(), 25);

  const std::set<std::string> before = names();
  const CleanedCache removed = clean_cache(options.remote, std::int64_t{1} << 40);
  EXPECT_EQ(removed.files, 5);
  EXPECT_EQ(removed.bytes, 25);
  std::set<std::string> after = names(), gone;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::inserter(gone, gone.end()));
  EXPECT_EQ(gone, (std::set<std::string>{"fetching-Abc123", key + ".json", key + "-Abc123.data",
                                         key + ".lock", key + ".json.12-0.tmp"}));
  EXPECT_EQ(cached_files(options.remote).size(), 1U);
}

TEST(CopyLock, OfAFileThatWasRemovedIsNone) {
  using Lock = sources::DiskCache::Lock;
  const test::TempDir folder;
  const std::string path = folder / "key.lock";
  auto first = std::make_unique<Lock>(path);
  // Waits for the file that then goes.
  auto second = std::async(std::launch::async, [&] { return std::make_unique<Lock>(path); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  fs::remove(path);
  auto third = std::make_unique<Lock>(path);
  first.reset();
  EXPECT_EQ(second.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout)
      << "two have the lock";
  EXPECT_FALSE(Lock(path, Lock::Way::attempt).is_held());
  third.reset();
  EXPECT_TRUE(second.get()->is_held());
  EXPECT_TRUE(Lock(path, Lock::Way::attempt).is_held());
}

TEST_F(RemoteFiles, AFolderThatCannotBeChangedIsAnError) {
  options.remote.cache_folder = folder.write("file");
  EXPECT_MXINFER_ERROR(clean_cache(options.remote), ErrorCode::invalid_argument, {"file", "not a folder"});
  options.remote.cache_folder = folder / "none";
  EXPECT_EQ(clean_cache(options.remote).files, 0);
}

}  // namespace
}  // namespace mxinfer
