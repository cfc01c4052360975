#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/networks/digits.h"

namespace mxinfer {
namespace {

using test::kDigits;

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

TEST(Memory, SaysWhatModelAndPredictorHold) {
  const Predictor predictor(kDigits);
  const ModelMemory loaded = predictor.model().memory();
  EXPECT_EQ(loaded.packed_weights, 0u);
  EXPECT_EQ(predictor.memory().workspaces, 0u);
  (void)predictor.predict({batch(1)});
  const PredictorMemory memory = predictor.memory();
  EXPECT_GT(memory.weights.packed_weights, 0u);
  EXPECT_EQ(memory.weights.total(), predictor.model().memory().total());
  EXPECT_EQ(memory.weights.total(), predictor.stats().weight_bytes);
  EXPECT_GT(memory.plans, 0u);
  EXPECT_EQ(memory.workspaces, predictor.stats().executor_bytes);
  EXPECT_EQ(memory.idle_workspaces, memory.workspaces);
  EXPECT_EQ(memory.total(), memory.weights.total() + memory.plans + memory.workspaces);
  (void)predictor.trim();
  EXPECT_EQ(predictor.memory().workspaces, 0u);
  EXPECT_EQ(predictor.memory().plans, memory.plans);
}

TEST(Memory, TrimReleasesPackedWeightsThatNoPlanUsesAnyMore) {
  const Model model = Model::load(kDigits);
  {
    const Predictor gone(model, {.precision = Precision::bfloat16});
    (void)gone.predict({batch(1)});
  }
  const Predictor predictor(model);
  (void)predictor.predict({batch(1)});
  const std::size_t before = model.memory().packed_weights;
  const std::size_t idle = predictor.memory().idle_workspaces;
  const std::size_t released = predictor.trim();
  EXPECT_GT(released, idle);
  EXPECT_EQ(model.memory().packed_weights, before - (released - idle));
  EXPECT_GT(model.memory().packed_weights, 0u);
  const Tensor input = batch(1);
  EXPECT_NO_THROW((void)predictor.predict({input}));
}

TEST(Memory, ACallPastTheCapFailsAndTheProcessLives) {
  Options options;
  options.threads = 1;
  std::size_t one = 0;
  {
    const Predictor predictor(kDigits, options);
    (void)predictor.predict({batch(1)});
    one = predictor.memory().plans + predictor.memory().workspaces;
  }
  options.max_memory_bytes = 2 * one;
  const Predictor predictor(kDigits, options);
  const std::vector<Tensor> good = predictor.predict({batch(1)});
  EXPECT_MXINFER_ERROR(predictor.predict({batch(64)}), ErrorCode::out_of_memory,
                       {"Options::max_memory_bytes"});
  EXPECT_LE(predictor.memory().plans + predictor.memory().workspaces, options.max_memory_bytes);
  const std::vector<Tensor> again = predictor.predict({batch(1)});
  EXPECT_EQ(std::memcmp(good[0].raw(), again[0].raw(), good[0].bytes()), 0);
  auto submitted = predictor.predict_async({batch(64)});
  EXPECT_MXINFER_ERROR(submitted.get(), ErrorCode::out_of_memory, {"Options::max_memory_bytes"});
}

TEST(Memory, AnIdleLimitBelowZeroIsAnError) {
  Options options;
  options.idle_limit = std::chrono::milliseconds(-1);
  EXPECT_MXINFER_ERROR(Predictor(kDigits, options), ErrorCode::invalid_argument,
                       {"Options::idle_limit is -1 ms"});
  options.idle_limit = std::chrono::milliseconds::max();
  EXPECT_NO_THROW(Predictor(kDigits, options).warmup());
}

TEST(Memory, IsWrittenForPrometheus) {
  PredictorMemory memory;
  memory.weights = {1, 2};
  memory.plans = 3;
  memory.workspaces = 9;
  memory.idle_workspaces = 5;
  EXPECT_EQ(prometheus_text(memory, R"(model="a")"),
            "# HELP mxinfer_memory_bytes Memory that the predictor holds, and its model's weights, by kind.\n"
            "# TYPE mxinfer_memory_bytes gauge\n"
            "mxinfer_memory_bytes{model=\"a\",kind=\"stored_weights\"} 1\n"
            "mxinfer_memory_bytes{model=\"a\",kind=\"packed_weights\"} 2\n"
            "mxinfer_memory_bytes{model=\"a\",kind=\"plans\"} 3\n"
            "mxinfer_memory_bytes{model=\"a\",kind=\"running_workspaces\"} 4\n"
            "mxinfer_memory_bytes{model=\"a\",kind=\"idle_workspaces\"} 5\n");
}

TEST(Memory, APredictorIsWrittenForPrometheusWhole) {
  const Predictor predictor(kDigits);
  predictor.warmup();
  const std::string labels = R"(model="a")";
  EXPECT_EQ(predictor.prometheus_text(labels),
            prometheus_text(predictor.metrics(), labels) + prometheus_text(predictor.memory(), labels));
  const std::string bare = predictor.prometheus_text({}, false);
  EXPECT_EQ(bare.find('#'), std::string::npos);
  EXPECT_NE(bare.find("mxinfer_memory_bytes{kind=\"plans\"} "), std::string::npos) << bare;
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
