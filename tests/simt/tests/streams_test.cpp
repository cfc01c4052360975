// Streams, events, functions of the host and graphs.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "simt/tests/test_support.h"

namespace mxinfer::simt {
namespace {

void add_to(int* value, int amount) {
  if (threadIdx.x == 0) *value += amount;
}

void store(int* to, int value) {
  if (threadIdx.x == 0) *to = value;
}

void copy_value(const int* from, int* to) {
  if (threadIdx.x == 0) *to = *from;
}

/// A stream with a value on the device, which a host may look at: memory of the device is the process's.
class Queue {
 public:
  Queue() { EXPECT_EQ(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), cudaSuccess); }
  ~Queue() { EXPECT_EQ(cudaStreamDestroy(handle_), cudaSuccess); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  cudaStream_t handle() const { return handle_; }
  template <class... P, class... A>
  void run(void (*kernel)(P...), A... args) const {
    EXPECT_EQ(launch(kernel, 1, 32, 0, Stream{0, handle_}, args...), cudaSuccess);
  }
  cudaError_t wait() const { return cudaStreamSynchronize(handle_); }

 private:
  cudaStream_t handle_ = nullptr;
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDisableTiming) {
    EXPECT_EQ(cudaEventCreateWithFlags(&handle_, flags), cudaSuccess);
  }
  ~Event() { EXPECT_EQ(cudaEventDestroy(handle_), cudaSuccess); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  cudaEvent_t handle() const { return handle_; }

 private:
  cudaEvent_t handle_ = nullptr;
};

TEST(Streams, WorkIsDoneWhenItIsWaitedFor) {
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue queue;
  queue.run(add_to, value.data(), 10);
  queue.run(add_to, value.data(), 100);
  EXPECT_EQ(*value.data(), 1);
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 111);
}

TEST(Streams, WorkIsDoneAtOnceIfTheOptionsSaySo) {
  const ScopedOptions set("queue=0");
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue queue;
  queue.run(add_to, value.data(), 10);
  EXPECT_EQ(*value.data(), 11);
}

TEST(Streams, ACopyReadsTheHostsMemoryWhenItIsMade) {
  const DeviceArray<int> value(1);
  const Queue queue;
  int host = 5;
  ASSERT_EQ(cudaMemcpyAsync(value.data(), &host, sizeof host, cudaMemcpyHostToDevice, queue.handle()),
            cudaSuccess);
  host = 6;
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 6);
}

TEST(Streams, FillBytes) {
  const DeviceArray<int> value(2);
  const Queue queue;
  ASSERT_EQ(cudaMemsetAsync(value.data(), 0x12, 5, queue.handle()), cudaSuccess);
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(value.read(), (std::vector<int>{0x12121212, static_cast<int>(0xffffff12u)}));
}

TEST(Streams, DoNotWaitForOneAnother) {
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue first, second;
  first.run(add_to, value.data(), 10);
  second.run(add_to, value.data(), 100);
  EXPECT_EQ(second.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 101);
  EXPECT_EQ(first.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 111);
}

TEST(Streams, WaitForWhatWasEnqueuedBeforeAnEvent) {
  const DeviceArray<int> from(std::vector<int>{1}), to(std::vector<int>{0});
  const Queue first, second;
  const Event event;
  first.run(add_to, from.data(), 10);
  ASSERT_EQ(cudaEventRecord(event.handle(), first.handle()), cudaSuccess);
  first.run(add_to, from.data(), 100);
  ASSERT_EQ(cudaStreamWaitEvent(second.handle(), event.handle(), 0), cudaSuccess);
  second.run(copy_value, static_cast<const int*>(from.data()), to.data());
  EXPECT_EQ(second.wait(), cudaSuccess);
  EXPECT_EQ(*to.data(), 11);
  EXPECT_EQ(first.wait(), cudaSuccess);
  EXPECT_EQ(*from.data(), 111);
}

TEST(Streams, AnEventIsReadyAfterSomeQueries) {
  const ScopedOptions set("ready=2");
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue queue;
  const Event event;
  EXPECT_EQ(cudaEventQuery(event.handle()), cudaSuccess) << "never recorded";
  queue.run(add_to, value.data(), 10);
  ASSERT_EQ(cudaEventRecord(event.handle(), queue.handle()), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event.handle()), cudaErrorNotReady);
  EXPECT_EQ(cudaEventQuery(event.handle()), cudaErrorNotReady);
  EXPECT_EQ(*value.data(), 1);
  EXPECT_EQ(cudaEventQuery(event.handle()), cudaSuccess);
  EXPECT_EQ(*value.data(), 11);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "that it is not ready is no error";
}

