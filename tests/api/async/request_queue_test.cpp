// RequestQueue and Prediction: every sentence of their headers.
#include <gtest/gtest.h>
#include <mxinfer/mxinfer.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/expect_error.h"
#include "support/gate.h"

namespace mxinfer {
namespace {

using test::Gate;

using namespace std::chrono_literals;

AsyncOptions one_worker(int max_in_flight = 64) {
  AsyncOptions options;
  options.workers = 1;
  options.max_in_flight = max_in_flight;
  return options;
}

TEST(RequestQueue, GivesResultsToTheirHandles) {
  RequestQueue queue;
  std::vector<Prediction<int>> predictions;
  for (int i = 0; i < 50; ++i) predictions.push_back(queue.submit([i] { return i * i; }));
  for (int i = 49; i >= 0; --i) EXPECT_EQ(predictions[static_cast<std::size_t>(i)].get(), i * i);
}

TEST(RequestQueue, AHandleIsReadyWhenItsWorkHasEndedAndNotBefore) {
  Gate gate;
  RequestQueue queue(one_worker());
  auto prediction = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  EXPECT_FALSE(prediction.ready());
  EXPECT_FALSE(prediction.wait_for(1ms));
  gate.open();
  EXPECT_TRUE(prediction.wait_for(1h));
  EXPECT_TRUE(prediction.ready());
  prediction.wait();
  prediction.get();
  EXPECT_FALSE(prediction.valid());
}

TEST(RequestQueue, AResultCanBeTakenOnce) {
  RequestQueue queue;
  auto prediction = queue.submit([] { return std::string("result"); });
  EXPECT_EQ(prediction.get(), "result");
  EXPECT_FALSE(prediction.ready());
  EXPECT_FALSE(prediction.cancel());
  EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::invalid_argument, {"empty Prediction"});
  EXPECT_MXINFER_ERROR(prediction.wait(), ErrorCode::invalid_argument, {"empty Prediction"});
  EXPECT_MXINFER_ERROR(Prediction<int>().wait_for(1ms), ErrorCode::invalid_argument, {"empty Prediction"});
}

TEST(RequestQueue, WhatWorkThrowsTravelsInTheHandle) {
  RequestQueue queue;
  auto wrong = queue.submit([]() -> int { throw Error(ErrorCode::malformed, "bytes"); });
  auto foreign = queue.submit([] { throw std::logic_error("of the caller"); });
  EXPECT_MXINFER_ERROR(wrong.get(), ErrorCode::malformed, {"bytes"});
  EXPECT_THROW(foreign.get(), std::logic_error);
  EXPECT_EQ(queue.metrics().failed, 2u);
}

TEST(RequestQueue, ResultsAndWorkMayBeMoveOnly) {
  RequestQueue queue;
  auto prediction = queue.submit([held = std::make_unique<int>(7)]() mutable { return std::move(held); });
  EXPECT_EQ(*prediction.get(), 7);
}

TEST(RequestQueue, WorkGoesWhenItHasEndedAndItsResultWithTheHandle) {
  RequestQueue queue(one_worker());
  auto captured = std::make_shared<int>(1);
  const std::weak_ptr<int> in_work = captured;
  auto result = std::make_shared<int>(2);
  const std::weak_ptr<int> in_result = result;
  auto prediction = queue.submit(
      [captured = std::move(captured), result = std::move(result)]() mutable { return std::move(result); });
  prediction.wait();
  EXPECT_TRUE(in_work.expired());
  EXPECT_FALSE(in_result.expired());
  prediction = {};
  while (!in_result.expired()) std::this_thread::yield();  // the worker lets go of it too
}

TEST(RequestQueue, ADestroyedHandleDoesNotStopTheWork) {
  std::atomic<int> done{0};
  {
    RequestQueue queue(one_worker());
    for (int i = 0; i < 10; ++i) (void)queue.submit([&] { ++done; });
    queue.submit([] {}).get();
  }
  EXPECT_EQ(done, 10);
}

TEST(RequestQueue, RefusesWhatIsTooMuch) {
  Gate gate;
  RequestQueue queue(one_worker(2));
  auto running = queue.submit(gate.hold());
  auto waiting = queue.submit([] {});
  EXPECT_MXINFER_ERROR(queue.submit([] {}), ErrorCode::too_many_requests, {"2", "max_in_flight"});
  EXPECT_EQ(queue.metrics().refused, 1u);
  gate.open();
  waiting.get();
  queue.submit([] {}).get();  // there is room again
}

TEST(RequestQueue, DropsTheOldestThatWaitsOfTheLowerPriorityFirst) {
  Gate gate;
  AsyncOptions options = one_worker(3);
  options.when_full = WhenFull::drop_oldest;
  RequestQueue queue(options);
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  auto high = queue.submit([] { return 1; }, {Priority::high});
  auto older = queue.submit([] { return 2; });
  auto newer = queue.submit([] { return 3; });
  EXPECT_TRUE(older.ready());
  EXPECT_MXINFER_ERROR(older.get(), ErrorCode::cancelled, {"newer one"});
  gate.open();
  EXPECT_EQ(high.get(), 1);
  EXPECT_EQ(newer.get(), 3);
}

TEST(RequestQueue, HasNothingToDropIfAllRun) {
  Gate gate;
  AsyncOptions options = one_worker(1);
  options.when_full = WhenFull::drop_oldest;
  RequestQueue queue(options);
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  EXPECT_MXINFER_ERROR(queue.submit([] {}), ErrorCode::too_many_requests, {});
  gate.open();
}

TEST(RequestQueue, BlocksUntilThereIsRoom) {
  Gate gate;
  AsyncOptions options = one_worker(1);
  options.when_full = WhenFull::block;
  RequestQueue queue(options);
  auto running = queue.submit(gate.hold());
  // get() for a machine that stands still in between: a deadline that has passed before is the handle's
  // error.
  EXPECT_MXINFER_ERROR(queue.submit([] {}, {Priority::normal, deadline_after(100ms)}).get(),
                       ErrorCode::deadline_exceeded, {"deadline"});
  std::thread opener([&] { gate.open(); });
  EXPECT_EQ(queue.submit([] { return 5; }).get(), 5);
  opener.join();
}

TEST(RequestQueue, NeverBlocksItsOwnThreads) {
  AsyncOptions options = one_worker(1);
  options.when_full = WhenFull::block;
  RequestQueue queue(options);
  auto prediction = queue.submit([&] { (void)queue.submit([] {}); });
  EXPECT_MXINFER_ERROR(prediction.get(), ErrorCode::too_many_requests, {});
}

TEST(RequestQueue, HighPriorityStartsFirst) {
  Gate gate;
  RequestQueue queue(one_worker());
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  std::vector<int> order;
  (void)queue.submit([&] { order.push_back(1); });
  (void)queue.submit([&] { order.push_back(2); });
  (void)queue.submit([&] { order.push_back(3); }, {Priority::high});
  (void)queue.submit([&] { order.push_back(4); }, {Priority::high});
  auto last = queue.submit([&] { order.push_back(5); });
  gate.open();
  last.get();
  EXPECT_EQ(order, (std::vector<int>{3, 4, 1, 2, 5}));
}

TEST(RequestQueue, ADeadlineInThePastEndsAtOnce) {
  RequestQueue queue;
  bool ran = false;
  auto late = queue.submit([&] { ran = true; }, {Priority::normal, std::chrono::steady_clock::now() - 1s});
  EXPECT_TRUE(late.ready());
  EXPECT_MXINFER_ERROR(late.get(), ErrorCode::deadline_exceeded, {});
  queue.submit([] {}).get();
  EXPECT_FALSE(ran);
  EXPECT_EQ(queue.metrics().expired, 1u);
}

TEST(RequestQueue, WhatHasNotStartedByItsDeadlineNeverDoes) {
  Gate gate;
  RequestQueue queue(one_worker());
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  bool ran = false;
  auto late = queue.submit([&] { ran = true; }, {Priority::normal, deadline_after(100ms)});
  auto waited_for = queue.submit([&] { ran = true; }, {Priority::normal, deadline_after(100ms)});
  // Who waits for it is told at its deadline, with the worker still busy.
  EXPECT_MXINFER_ERROR(waited_for.get(), ErrorCode::deadline_exceeded, {});
  gate.open();
  EXPECT_MXINFER_ERROR(late.get(), ErrorCode::deadline_exceeded, {});
  EXPECT_FALSE(ran);
}

TEST(RequestQueue, ExpiredOnesMakeRoom) {
  Gate gate;
  RequestQueue queue(one_worker(2));
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  auto late = queue.submit([] {}, {Priority::normal, deadline_after(1ms)});
  std::this_thread::sleep_for(3ms);
  auto next = queue.submit([] { return 8; });
  EXPECT_TRUE(late.ready());
  gate.open();
  EXPECT_EQ(next.get(), 8);
}

TEST(RequestQueue, CancelEndsWhatWaitsAtOnce) {
  Gate gate;
  RequestQueue queue(one_worker());
  auto running = queue.submit(gate.hold());
  bool ran = false;
  auto waiting = queue.submit([&] { ran = true; });
  EXPECT_TRUE(waiting.cancel());
  EXPECT_TRUE(waiting.ready());
  EXPECT_FALSE(waiting.cancel());
  EXPECT_MXINFER_ERROR(waiting.get(), ErrorCode::cancelled, {"before it started"});
  gate.open();
  running.get();
  EXPECT_FALSE(ran);
}

TEST(RequestQueue, CallbacksGetAHandleThatIsReady) {
  RequestQueue queue;
  std::promise<int> result;
  (void)queue.submit([] { return 6; },
                     [&](Prediction<int> ended) {
                       EXPECT_TRUE(ended.ready());
                       result.set_value(ended.get());
                     });
  EXPECT_EQ(result.get_future().get(), 6);
  std::promise<bool> failed;
  (void)queue.submit([]() -> int { throw Error(ErrorCode::malformed, "no"); },
                     [&](Prediction<int> ended) {
                       EXPECT_MXINFER_ERROR(ended.get(), ErrorCode::malformed, {"no"});
                       failed.set_value(true);
                     });
  EXPECT_TRUE(failed.get_future().get());
}

TEST(RequestQueue, ACallbackThatThrowsIsReportedAndNothingElse) {
  std::mutex mutex;
  std::vector<std::string> events;
  AsyncOptions options = one_worker();
  options.on_event = [&](const RequestEvent& event) {
    const std::lock_guard lock(mutex);
    events.push_back(std::string(to_string(event.outcome)) + " " + std::string(event.message));
    throw std::runtime_error("a hook that throws");
  };
  RequestQueue queue(options);
  (void)queue.submit([] {}, [](Prediction<void>) { throw std::runtime_error("a callback that throws"); });
  queue.submit([] {}).get();
  queue.shut_down();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0], "done ");
  EXPECT_NE(events[1].find("callback_failed"), std::string::npos);
  EXPECT_NE(events[1].find("a callback that throws"), std::string::npos);
  EXPECT_EQ(queue.metrics().failed_callbacks, 1u);
}

