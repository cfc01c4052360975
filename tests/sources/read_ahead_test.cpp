// Files of a list, read ahead: how many at a time, how many are held, and how it ends.
#include "sources/read_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "base/threads/call_context.h"
#include "support/expect_error.h"

namespace mxinfer::sources {
namespace {

/// "gate://N": a byte, once the gate is open; "gate://-1" throws.
class Gate final : public SourceScheme {
 public:
  class Byte final : public ByteSource {
   public:
    std::int64_t size() const override { return 1; }
    void read(std::int64_t, Span<std::byte> to) const override { to[0] = std::byte{7}; }
  };

  std::shared_ptr<const ByteSource> open(const std::string& address) const override {
    if (address == "gate://-1") throw std::runtime_error("no such gate");
    std::unique_lock lock(mutex_);
    ++begun_;
    ++inside_;
    most_inside_ = std::max(most_inside_, inside_);
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_open_; });
    --inside_;
    return std::make_shared<Byte>();
  }

  void set_open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void wait_for(int begun) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ >= begun; });
  }
  int begun() const {
    const std::lock_guard lock(mutex_);
    return begun_;
  }
  int most_inside() const {
    const std::lock_guard lock(mutex_);
    return most_inside_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable int begun_ = 0, inside_ = 0, most_inside_ = 0;
  bool is_open_ = false;
};

class ReadAheadTest : public testing::Test {
 protected:
  explicit ReadAheadTest(int connections = 3) {
    options.schemes["gate"] = gate;
    options.remote.connections = connections;
  }

  static std::vector<std::string> places(int count) {
    std::vector<std::string> list;
    for (int i = 0; i < count; ++i) list.push_back("gate://" + std::to_string(i));
    return list;
  }
  /// The indices of all files that come, each of them good.
  static std::set<std::size_t> drain(ReadAhead& ahead) {
    std::set<std::size_t> indices;
    for (auto files = ahead.next(); !files.empty(); files = ahead.next()) {
      for (const ReadFile& file : files) {
        EXPECT_EQ(file.bytes, std::vector<std::byte>{std::byte{7}});
        EXPECT_TRUE(indices.insert(file.index).second) << file.index << " came twice";
      }
    }
    return indices;
  }

  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  LoadOptions options;
};

TEST_F(ReadAheadTest, GivesEachFileOnce) {
  gate->set_open();
  const Opener opener(options);
  for (const int count : {0, 1, 2, 3, 100}) {
    const auto list = places(count);
    ReadAhead ahead(opener, list);
    EXPECT_EQ(drain(ahead).size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(ahead.next().empty());
  }
  EXPECT_LE(gate->most_inside(), 3);
}

TEST_F(ReadAheadTest, ReadsAsManyAtATimeAsThereAreConnections) {
  const Opener opener(options);
  const auto list = places(10);
  ReadAhead ahead(opener, list);
  gate->wait_for(3);
  EXPECT_EQ(gate->begun(), 3);
  gate->set_open();
  EXPECT_EQ(drain(ahead).size(), 10U);
}

TEST_F(ReadAheadTest, HoldsFourFilesForEachConnection) {
  gate->set_open();
  const Opener opener(options);
  const auto list = places(100);
  {
    ReadAhead ahead(opener, list);
    gate->wait_for(12);
  }
  EXPECT_EQ(gate->begun(), 12);
}

TEST_F(ReadAheadTest, BeginsNoMoreOnceItIsStopped) {
  const Opener opener(options);
  const auto list = places(100);
  ReadAhead ahead(opener, list);
  gate->wait_for(3);
  ahead.stop();
  gate->set_open();
  EXPECT_EQ(drain(ahead), (std::set<std::size_t>{0, 1, 2}));
}

TEST_F(ReadAheadTest, KeepsTheErrorOfEachFile) {
  gate->set_open();
  const Opener opener(options);
  for (const auto& list : {std::vector<std::string>{"gate://-1"}, {"gate://1", "gate://-1", "gate://2"}}) {
    ReadAhead ahead(opener, list);
    int failed = 0, good = 0;
    for (auto files = ahead.next(); !files.empty(); files = ahead.next()) {
      for (const ReadFile& file : files) {
        EXPECT_EQ(file.error != nullptr, list[file.index] == "gate://-1");
        ++(file.error ? failed : good);
        if (file.error)
          EXPECT_MXINFER_ERROR(std::rethrow_exception(file.error), ErrorCode::network, {"no such gate"});
      }
    }
    EXPECT_EQ(failed, 1);
    EXPECT_EQ(good, static_cast<int>(list.size()) - 1);
  }
}

TEST_F(ReadAheadTest, ACancelledCallWaitsForNothing) {
  const Opener opener(options);
  const auto list = places(10);
  ReadAhead ahead(opener, list);
  gate->wait_for(3);
  const std::atomic<bool> cancelled{true};
  CallContext context;
  context.cancelled = &cancelled;
  {
    const CallScope scope(context);
    EXPECT_MXINFER_ERROR(ahead.next(), ErrorCode::cancelled, {});
  }
  ahead.stop();
  gate->set_open();
}

}  // namespace
}  // namespace mxinfer::sources