TEST(Streams, AnEventIsWaitedFor) {
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue queue;
  const Event event;
  queue.run(add_to, value.data(), 10);
  ASSERT_EQ(cudaEventRecord(event.handle(), queue.handle()), cudaSuccess);
  queue.run(add_to, value.data(), 100);
  EXPECT_EQ(cudaEventSynchronize(event.handle()), cudaSuccess);
  EXPECT_EQ(*value.data(), 11);
  EXPECT_EQ(queue.wait(), cudaSuccess);
}

void take_a_while() {
  if (threadIdx.x == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

TEST(Streams, EventsTellTheTimeOfTheWorkBetweenThem) {
  const Queue queue;
  const Event begin(cudaEventDefault), end(cudaEventDefault), without_timing;
  float ms = -1;
  EXPECT_EQ(cudaEventElapsedTime(&ms, begin.handle(), end.handle()), cudaErrorInvalidResourceHandle)
      << "never recorded";
  ASSERT_EQ(cudaEventRecord(begin.handle(), queue.handle()), cudaSuccess);
  queue.run(take_a_while);
  ASSERT_EQ(cudaEventRecord(end.handle(), queue.handle()), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(without_timing.handle(), queue.handle()), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, begin.handle(), end.handle()), cudaErrorNotReady);
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, begin.handle(), end.handle()), cudaSuccess);
  EXPECT_GE(ms, 20);
  EXPECT_EQ(cudaEventElapsedTime(&ms, begin.handle(), without_timing.handle()),
            cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

/// What a function of the host leaves.
struct Called {
  std::mutex mutex;
  std::condition_variable changed;
  int times = 0;
  int seen = 0;
  std::thread::id thread;
  const int* value = nullptr;

  static void call(void* argument) {
    Called& called = *static_cast<Called*>(argument);
    const std::lock_guard lock(called.mutex);
    ++called.times;
    called.thread = std::this_thread::get_id();
    if (called.value != nullptr) called.seen = *called.value;
    called.changed.notify_all();
  }
  bool wait_for_calls(int count) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(60), [&] { return times >= count; });
  }
};

TEST(Streams, CallTheHostWithoutBeingWaitedFor) {
  for (const char* when : {"queue=1", "queue=0"}) {
    const ScopedOptions set(when);
    const DeviceArray<int> value(std::vector<int>{1});
    Called called;
    called.value = value.data();
    const Queue queue;
    queue.run(add_to, value.data(), 10);
    ASSERT_EQ(cudaLaunchHostFunc(queue.handle(), Called::call, &called), cudaSuccess);
    queue.run(add_to, value.data(), 100);
    EXPECT_TRUE(called.wait_for_calls(1));
    EXPECT_EQ(queue.wait(), cudaSuccess);
    EXPECT_EQ(called.seen, 11);
    EXPECT_NE(called.thread, std::this_thread::get_id());
    EXPECT_EQ(*value.data(), 111);
  }
}

TEST(Streams, AQueryDoesNotWaitForTheHost) {
  const DeviceArray<int> value(std::vector<int>{1});
  const Queue queue, behind;
  const Event event;
  std::promise<void> gate;
  queue.run(add_to, value.data(), 10);
  ASSERT_EQ(cudaLaunchHostFunc(
                queue.handle(),
                [](void* held) { static_cast<std::promise<void>*>(held)->get_future().wait(); }, &gate),
            cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event.handle(), queue.handle()), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(behind.handle(), event.handle(), 0), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(queue.handle()), cudaErrorNotReady);
  EXPECT_EQ(cudaStreamQuery(behind.handle()), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "that it is not ready is no error";
  gate.set_value();
  EXPECT_EQ(behind.wait(), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(queue.handle()), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(behind.handle()), cudaSuccess);
  EXPECT_EQ(*value.data(), 11);
}