TEST(RequestQueue, AQueueThatIsDestroyedCancelsWhatWaitsAndWaitsForWhatRuns) {
  Gate gate;
  std::atomic<bool> ended{false};
  auto queue = std::make_unique<RequestQueue>(one_worker());
  auto running = queue->submit([&] {
    gate.hold()();
    ended = true;
    return 3;
  });
  auto waiting = queue->submit([] { return 4; });
  gate.wait_until_entered(1);
  std::thread opener([&] {
    waiting.wait();  // which the end of the queue cancels while the other one runs
    gate.open();
  });
  queue.reset();
  EXPECT_TRUE(ended);
  opener.join();
  // Handles outlive it.
  EXPECT_EQ(running.get(), 3);
  EXPECT_MXINFER_ERROR(waiting.get(), ErrorCode::cancelled, {"shut down"});
}

TEST(RequestQueue, TakesNothingAfterItWasShutDown) {
  RequestQueue queue;
  auto before = queue.submit([] { return 1; });
  before.wait();
  queue.shut_down();
  queue.shut_down();
  EXPECT_EQ(before.get(), 1);
  EXPECT_MXINFER_ERROR(queue.submit([] {}), ErrorCode::cancelled, {"shut down"});
}

TEST(RequestQueue, ACallbackMayDestroyTheQueue) {
  auto* queue = new RequestQueue;
  std::promise<void> destroyed;
  (void)queue->submit([] {},
                      [&](Prediction<void>) {
                        delete queue;
                        destroyed.set_value();
                      });
  destroyed.get_future().wait();
}

