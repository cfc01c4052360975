// Requests whose work goes on without a worker, as on a GPU: what begins it, the device's callback, and
// workers that look whether the device has failed meet in any order.
#include <gtest/gtest.h>
#include <mxinfer/async/request_queue.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "api/async/queue_access.h"
#include "support/gate.h"

namespace mxinfer {
namespace {

using namespace std::chrono_literals;

/// What a test's device does with the work of a request.
enum class Way { at_once, later, when_let_go, never_and_fails, throws };

/// What holds the device of a test.
test::Gate* device_gate = nullptr;

/// Gives 7. Its work is destroyed when it has ended, and what looks at it must not find it so.
class Started final : public detail::RequestOf<int> {
 public:
  Started(std::in_place_t /*tag*/, Way way) : way_(way), work_(std::make_unique<std::atomic<int>>(0)) {}
  ~Started() override {
    if (device_.valid()) device_.wait();
  }

 private:
  bool start(void (*resume)(void*), void* argument) override {
    if (way_ == Way::throws) throw std::runtime_error("no memory on the device");
    if (way_ == Way::at_once) resume(argument);
    if (way_ == Way::later) {
      device_ = std::async(std::launch::async, [=] {
        std::this_thread::sleep_for(25ms);  // a worker looks at it meanwhile
        resume(argument);
      });
    }
    if (way_ == Way::when_let_go) {
      device_ = std::async(std::launch::async, [=, gate = device_gate] {
        gate->hold()();
        resume(argument);
      });
    }
    return true;
  }
  bool has_stopped() noexcept override {
    const int looks = ++*work_;
    std::this_thread::sleep_for(10ms);
    return way_ == Way::never_and_fails && *work_ >= looks && looks >= 2;
  }
  void compute() override {
    const auto seven = [] { return 7; };
    result_.set(seven);
  }
  void drop_work() noexcept override { work_.reset(); }

  Way way_;
  std::unique_ptr<std::atomic<int>> work_;
  std::future<void> device_{};
};

Prediction<int> submit(RequestQueue& queue, Way way) {
  return api::QueueAccess::submit_as<Started>(queue, {}, way);
}

AsyncOptions with_workers(int workers) {
  AsyncOptions options;
  options.workers = workers;
  return options;
}

TEST(StartedRequests, EndWhateverComesFirst) {
  for (const int workers : {1, 3}) {
    RequestQueue queue(with_workers(workers));
    std::vector<Prediction<int>> predictions;
    for (int round = 0; round < 6; ++round) {
      for (const Way way : {Way::at_once, Way::later, Way::never_and_fails})
        predictions.push_back(submit(queue, way));
    }
    for (Prediction<int>& prediction : predictions) EXPECT_EQ(prediction.get(), 7);
  }
}

TEST(StartedRequests, OneWorkerHasManyOnTheirWay) {
  RequestQueue queue(with_workers(1));
  std::vector<Prediction<int>> predictions;
  test::Gate gate;
  device_gate = &gate;
  for (int i = 0; i < 20; ++i) predictions.push_back(submit(queue, Way::when_let_go));
  gate.wait_until_entered(20);  // for ever, where a worker stays with one
  for (const Prediction<int>& prediction : predictions) EXPECT_FALSE(prediction.ready());
  gate.open();
  for (Prediction<int>& prediction : predictions) EXPECT_EQ(prediction.get(), 7);
}

TEST(StartedRequests, WhatCannotBeStartedHasItsError) {
  RequestQueue queue(with_workers(1));
  EXPECT_THROW(submit(queue, Way::throws).get(), std::runtime_error);
  EXPECT_EQ(submit(queue, Way::later).get(), 7);
}

TEST(StartedRequests, AQueueThatIsShutDownWaitsForThem) {
  RequestQueue queue(with_workers(2));
  std::vector<Prediction<int>> predictions;
  test::Gate gate;
  device_gate = &gate;
  for (int i = 0; i < 8; ++i) predictions.push_back(submit(queue, Way::when_let_go));
  gate.wait_until_entered(8);
  std::thread opener([&] { gate.open(); });
  queue.shut_down();
  for (Prediction<int>& prediction : predictions) EXPECT_TRUE(prediction.ready());
  opener.join();
}

}  // namespace
}  // namespace mxinfer