TEST(Streams, CallTheHostWhereAStreamWaitsForAnother) {
  for (int i = 0; i < 50; ++i) {
    const DeviceArray<int> value(std::vector<int>{0});
    Called first_called, second_called;
    const Queue first, second;
    const Event event;
    ASSERT_EQ(cudaLaunchHostFunc(first.handle(), Called::call, &first_called), cudaSuccess);
    first.run(add_to, value.data(), 1);
    ASSERT_EQ(cudaEventRecord(event.handle(), first.handle()), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(second.handle(), event.handle(), 0), cudaSuccess);
    second.run(add_to, value.data(), 10);
    ASSERT_EQ(cudaLaunchHostFunc(second.handle(), Called::call, &second_called), cudaSuccess);
    EXPECT_EQ(second.wait(), cudaSuccess);
    EXPECT_EQ(first_called.times, 1);
    EXPECT_EQ(second_called.times, 1);
    EXPECT_EQ(*value.data(), 11);
  }
}

void trap_everywhere() {
  __trap();
}

TEST(Streams, AfterAnErrorNothingRunsUntilItIsReported) {
  const DeviceArray<int> value(std::vector<int>{1});
  Called called;
  const Queue queue, other;
  queue.run(trap_everywhere);
  queue.run(add_to, value.data(), 10);
  ASSERT_EQ(cudaLaunchHostFunc(queue.handle(), Called::call, &called), cudaSuccess);
  const cudaError_t error = queue.wait();
  EXPECT_GE(error, cudaErrorSimtCheck);
  expect_contains(cudaGetErrorString(error), "has called __trap()");
  EXPECT_STREQ(cudaGetErrorName(error), "cudaErrorSimtCheck");
  EXPECT_EQ(called.times, 1) << "the host does not wait for ever";
  EXPECT_EQ(cudaGetLastError(), error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  queue.run(add_to, value.data(), 100);
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 101);
}

TEST(Streams, TheErrorOfALaunchIsReturnedAtOnceIfWorkIs) {
  const ScopedOptions set("queue=0");
  const Status status = launch(trap_everywhere, 1, 32, 0, Stream{});
  EXPECT_GE(status, cudaErrorSimtCheck);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
}

TEST(Streams, ThatHaveBeenDestroyedAreNone) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, 0), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(launch(trap_everywhere, 1, 1, 0, Stream{0, stream}), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST(Streams, OfManyThreadsWorkAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&right] {
      const DeviceArray<int> value(std::vector<int>{0});
      const Queue queue;
      for (int i = 0; i < 200; ++i) {
        queue.run(add_to, value.data(), 1);
        if (i % 10 == 0) queue.wait();
      }
      queue.wait();
      right += *value.data() == 200 ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 4);
}

/// What is enqueued in between, as a graph that can be launched.
class Recording {
 public:
  explicit Recording(cudaStream_t stream) : stream_(stream) {
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  }
  ~Recording() {
    if (exec_ == nullptr) return;
    EXPECT_EQ(cudaGraphExecDestroy(exec_), cudaSuccess);
  }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  cudaError_t end() {
    cudaGraph_t graph = nullptr;
    if (const cudaError_t error = cudaStreamEndCapture(stream_, &graph); error != cudaSuccess) return error;
    EXPECT_EQ(cudaGraphInstantiate(&exec_, graph, 0), cudaSuccess);
    return cudaGraphDestroy(graph);
  }
  cudaGraphExec_t exec() const { return exec_; }

 private:
  cudaStream_t stream_;
  cudaGraphExec_t exec_ = nullptr;
};

TEST(Graphs, DoAgainWhatWasRecorded) {
  const DeviceArray<int> value(std::vector<int>{0});
  const Queue queue;
  int amount = 3, out = -1;
  Recording recording(queue.handle());
  ASSERT_EQ(cudaMemsetAsync(value.data(), 0, sizeof(int), queue.handle()), cudaSuccess);
  queue.run(add_to, value.data(), amount);
  amount = 5;
  queue.run(add_to, value.data(), amount);
  ASSERT_EQ(cudaMemcpyAsync(&out, value.data(), sizeof out, cudaMemcpyDeviceToHost, queue.handle()),
            cudaSuccess);
  amount = 1000;
  ASSERT_EQ(recording.end(), cudaSuccess);
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(out, -1) << "recorded, not done";
  for (int i = 0; i < 3; ++i) {
    out = -1;
    ASSERT_EQ(cudaGraphLaunch(recording.exec(), queue.handle()), cudaSuccess);
    EXPECT_EQ(out, -1);
    EXPECT_EQ(queue.wait(), cudaSuccess);
    EXPECT_EQ(out, 8);
  }
}