TEST(RequestQueue, TheEndWaitsForAWorkerThatShutsDownInItsCallback) {
  Gate gate;
  AsyncOptions options;
  options.workers = 2;
  auto queue = std::make_unique<RequestQueue>(options);
  std::atomic<bool> ended{false}, shut{false};
  (void)queue->submit([&] {
    gate.hold()();
    std::this_thread::sleep_for(5ms);
    ended = true;
  });
  gate.wait_until_entered(1);
  RequestQueue& reference = *queue;
  (void)queue->submit([] {},
                      [&](Prediction<void>) {
                        gate.open();
                        reference.shut_down();
                        EXPECT_TRUE(ended);
                        shut = true;
                      });
  while (reference.metrics().done == 0) std::this_thread::yield();
  queue.reset();
  EXPECT_TRUE(ended);
  EXPECT_TRUE(shut);
}

TEST(RequestQueue, WhatExpiresMakesRoomForABlockedSubmission) {
  Gate gate;
  AsyncOptions options = one_worker(2);
  options.when_full = WhenFull::block;
  RequestQueue queue(options);
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  auto late = queue.submit([] {}, {Priority::normal, deadline_after(50ms)});
  auto blocked = queue.submit([] { return 4; });
  EXPECT_TRUE(late.ready());
  gate.open();
  EXPECT_EQ(blocked.get(), 4);
}

