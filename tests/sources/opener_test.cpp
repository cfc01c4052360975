// Files by path and by address, through one Opener.
#include "sources/opener.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

#include "sources/digest.h"
#include "support/expect_error.h"
#include "support/files/temp_dir.h"
#include "support/servers/http_server.h"

namespace mxinfer::sources {
namespace {

using test::HttpServer;
using test::TempDir;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// "memory://NAME", with a folder of all of them.
class Memory final : public SourceScheme {
 public:
  class Text final : public ByteSource {
   public:
    explicit Text(std::string text) : text_(std::move(text)) {}
    std::int64_t size() const override { return static_cast<std::int64_t>(text_.size()); }
    void read(std::int64_t offset, Span<std::byte> to) const override {
      std::memcpy(to.data(), text_.data() + offset, to.size());
    }

   private:
    std::string text_;
  };

  std::shared_ptr<const ByteSource> open(const std::string& address) const override {
    if (address == "memory://broken") throw std::runtime_error("no tape in the drive");
    return address == "memory://a" ? std::make_shared<Text>("abc") : nullptr;
  }
  std::optional<std::vector<std::string>> list(const std::string& folder) const override {
    return std::vector<std::string>{folder, "a"};
  }
};

class OpenerTest : public testing::Test {
 protected:
  OpenerTest() {
    server.files["/a"] = "of a server";
    options.remote.cache_folder = folder / "copies";
    options.remote.retries = 0;
    options.schemes["memory"] = std::make_shared<Memory>();
  }

  std::size_t copies() const {
    if (!std::filesystem::exists(options.remote.cache_folder)) return 0;
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options.remote.cache_folder))
      count += entry.path().extension() == ".data" ? 1 : 0;
    return count;
  }

  TempDir folder;
  HttpServer server;
  LoadOptions options;
};

TEST_F(OpenerTest, OpensPathsAndAddresses) {
  const std::string path = folder.write("a file", "of a disk");
  const Opener opener(options);
  EXPECT_EQ(read_text(*opener.open(path)), "of a disk");
  EXPECT_EQ(read_text(*opener.open("file://" + folder.path() + "/a%20file")), "of a disk");
  EXPECT_EQ(read_text(*opener.open(server.address("/a"))), "of a server");
  EXPECT_EQ(read_text(*opener.open("memory://a")), "abc");
  EXPECT_EQ(copies(), 1U);
}

TEST_F(OpenerTest, SaysWhatIsNotThere) {
  const Opener opener(options);
  EXPECT_MXINFER_ERROR(opener.open(folder / "none"), ErrorCode::not_found, {"none"});
  EXPECT_EQ(opener.open(server.address("/none")), nullptr);
  EXPECT_EQ(opener.open("memory://none"), nullptr);
  for (const std::string& address : {server.address("/none"), std::string("memory://none")}) {
    EXPECT_MXINFER_ERROR(opener.open_existing(address), ErrorCode::not_found, {address, "nothing"});
    EXPECT_MXINFER_ERROR(opener.read(address), ErrorCode::not_found, {address, "nothing"});
  }
  EXPECT_MXINFER_ERROR(opener.open("nowhere://a"), ErrorCode::unsupported, {"'nowhere'", "memory"});
  EXPECT_MXINFER_ERROR(opener.read("memory://broken"), ErrorCode::network, {"memory://broken", "no tape"});
}

TEST_F(OpenerTest, NamesNoSecretOfAnAddress) {
  const Opener opener(options);
  try {
    static_cast<void>(opener.read(server.address("/none?signature=geheim")));
    FAIL() << "the file does not exist";
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()).find("geheim"), std::string::npos) << e.what();
  }
}

TEST_F(OpenerTest, ReadsPastTheCopies) {
  const Opener opener(options);
  EXPECT_EQ(text_of(opener.read(server.address("/a"))), "of a server");
  EXPECT_EQ(text_of(opener.read("memory://a")), "abc");
  EXPECT_EQ(text_of(opener.read(folder.write("b", "of a disk"))), "of a disk");
  EXPECT_EQ(copies(), 0U);
}

TEST_F(OpenerTest, OfflineFetchesNothing) {
  options.remote.cache = CachePolicy::offline;
  const Opener opener(options);
  EXPECT_MXINFER_ERROR(opener.read(server.address("/a")), ErrorCode::not_found, {"offline"});
  EXPECT_MXINFER_ERROR(opener.open_existing(server.address("/a")), ErrorCode::not_found, {"offline"});
  EXPECT_TRUE(server.requests().empty());
}

TEST_F(OpenerTest, ChecksWhatIsBehindTheAddress) {
  const std::string good = "#sha256=" + sha256_hex(std::string_view("of a server"));
  const std::string bad = "#sha256=" + sha256_hex(std::string_view("of another"));
  const Opener opener(options);
  EXPECT_EQ(read_text(*opener.open(server.address("/a") + good)), "of a server");
  EXPECT_EQ(text_of(opener.read(server.address("/a") + good)), "of a server");
  EXPECT_MXINFER_ERROR(opener.open(server.address("/a") + bad), ErrorCode::malformed, {"/a"});
  EXPECT_MXINFER_ERROR(opener.read(server.address("/a") + bad), ErrorCode::malformed, {"/a"});
  const std::string path = "file://" + folder.write("a", "of a disk");
  EXPECT_MXINFER_ERROR(opener.read(path + bad), ErrorCode::malformed, {"a"});
}

TEST_F(OpenerTest, ListsWhereTheSchemeCan) {
  const Opener opener(options);
  EXPECT_EQ(opener.list("memory://b/"), (std::vector<std::string>{"memory://b/", "a"}));
  EXPECT_EQ(opener.list(server.address("/b/")), std::nullopt);
}

TEST_F(OpenerTest, UsesConnectionsAgainForManyThreads) {
  constexpr int kThreads = 4, kEach = 50;
  const Opener opener(options);
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) good += text_of(opener.read(server.address("/a"))) == "of a server";
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, kThreads * kEach);
  EXPECT_EQ(server.requests().size(), static_cast<std::size_t>(kThreads * kEach));
  EXPECT_LE(server.connections(), kThreads);
}

}  // namespace
}  // namespace mxinfer::sources
