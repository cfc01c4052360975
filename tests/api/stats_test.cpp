#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

const std::string kDigits = MXINFER_SOURCE_DIR "/models/digits";

Tensor batch(std::int64_t count) {
  return Tensor(DType::float32, {count, 1, 32, 32});
}

TEST(Stats, CountCallsAndPlans) {
  Options options;
  options.max_plans = 2;
  const Predictor predictor(kDigits, options);
  EXPECT_EQ(predictor.stats().calls, 0u);
  const std::size_t loaded = predictor.stats().weight_bytes;
  for (const std::int64_t size : {1, 2, 1, 2, 3, 1}) (void)predictor.predict({batch(size)});
  const PredictorStats stats = predictor.stats();
  EXPECT_EQ(stats.calls, 6u);
  EXPECT_EQ(stats.plan_misses, 4u);  // 1, 2, 3, and 1 again, whose plan went for that of 3
  EXPECT_EQ(stats.plans_made, 4u);
  EXPECT_EQ(stats.plans, 2u);
  EXPECT_EQ(stats.running, 0u);
  EXPECT_EQ(stats.idle_executors, 2u);
  EXPECT_GT(stats.executor_bytes, 0u);
  EXPECT_GT(stats.weight_bytes, loaded);
}

TEST(Stats, TrimReleasesWhatIsIdle) {
  const Predictor predictor(kDigits);
  (void)predictor.predict({batch(1)});
  const std::size_t held = predictor.stats().executor_bytes;
  EXPECT_EQ(predictor.trim(), held);
  EXPECT_EQ(predictor.stats().executor_bytes, 0u);
  EXPECT_EQ(predictor.stats().idle_executors, 0u);
  EXPECT_EQ(predictor.trim(), 0u);
  (void)predictor.predict({batch(1)});
  EXPECT_EQ(predictor.stats().plans_made, 1u);
  EXPECT_EQ(predictor.stats().executor_bytes, held);
}

TEST(Stats, NoMoreExecutorsAreKeptThanAsked) {
  Options options;
  options.threads = 1;
  options.max_idle_executors = 1;
  const Predictor predictor(kDigits, options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) (void)predictor.predict({batch(4)});
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(predictor.stats().calls, 120u);
  EXPECT_EQ(predictor.stats().idle_executors, 1u);
  EXPECT_EQ(predictor.stats().running, 0u);
  options.max_idle_executors = 0;
  const Predictor none(kDigits, options);
  (void)none.predict({batch(1)});
  EXPECT_EQ(none.stats().executor_bytes, 0u);
}

// Collects messages while it lives.
class Messages {
 public:
  explicit Messages(LogLevel least) {
    set_log_callback(
        [this](LogLevel level, std::string_view message) {
          const std::lock_guard lock(mutex_);
          text_ += std::string(to_string(level)) + ": " + std::string(message) + "\n";
        },
        least);
  }
  ~Messages() { set_log_callback({}); }
  bool have(const std::string& text) const { return text_.find(text) != std::string::npos; }
  const std::string& text() const { return text_; }

 private:
  std::mutex mutex_;
  std::string text_;
};

TEST(Log, SaysWhatIsLoadedAndPlanned) {
  const Messages messages(LogLevel::info);
  const Predictor predictor(kDigits);
  (void)predictor.predict({batch(3)});
  EXPECT_TRUE(messages.have("info: model '" + kDigits + "/digits': loaded in ")) << messages.text();
  EXPECT_TRUE(messages.have("data float32 (3, 1, 32, 32): planned in ")) << messages.text();
  EXPECT_FALSE(messages.have("debug")) << messages.text();
}

TEST(Log, SaysThatAPlanWasDropped) {
  Options options;
  options.max_plans = 1;
  const Predictor predictor(kDigits, options);
  const Messages messages(LogLevel::debug);
  for (const std::int64_t size : {1, 2}) (void)predictor.predict({batch(size)});
  EXPECT_TRUE(messages.have("debug: ")) << messages.text();
  EXPECT_TRUE(messages.have("data float32 (1, 1, 32, 32): its plan was dropped")) << messages.text();
  EXPECT_TRUE(messages.have("max_plans")) << messages.text();
}

TEST(Log, IsSilentByDefaultAndAgain) {
  int called = 0;
  set_log_callback([&](LogLevel, std::string_view) { ++called; }, LogLevel::warning);
  (void)Model::load(kDigits);
  EXPECT_EQ(called, 0);
  set_log_callback([&](LogLevel, std::string_view) {
    ++called;
    throw 1;  // dropped
  });
  (void)Model::load(kDigits);
  EXPECT_EQ(called, 1);
  set_log_callback({});
  (void)Model::load(kDigits);
  EXPECT_EQ(called, 1);
}

}  // namespace
}  // namespace mxinfer