TEST(RequestQueue, CanBeMoved) {
  RequestQueue first(one_worker());
  auto prediction = first.submit([] { return 1; });
  RequestQueue second(std::move(first));
  EXPECT_EQ(second.submit([] { return 2; }).get(), 2);
  second = RequestQueue(one_worker());
  EXPECT_EQ(prediction.get(), 1);
}

TEST(RequestQueue, OptionsThatMakeNoSenseAreErrors) {
  for (int bad : {0, -1}) {
    AsyncOptions options;
    options.max_in_flight = bad;
    EXPECT_MXINFER_ERROR(RequestQueue(options), ErrorCode::invalid_argument,
                         {"max_in_flight", std::to_string(bad), "at least 1"});
  }
  for (int bad : {-1, 2000}) {
    AsyncOptions options;
    options.workers = bad;
    EXPECT_MXINFER_ERROR(RequestQueue(options), ErrorCode::invalid_argument,
                         {"workers", std::to_string(bad)});
  }
}

TEST(RequestQueue, EventsTellHowLongThingsTook) {
  Gate gate;
  std::promise<RequestEvent> first;
  AsyncOptions options = one_worker();
  std::atomic<int> events{0};
  options.on_event = [&](const RequestEvent& event) {
    if (events++ == 0) first.set_value(event);
  };
  RequestQueue queue(options);
  queue.submit([] { std::this_thread::sleep_for(4ms); }, {Priority::high}).get();
  const RequestEvent event = first.get_future().get();
  EXPECT_EQ(event.outcome, RequestOutcome::done);
  EXPECT_EQ(event.priority, Priority::high);
  EXPECT_GE(event.run_time, 4ms);
  EXPECT_GE(event.queue_time, 0ns);
}

TEST(RequestQueue, CountsAddUp) {
  Gate gate;
  RequestQueue queue(one_worker(3));
  auto running = queue.submit(gate.hold());
  gate.wait_until_entered(1);
  auto waiting = queue.submit([] {});
  auto cancelled = queue.submit([] {});
  CallMetrics metrics = queue.metrics();
  EXPECT_EQ(metrics.submitted, 3u);
  EXPECT_EQ(metrics.running, 1u);
  EXPECT_EQ(metrics.waiting, 2u);
  cancelled.cancel();
  gate.open();
  waiting.get();
  metrics = queue.metrics();
  EXPECT_EQ(metrics.done, 2u);
  EXPECT_EQ(metrics.cancelled, 1u);
  EXPECT_EQ(metrics.waiting + metrics.running, 0u);
  EXPECT_EQ(metrics.run_time.count(), 2u);
  EXPECT_EQ(metrics.queue_time.count(), 2u);
}

TEST(RequestQueue, AForkedChildIsToldThatTheWorkersAreTheParents) {
  AsyncOptions options;
  options.workers = 3;
  RequestQueue queue(options);
  std::vector<Prediction<void>> some;
  for (int i = 0; i < 9; ++i) some.push_back(queue.submit([] { std::this_thread::sleep_for(1ms); }));
  for (auto& prediction : some) prediction.get();
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 1;
    try {
      (void)queue.submit([] {});
    } catch (const Error& e) {
      if (e.code() == ErrorCode::unsupported) code = 0;
    }
    bool ran = false;
    std::thread thread([&] { ran = true; });
    RequestQueue own(one_worker());
    if (own.submit([] { return 9; }).get() != 9) code = 2;
    queue = RequestQueue(one_worker());  // destroys the parent's, which must not hang
    thread.join();
    if (!ran) code = 3;
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(queue.submit([] { return 1; }).get(), 1);
}

}  // namespace
}  // namespace mxinfer
