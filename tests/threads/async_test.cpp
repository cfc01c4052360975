// All of the asynchronous calls at once: submitting, cancelling, deadlines, queues and predictors that go
// while others work, and another model put in the place of one that is in use.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/networks/many.h"
#include "support/run_op.h"

namespace mxinfer {
namespace {

using namespace std::chrono_literals;

const std::string kDigits = std::string(MXINFER_SOURCE_DIR) + "/models/digits";

struct Outcomes {
  std::atomic<int> done{0}, wrong{0}, refused{0}, cancelled{0}, expired{0}, other{0};

  void count(const Error& e) {
    switch (e.code()) {
      case ErrorCode::too_many_requests:
        ++refused;
        break;
      case ErrorCode::cancelled:
        ++cancelled;
        break;
      case ErrorCode::deadline_exceeded:
        ++expired;
        break;
      default:
        ++other;
    }
  }
  int all() const { return done + wrong + refused + cancelled + expired + other; }
};

std::vector<float> scores_of(const std::vector<Tensor>& outputs) {
  const Span<const float> values = outputs.at(0).span<float>();
  return {values.begin(), values.end()};
}

/// A batch may give other bits than a single call.
bool are_close(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](float x, float y) { return std::abs(x - y) <= 1e-4f; });
}

Predictor predictor_with(WhenFull when_full, bool in_batches = false) {
  Options options;
  if (in_batches) {
    options.async.max_batch = 4;
    options.async.max_delay = 200us;
    options.max_plans = 2;
    options.max_plan_bytes = 1 << 18;
    options.idle_limit = 1ms;
  }
  options.async.max_in_flight = 6;
  options.async.workers = 3;
  options.async.when_full = when_full;
  return Predictor(kDigits, options);
}

/// A predictor that another takes the place of now and then.
class Current {
 public:
  Current() : predictor_(predictor_with(WhenFull::reject)) {}
  Predictor get() const {
    const std::lock_guard lock(mutex_);
    return predictor_;
  }
  void reload(int round) {
    const WhenFull when_full = round % 3 == 0   ? WhenFull::reject
                               : round % 3 == 1 ? WhenFull::block
                                                : WhenFull::drop_oldest;
    Predictor next = predictor_with(when_full, round % 2 == 1);
    const std::lock_guard lock(mutex_);
    std::swap(predictor_, next);
  }

 private:
  mutable std::mutex mutex_;
  Predictor predictor_;
};

void submit_many(const Current& current, unsigned seed, int calls, Outcomes& outcomes) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  std::vector<std::vector<float>> expected;
  for (unsigned i = 0; i < 3; ++i) {
    inputs.push_back(test::random_tensor({1 + i, 1, 32, 32}, seed * 10 + i, 0.0f, 255.0f));
    expected.push_back(scores_of(current.get().predict({inputs.back().view()})));
  }
  for (int call = 0; call < calls; ++call) {
    const std::size_t i = random() % inputs.size();
    try {
      SubmitOptions options;
      if (random() % 4 == 0) options.priority = Priority::high;
      if (random() % 5 == 0) options.deadline = deadline_after(std::chrono::microseconds(random() % 300));
      auto prediction = current.get().predict_async({inputs[i].view()}, options);
      if (random() % 6 == 0) prediction.cancel();
      if (random() % 3 == 0) (void)prediction.wait_for(std::chrono::microseconds(random() % 200));
      ++(are_close(scores_of(prediction.get()), expected[i]) ? outcomes.done : outcomes.wrong);
    } catch (const Error& e) {
      outcomes.count(e);
    }
  }
}

TEST(Async, EverythingAtOnceLosesAndMixesNothing) {
  const int calls = test::many(400);
  constexpr int kThreads = 6;
  Current current;
  Outcomes outcomes;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] { submit_many(current, t + 1, calls, outcomes); });
  std::atomic<bool> stop{false};
  std::thread reloader([&] {
    for (int round = 1; !stop; ++round) {
      current.reload(round);
      std::this_thread::sleep_for(3ms);
    }
  });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  reloader.join();
  EXPECT_EQ(outcomes.all(), kThreads * calls);
  EXPECT_EQ(outcomes.wrong, 0);
  EXPECT_EQ(outcomes.other, 0);
  EXPECT_GT(outcomes.done, 0);
}

TEST(Async, CompletionsOfManySubmittersArriveOnce) {
  const int calls = test::many(800);
  constexpr int kThreads = 4;
  AsyncOptions options;
  options.workers = 3;
  options.when_full = WhenFull::block;
  options.max_in_flight = 8;
  RequestQueue queue(options);
  CompletionQueue<int> done;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < calls; ++i) {
        const auto tag = static_cast<std::uint64_t>(t * calls + i);
        done.add(tag, queue.submit([tag] { return static_cast<int>(tag) + 1; }));
      }
    });
  }
  std::vector<int> seen(static_cast<std::size_t>(kThreads * calls));
  for (int taken = 0; taken < kThreads * calls;) {
    if (auto next = done.next(1ms)) {
      EXPECT_EQ(next->prediction.get(), static_cast<int>(next->tag) + 1);
      ++seen[next->tag];
      ++taken;
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), kThreads * calls);
}

TEST(Async, CallbacksSubmitTheNextUntilTheQueueGoes) {
  for (int round = 0; round < test::many(40); ++round) {
    std::atomic<int> calls{0};
    {
      AsyncOptions options;
      options.workers = 2;
      RequestQueue queue(options);
      std::function<void()> again = [&] {
        try {
          (void)queue.submit([&] { ++calls; }, [&](Prediction<void>) { again(); });
        } catch (const Error&) {  // shut down, or full
        }
      };
      for (int i = 0; i < 4; ++i) again();
      std::this_thread::sleep_for(std::chrono::microseconds(200 * (round % 5)));
      queue.shut_down();
    }
    EXPECT_GE(calls, 0);
  }
}

TEST(Async, SynchronousCallersShareThePlacesOfTheProcess) {
  const Predictor first(kDigits), second(kDigits);
  const Tensor input = test::random_tensor({8, 1, 32, 32}, 1, 0.0f, 255.0f);
  const std::vector<float> expected = scores_of(first.predict({input.view()}));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < test::many(100); ++i) {
        const Predictor& mine = t % 2 == 0 ? first : second;
        if (scores_of(mine.predict({input.view()})) != expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace mxinfer
