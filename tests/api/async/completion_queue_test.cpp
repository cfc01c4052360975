// CompletionQueue: what has ended, in order, with its tag; and co_await where the compiler has it.
#include <gtest/gtest.h>
#include <mxinfer/async/awaitable.h>
#include <mxinfer/mxinfer.h>
#include <poll.h>

#include <chrono>
#include <future>
#include <set>
#include <string>
#include <thread>

#include "support/expect_error.h"

namespace mxinfer {
namespace {

using namespace std::chrono_literals;

bool is_readable(int fd) {
  pollfd watched{fd, POLLIN, 0};
  return ::poll(&watched, 1, 0) == 1;
}

TEST(CompletionQueue, GivesEachResultOnceWithItsTag) {
  RequestQueue queue;
  CompletionQueue<int> done;
  for (int i = 0; i < 100; ++i) {
    std::optional<Prediction<int>> prediction;
    while (!prediction) {
      try {
        prediction = queue.submit([i] { return 3 * i; });
      } catch (const Error&) {  // full for the moment
      }
    }
    done.add(static_cast<std::uint64_t>(i), std::move(*prediction));
  }
  EXPECT_EQ(done.size(), 100u);
  std::set<std::uint64_t> tags;
  while (auto next = done.next()) {
    EXPECT_TRUE(next->prediction.ready());
    EXPECT_EQ(next->prediction.get(), 3 * static_cast<int>(next->tag));
    EXPECT_TRUE(tags.insert(next->tag).second);
  }
  EXPECT_EQ(tags.size(), 100u);
  EXPECT_EQ(done.size(), 0u);
}

TEST(CompletionQueue, NeverWaitsWhenAskedNotTo) {
  std::promise<void> open;
  RequestQueue queue;
  CompletionQueue<int, std::string> done;
  EXPECT_FALSE(done.try_next());
  EXPECT_FALSE(done.next());  // nothing was added
  done.add("late", queue.submit([future = open.get_future()]() mutable {
    future.wait();
    return 1;
  }));
  EXPECT_FALSE(done.try_next());
  EXPECT_FALSE(done.next(1ms));
  EXPECT_EQ(done.size(), 1u);
  open.set_value();
  EXPECT_EQ(done.next()->tag, "late");
}

TEST(CompletionQueue, TakesWhatHasEndedAlready) {
  RequestQueue queue;
  CompletionQueue<int> done;
  auto prediction = queue.submit([] { return 4; });
  prediction.wait();
  done.add(1, std::move(prediction));
  EXPECT_EQ(done.try_next()->prediction.get(), 4);
  EXPECT_MXINFER_ERROR(done.add(2, Prediction<int>()), ErrorCode::invalid_argument, {"empty Prediction"});
}

TEST(CompletionQueue, ErrorsAndCancelledOnesArriveToo) {
  RequestQueue queue;
  CompletionQueue<int> done;
  done.add(1, queue.submit([]() -> int { throw Error(ErrorCode::malformed, "image"); }));
  EXPECT_MXINFER_ERROR(done.next()->prediction.get(), ErrorCode::malformed, {"image"});
}

TEST(CompletionQueue, ItsDescriptorIsReadableWhileSomethingWaitsToBeTaken) {
  RequestQueue queue;
  CompletionQueue<int> done;
  done.add(1, queue.submit([] { return 1; }));
  done.add(2, queue.submit([] { return 2; }));
  const int fd = done.fd();
  EXPECT_EQ(done.fd(), fd);
  pollfd watched{fd, POLLIN, 0};
  ASSERT_EQ(::poll(&watched, 1, 60000), 1);
  while (done.next()) {
  }
  EXPECT_FALSE(is_readable(fd));
  auto prediction = queue.submit([] { return 3; });
  prediction.wait();
  done.add(3, std::move(prediction));
  EXPECT_TRUE(is_readable(fd));
  EXPECT_TRUE(done.try_next());
  EXPECT_FALSE(is_readable(fd));
}

TEST(CompletionQueue, ItsEndWaitsForWhatRuns) {
  RequestQueue queue;
  std::atomic<bool> ended{false};
  {
    CompletionQueue<void> done;
    done.add(1, queue.submit([&] {
      std::this_thread::sleep_for(5ms);
      ended = true;
    }));
  }
  EXPECT_TRUE(ended);
}

#if defined(__cpp_impl_coroutine)
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Task add_up(RequestQueue& queue, std::promise<int>& sum) {
  const int a = co_await queue.submit([] { return 20; });
  int b = 0;
  try {
    b = co_await queue.submit([]() -> int { throw Error(ErrorCode::malformed, "no number"); });
  } catch (const Error& e) {
    b = e.code() == ErrorCode::malformed ? 22 : 0;
  }
  sum.set_value(a + b);
}

TEST(Awaitable, ACoroutineGoesOnWithTheResultOrTheError) {
  RequestQueue queue;
  std::promise<int> sum;
  add_up(queue, sum);
  EXPECT_EQ(sum.get_future().get(), 42);
}

Task await_nothing(std::promise<bool>& threw) {
  try {
    co_await Prediction<int>();
  } catch (const Error&) {
    threw.set_value(true);
  }
}

TEST(Awaitable, AnEmptyHandleDoesNotSleep) {
  std::promise<bool> threw;
  await_nothing(threw);
  EXPECT_TRUE(threw.get_future().get());
}
#endif

}  // namespace
}  // namespace mxinfer