TEST(Graphs, CallTheHostEachTime) {
  Called called;
  const Queue queue;
  Recording recording(queue.handle());
  ASSERT_EQ(cudaLaunchHostFunc(queue.handle(), Called::call, &called), cudaSuccess);
  ASSERT_EQ(recording.end(), cudaSuccess);
  EXPECT_EQ(called.times, 0);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(cudaGraphLaunch(recording.exec(), queue.handle()), cudaSuccess);
    EXPECT_TRUE(called.wait_for_calls(i));
  }
  EXPECT_EQ(queue.wait(), cudaSuccess);
  EXPECT_EQ(called.times, 3);
}

TEST(Graphs, HaveTheWorkOfStreamsThatJoin) {
  const DeviceArray<int> value(std::vector<int>{0});
  const Queue first, second;
  const Event fork, join;
  Recording recording(first.handle());
  first.run(store, value.data(), 1);
  ASSERT_EQ(cudaEventRecord(fork.handle(), first.handle()), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second.handle(), fork.handle(), 0), cudaSuccess);
  second.run(add_to, value.data(), 10);
  ASSERT_EQ(cudaEventRecord(join.handle(), second.handle()), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(first.handle(), join.handle(), 0), cudaSuccess);
  first.run(add_to, value.data(), 100);
  ASSERT_EQ(recording.end(), cudaSuccess);
  EXPECT_EQ(second.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 0);
  ASSERT_EQ(cudaGraphLaunch(recording.exec(), first.handle()), cudaSuccess);
  EXPECT_EQ(first.wait(), cudaSuccess);
  EXPECT_EQ(*value.data(), 111);
}

TEST(Graphs, WaitingInACaptureSpoilsIt) {
  const Queue queue;
  Recording recording(queue.handle());
  EXPECT_EQ(queue.wait(), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(recording.end(), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

TEST(Graphs, NoMemoryIsAllocatedOrReleasedInACapture) {
  const Queue queue;
  void* before = nullptr;
  ASSERT_EQ(cudaMalloc(&before, 16), cudaSuccess);
  Recording recording(queue.handle());
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaHostAlloc(&memory, 16, cudaHostAllocPortable), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaFree(before), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(recording.end(), cudaSuccess);
  EXPECT_EQ(cudaFree(before), cudaSuccess);
  cudaGetLastError();
}

TEST(Graphs, ACaptureEndsWhereItBegan) {
  const Queue queue;
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(queue.handle(), &graph), cudaErrorIllegalState);
  Recording recording(queue.handle());
  EXPECT_EQ(cudaStreamBeginCapture(queue.handle(), cudaStreamCaptureModeThreadLocal), cudaErrorIllegalState);
  std::thread([&] {
    EXPECT_EQ(cudaStreamEndCapture(queue.handle(), &graph), cudaErrorStreamCaptureWrongThread);
  }).join();
  EXPECT_EQ(recording.end(), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed), cudaErrorStreamCaptureUnsupported)
      << "the default stream";
  cudaGetLastError();
}

TEST(Graphs, DoNotDependOnWorkOutside) {
  const DeviceArray<int> value(std::vector<int>{0});
  const Queue outside, queue;
  const Event event;
  outside.run(add_to, value.data(), 1);
  ASSERT_EQ(cudaEventRecord(event.handle(), outside.handle()), cudaSuccess);
  Recording recording(queue.handle());
  EXPECT_EQ(cudaStreamWaitEvent(queue.handle(), event.handle(), 0), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(recording.end(), cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

TEST(Graphs, FailWhereMemoryHasBeenReleasedMeanwhile) {
  const Queue queue;
  void* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 16), cudaSuccess);
  Recording recording(queue.handle());
  ASSERT_EQ(cudaMemsetAsync(memory, 0, 16, queue.handle()), cudaSuccess);
  ASSERT_EQ(recording.end(), cudaSuccess);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  ASSERT_EQ(cudaGraphLaunch(recording.exec(), queue.handle()), cudaSuccess);
  const cudaError_t error = queue.wait();
  expect_contains(cudaGetErrorString(error), "cudaMemsetAsync: dst");
  cudaGetLastError();
}

}  // namespace
}  // namespace mxinfer::simt
